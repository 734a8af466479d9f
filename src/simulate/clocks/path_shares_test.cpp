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
        for (std::size_t c = 0; c < kCalls; ++c) {
          lists[i][c].compute += times * (now[c].compute - lists[j][c].compute);
          lists[i][c].latency += times * (now[c].latency - lists[j][c].latency);
          lists[i][c].transfer += times * (now[c].transfer - lists[j][c].transfer);
        }
        shares[i].extrapolate(shares[j], times);
        break;
      }
      default: {
        const auto call = 45 * *rc::gen::inRange<std::uint32_t>(0, kCalls / 45);
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
  }
}

}  // namespace
}  // namespace reprise::simulate
