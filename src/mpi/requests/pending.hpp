// The requests of one stream that are pending, by the numbers that events give them: how many
// pending requests were made after each (docs/trace_format.md, section 7).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "trace/cursors/call_cursor.hpp"

namespace reprise::mpi {

// The requests that an event is about, as it numbers them; kNull and kForeign stand for themselves.
const std::vector<std::int64_t>& requests_of(const trace::Event& event,
                                             std::vector<std::int64_t>& scratch);

// Where in requests_of the one stands that the event completes; none: all of them.
std::optional<std::size_t> completed_index(const trace::Event& event);

// The function returns as soon as one of its requests is complete (MPI_Waitany, MPI_Waitsome).
inline bool returns_at_any(const trace::Function& function) { return function.completed >= 0; }

// `T` is what the user of this class keeps for a request.
template <class T>
class Pending {
 public:
  struct Entry {
    T value;
    bool is_persistent = false;  // stays pending when it completes
    bool is_gone = false;        // forgotten by the next `tidy`
    std::uint64_t serial = 0;    // how many requests the stream had made before
  };

  void add(T value, bool persistent) {
    entries_.push_back({std::move(value), persistent, false, made_++});
  }

  // The request of that number, or null.
  Entry* find(std::int64_t number) {
    if (number < 0 || number >= std::ssize(entries_)) return nullptr;
    return &entries_[entries_.size() - 1 - static_cast<std::size_t>(number)];
  }
  T* at(std::int64_t number) {
    Entry* const entry = find(number);
    return entry ? &entry->value : nullptr;
  }
  // The one that was made after `serial` others, which is how other threads name it, or null.
  Entry* find_made(std::uint64_t serial) {
    const auto found = std::ranges::lower_bound(entries_, serial, {}, &Entry::serial);
    return found != entries_.end() && found->serial == serial ? &*found : nullptr;
  }

  std::size_t size() const { return entries_.size(); }
  // The oldest first.
  const std::vector<Entry>& entries() const { return entries_; }

  // Forgets the youngest, as if it had never been made, and returns it. REQUIRES: there is one.
  T take_back() {
    T out = std::move(entries_.back().value);
    entries_.pop_back();
    --made_;
    return out;
  }

  // Forgets those that are gone: all of them, or those that are older than any pending one. The
  // number of a request that another thread has ended stays taken as long as an older one is
  // pending, since the stream does not know when that was.
  void tidy() { tidy_from(0); }
  void tidy_oldest() {
    entries_.erase(entries_.begin(), std::ranges::find(entries_, false, &Entry::is_gone));
  }

  // Forgets the requests that the event has completed or freed. `done` is told of each first, in
  // the order of the event. Cost: the requests made since the oldest of them.
  template <class Done>
  void pass(const trace::Event& event, Done done) {
    if (!event.function->ends_requests) return;
    const std::vector<std::int64_t>& numbers = requests_of(event, scratch_);
    const bool is_freed = (event.function->traits & trace::traits::kFree) != 0;
    const auto index = completed_index(event);
    std::size_t oldest = entries_.size();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      Entry* const entry = index && *index != i ? nullptr : find(numbers[i]);
      if (!entry) continue;
      done(entry->value);
      if (entry->is_persistent && !is_freed) continue;
      entry->is_gone = true;
      oldest = std::min(oldest, static_cast<std::size_t>(entry - entries_.data()));
    }
    tidy_from(oldest);
  }
  void pass(const trace::Event& event) {
    pass(event, [](T&) {});
  }

 private:
  void tidy_from(std::size_t oldest) {
    const auto from = entries_.begin() + static_cast<std::ptrdiff_t>(oldest);
    entries_.erase(std::remove_if(from, entries_.end(), [](const Entry& e) { return e.is_gone; }),
                   entries_.end());
  }

  std::vector<Entry> entries_;  // the youngest last
  std::uint64_t made_ = 0;
  std::vector<std::int64_t> scratch_;
};

}  // namespace reprise::mpi
