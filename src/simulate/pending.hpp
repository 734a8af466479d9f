// The requests of one stream that the program knows, by the numbers that calls give them: how many
// pending requests were made after each (docs/trace_format.md, section 7).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "simulate/lowering.hpp"

namespace reprise::simulate {

class PendingRequests {
 public:
  static constexpr std::uint32_t kInactive = ~std::uint32_t{0};

  struct Entry {
    std::uint32_t request = kInactive;       // the operation that is under way, if one is
    Action start;                            // what a start of it does, if it is persistent
    std::shared_ptr<const CallSteps> steps;  // of that, if it has several or is a meeting
    std::uint32_t left = 0;                  // partitions of a message that are not ready yet
    std::uint32_t waiter = kInactive;        // who waits for the last of them
    bool is_persistent = false;
    bool is_cancelled = false;
    bool is_gone = false;
    std::uint64_t serial = 0;
  };

  Entry& add() {
    entries_.emplace_back().serial = made_++;
    return entries_.back();
  }

  // As if the youngest had never been made.
  void take_back() {
    entries_.pop_back();
    --made_;
  }

  // The request of that number, or null.
  Entry* at(std::int64_t number) {
    if (number < 0 || number >= std::ssize(entries_)) return nullptr;
    return &entries_[entries_.size() - 1 - static_cast<std::size_t>(number)];
  }
  // The one that was made after `serial` others, or null.
  Entry* made(std::uint64_t serial) {
    const auto found = std::ranges::lower_bound(entries_, serial, {}, &Entry::serial);
    return found != entries_.end() && found->serial == serial ? &*found : nullptr;
  }

  // Forgets those that are gone. Of a request that another stream has ended, the number stays taken
  // as long as an older one is pending.
  void tidy() {
    std::erase_if(entries_, [](const Entry& e) { return e.is_gone; });
  }
  void tidy_oldest() {
    const auto first = std::ranges::find_if(entries_, [](const Entry& e) { return !e.is_gone; });
    entries_.erase(entries_.begin(), first);
  }

  std::vector<Entry>& entries() { return entries_; }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;  // the youngest last
  std::uint64_t made_ = 0;
};

}  // namespace reprise::simulate
