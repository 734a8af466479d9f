#include "record/objects/pending.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace reprise::record {
namespace {

using Place = PendingRequests::Place;

Home home(std::uintptr_t address) { return {address, false, {}}; }

// A program's memory: a handle at each address.
class Memory final : public HomeInspector {
 public:
  bool is_alive(const Home& home) override { return home.frame.value != kReturned; }
  bool holds(const Home& home, std::uint64_t handle) override {
    const auto found = handles.find(home.address);
    return found != handles.end() && found->second == handle;
  }

  static constexpr std::uintptr_t kReturned = 1;

  std::map<std::uintptr_t, std::uint64_t> handles;
};

// The same by going through a list of all requests ever made.
class Listed {
 public:
  explicit Listed(Memory& memory) : memory_(memory) {}

  void add(std::uint64_t handle, std::uintptr_t home, bool recorded) {
    leave(home);
    all_.push_back({.handle = handle, .home = home, .recorded = recorded});
  }

  void begin_lookup() {
    for (Entry& e : all_) e.found = false;
  }

  // The index of the request that lives at an address, or -1.
  int find_at(std::uint64_t handle, std::uintptr_t address) {
    for (const int i : unfound(handle)) {
      if (all_[static_cast<std::size_t>(i)].home == address) return take(i);
    }
    return -1;
  }

  int find_moved(std::uint64_t handle, std::uintptr_t address) {
    const std::vector<int> all = unfound(handle);
    if (all.empty()) return -1;
    int chosen = all[0];
    for (const int i : all.size() > 1 ? all : std::vector<int>{}) {
      Entry& e = all_[static_cast<std::size_t>(i)];
      if (e.home != 0 && memory_.handles[e.home] == handle) continue;
      e.home = 0;
      chosen = i;
      break;
    }
    leave(address);
    all_[static_cast<std::size_t>(chosen)].home = address;
    return take(chosen);
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
    std::uintptr_t home = 0;
    bool recorded = true, pending = true, given_up = false, found = false;
  };

  std::vector<int> unfound(std::uint64_t handle) const {
    std::vector<int> out;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Entry& e = all_[i];
      if (e.pending && !e.found && e.handle == handle) out.push_back(static_cast<int>(i));
    }
    return out;
  }

  int take(int index) {
    all_[static_cast<std::size_t>(index)].found = true;
    return index;
  }

  void leave(std::uintptr_t home) {
    for (Entry& e : all_) {
      if (e.pending && e.home == home) e.home = 0;
    }
  }

  Memory& memory_;
  std::vector<Entry> all_;
};

// Few handles and few addresses, so that many requests share a handle and all are copied about;
// enough requests that the table is compacted.
RC_GTEST_PROP(PendingRequests, NamesAsAListDoes, ()) {
  Memory memory;
  PendingRequests table(0);
  Listed list(memory);
  const int steps = *rc::gen::inRange(1, 600);
  const auto handles = *rc::gen::inRange<std::uint64_t>(1, 6);
  const auto addresses = *rc::gen::inRange<std::uintptr_t>(1, 100);
  const int completing = *rc::gen::inRange(1, 10);  // of ten steps
  const auto any_address = rc::gen::inRange<std::uintptr_t>(1, addresses + 1);
  for (int step = 0; step < steps; ++step) {
    const std::uint64_t handle = *rc::gen::inRange<std::uint64_t>(0, handles);
    if (*rc::gen::inRange(0, 10) >= completing) {
      const bool recorded = *rc::gen::inRange(0, 8) != 0;
      const std::uintptr_t place = *any_address;
      memory.handles[place] = handle;
      table.add(handle, home(place), {}, false, recorded);
      list.add(handle, place, recorded);
      memory.handles[*any_address] = memory.handles[*any_address];  // a copy
      continue;
    }
    table.begin_lookup();
    list.begin_lookup();
    // One look-up of several, as Waitall makes, before any of them is removed.
    std::vector<std::uintptr_t> left;
    std::vector<std::pair<Place, int>> waited;
    const auto compare = [&](const Place& place, int index) {
      RC_ASSERT((place.table == nullptr) == (index < 0));
      if (index < 0) return false;
      RC_ASSERT(table.age(*table.at(place)) == list.age(index));
      waited.push_back({place, index});
      return true;
    };
    for (int n = *rc::gen::inRange(1, 4); n > 0; --n) {
      const std::uintptr_t at = *any_address;
      if (!compare(table.find_at(handle, at, memory), list.find_at(handle, at))) left.push_back(at);
    }
    for (const std::uintptr_t at : left) {
      compare(table.find_moved(handle, home(at), memory), list.find_moved(handle, at));
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

// One handle for all, as MPICH has it; the program completes them in any order.
RC_GTEST_PROP(PendingRequests, FindsWhatStaysWhereItWasPut, ()) {
  Memory memory;
  PendingRequests table(0);
  std::vector<std::uintptr_t> pending;  // their addresses, in the order in which they were made
  for (int step = *rc::gen::inRange(1, 400); step > 0; --step) {
    const auto at = *rc::gen::inRange<std::uintptr_t>(1, 200);
    const auto known = std::ranges::find(pending, at);
    if (known == pending.end()) {
      memory.handles[at] = 7;
      table.add(7, home(at), {}, false, true);
      pending.push_back(at);
      continue;
    }
    table.begin_lookup();
    const Place place = table.find_at(7, at, memory);
    RC_ASSERT(place.table == &table);
    RC_ASSERT(table.age(*table.at(place)) == pending.end() - known - 1);
    table.remove(place);
    pending.erase(known);
  }
}

// A place of the stack is used for something else when its function has returned.
TEST(PendingRequests, DoesNotTrustTheStackOfAFunctionThatReturned) {
  Memory memory;
  PendingRequests table(0);
  memory.handles[1] = 7;
  table.add(7, home(1), {}, false, true);
  table.add(7, {1, false, {8, Memory::kReturned}}, {}, false, true);
  table.begin_lookup();
  EXPECT_EQ(table.find_at(7, 1, memory).table, nullptr);
  const Place place = table.find_moved(7, home(1), memory);
  EXPECT_EQ(table.age(*table.at(place)), 1);
}

TEST(PendingRequests, FindsARequestThatHasMoved) {
  PendingRequests table(0);
  Memory memory;
  table.add(1, home(1), {.wildcard = true}, false, true);
  table.begin_lookup();
  const Place first = table.find_at(1, 1, memory);
  // Many come and go, so that the table closes its gaps.
  for (int i = 0; i < 1000; ++i) {
    table.add(2, home(2), {}, false, true);
    table.add(3, home(3), {}, false, true);
    table.begin_lookup();
    table.remove(table.find_at(2, 2, memory));
    if (i % 2 == 0) table.remove(table.find_moved(3, {}, memory));
  }
  ASSERT_NE(table.at(first), nullptr);
  EXPECT_EQ(table.at(first)->handle, 1u);
  EXPECT_TRUE(table.at(first)->watched());
  EXPECT_EQ(table.age(*table.at(first)), 500);
}

TEST(PendingRequests, RemovesNothingTwice) {
  PendingRequests table(0);
  Memory memory;
  table.add(1, home(1), {}, false, true);
  table.add(1, home(2), {}, false, true);
  table.begin_lookup();
  const Place place = table.find_at(1, 1, memory);
  table.remove(place);
  table.remove(place);
  table.begin_lookup();
  EXPECT_EQ(table.age(*table.at(table.find_moved(1, {}, memory))), 0);
}

}  // namespace
}  // namespace reprise::record
