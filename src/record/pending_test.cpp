#include "record/pending.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <vector>

namespace reprise::record {
namespace {

using Place = PendingRequests::Place;

// The same by going through a list of all requests ever made.
class Listed {
 public:
  void add(std::uint64_t handle, bool recorded) {
    all_.push_back({.handle = handle, .recorded = recorded});
  }

  void begin_lookup() {
    for (Entry& e : all_) e.found = false;
  }

  // The index of the oldest one that is pending, or -1.
  int find(std::uint64_t handle) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      Entry& e = all_[i];
      if (!e.pending || e.found || e.handle != handle) continue;
      e.found = true;
      return static_cast<int>(i);
    }
    return -1;
  }

  void remove(int index) { all_[static_cast<std::size_t>(index)].pending = false; }
  void give_up(int index) {
    remove(index);
    all_[static_cast<std::size_t>(index)].given_up = true;
  }

  std::int64_t age(int index) const {
    std::int64_t younger = 0;
    for (std::size_t i = static_cast<std::size_t>(index) + 1; i < all_.size(); ++i) {
      younger += all_[i].recorded && (all_[i].pending || all_[i].given_up);
    }
    return younger;
  }

 private:
  struct Entry {
    std::uint64_t handle = 0;
    bool recorded = true, pending = true, given_up = false, found = false;
  };
  std::vector<Entry> all_;
};

// Few handles, so that many requests share one; enough requests that the table is compacted.
RC_GTEST_PROP(PendingRequests, NamesAsAListDoes, ()) {
  PendingRequests table(0);
  Listed list;
  const int steps = *rc::gen::inRange(1, 600);
  const auto handles = *rc::gen::inRange<std::uint64_t>(1, 6);
  const int completing = *rc::gen::inRange(1, 10);  // of ten steps
  for (int step = 0; step < steps; ++step) {
    const std::uint64_t handle = *rc::gen::inRange<std::uint64_t>(0, handles);
    if (*rc::gen::inRange(0, 10) >= completing) {
      const bool recorded = *rc::gen::inRange(0, 8) != 0;
      table.add(handle, {}, false, recorded);
      list.add(handle, recorded);
      continue;
    }
    table.begin_lookup();
    list.begin_lookup();
    // One look-up of several, as Waitall makes, before any of them is removed.
    std::vector<std::pair<Place, int>> waited;
    for (int n = *rc::gen::inRange(1, 4); n > 0; --n) {
      const Place place = table.find(handle);
      const int index = list.find(handle);
      RC_ASSERT((place.table == nullptr) == (index < 0));
      if (index < 0) continue;
      RC_ASSERT(table.age(*table.at(place)) == list.age(index));
      waited.push_back({place, index});
    }
    for (const auto& [place, index] : waited) {
      if (*rc::gen::inRange(0, 5) == 0) {
        table.give_up(place);
        list.give_up(index);
      } else {
        table.remove(place);
        list.remove(index);
      }
      RC_ASSERT(table.at(place) == nullptr);
    }
  }
}

TEST(PendingRequests, FindsARequestThatHasMoved) {
  PendingRequests table(0);
  table.add(1, {.wildcard = true}, false, true);
  table.begin_lookup();
  const Place first = table.find(1);
  // Many come and go, so that the table closes its gaps.
  for (int i = 0; i < 1000; ++i) {
    table.add(2, {}, false, true);
    table.add(3, {}, false, true);
    table.begin_lookup();
    table.remove(table.find(2));
    if (i % 2 == 0) table.remove(table.find(3));
  }
  ASSERT_NE(table.at(first), nullptr);
  EXPECT_EQ(table.at(first)->handle, 1u);
  EXPECT_TRUE(table.at(first)->watched());
  EXPECT_EQ(table.age(*table.at(first)), 500);
}

TEST(PendingRequests, RemovesNothingTwice) {
  PendingRequests table(0);
  table.add(1, {}, false, true);
  table.add(1, {}, false, true);
  table.begin_lookup();
  const Place place = table.find(1);
  table.remove(place);
  table.remove(place);
  table.begin_lookup();
  EXPECT_EQ(table.age(*table.at(table.find(1))), 0);
}

}  // namespace
}  // namespace reprise::record
