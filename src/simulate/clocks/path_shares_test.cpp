#include "simulate/clocks/path_shares.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace reprise::simulate {
namespace {

using List = std::vector<PathShare>;

constexpr std::uint32_t kCalls = 9000;  // over several groups of blocks

List padded(List list) {
  list.resize(2 * kCalls);
  return list;
}

bool gains_alike(const List& before, const List& now, const List& its_before, const List& its_now) {
  for (std::size_t c = 0; c < kCalls; ++c) {
    if (now[c] - before[c] != its_now[c] - its_before[c]) return false;
  }
  return true;
}

// Copies, additions, comparisons and leaps as with plain lists.
RC_GTEST_PROP(PathShares, DoAsListsDo, ()) {
  std::vector<PathShares> shares(4);
  std::vector<List> lists(4, List(kCalls));
  const int steps = *rc::gen::inRange(1, 100);
  for (int step = 0; step < steps; ++step) {
    const auto i = *rc::gen::inRange<std::size_t>(0, 4), j = *rc::gen::inRange<std::size_t>(0, 4);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        shares[i] = shares[j];
        lists[i] = lists[j];
        break;
      case 1: {
        const auto times = *rc::gen::inRange<std::int64_t>(0, 5);
        const List now = lists[i];
        const PathShares before = shares[j], then = shares[i];
        for (std::size_t c = 0; c < kCalls; ++c) {
          lists[i][c].compute += times * (now[c].compute - lists[j][c].compute);
          lists[i][c].latency += times * (now[c].latency - lists[j][c].latency);
          lists[i][c].transfer += times * (now[c].transfer - lists[j][c].transfer);
        }
        shares[i].extrapolate(before, times);
        if (times == 1) RC_ASSERT(PathShares::gains_alike(before, then, then, shares[i]));
        break;
      }
      default: {
        const auto call = 45 * *rc::gen::inRange<std::uint32_t>(0, kCalls / 45) +
                          *rc::gen::inRange<std::uint32_t>(0, 3);
        const auto span = *rc::gen::inRange<Picoseconds>(0, 3);
        shares[i].own(call).compute += span;
        lists[i][call].compute += span;
        shares[i].own(call).latency += 2 * span;
        lists[i][call].latency += 2 * span;
        shares[i].own(call).transfer += 1;
        lists[i][call].transfer += 1;
      }
    }
    RC_ASSERT(padded(shares[i].all()) == padded(lists[i]));
    RC_ASSERT((shares[i] < shares[j]) == (lists[i] < lists[j]));
    const auto k = *rc::gen::inRange<std::size_t>(0, 4), l = *rc::gen::inRange<std::size_t>(0, 4);
    RC_ASSERT(PathShares::gains_alike(shares[k], shares[l], shares[i], shares[j]) ==
              gains_alike(lists[k], lists[l], lists[i], lists[j]));
  }
}

// One list may end where the other goes on, and a list that was never added to has no parts.
TEST(PathShares, GainsAlikeWhateverTheirLengths) {
  PathShares none, one, other;
  one.own(3).latency = 5;
  PathShares one_later = one, other_later;
  one_later.own(8000).compute += 7;
  other_later.own(8000).compute += 7;
  PathShares zero;
  zero.own(600).compute += 0;
  EXPECT_TRUE(PathShares::gains_alike(none, none, one, one));
  EXPECT_TRUE(PathShares::gains_alike(none, zero, one, one));
  EXPECT_TRUE(PathShares::gains_alike(one_later, one, other_later, other));
  EXPECT_TRUE(PathShares::gains_alike(one, one_later, other, other_later));
  EXPECT_FALSE(PathShares::gains_alike(one, one_later, other, other));
  EXPECT_FALSE(PathShares::gains_alike(none, none, one, one_later));
  other_later.own(8001).transfer = 1;
  EXPECT_FALSE(PathShares::gains_alike(one, one_later, other, other_later));
}

}  // namespace
}  // namespace reprise::simulate
