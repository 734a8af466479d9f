// The requests of one stream that are pending, by the numbers that events give them: how many
// pending requests were made after each (docs/trace_format.md, section 7).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "trace/call_cursor.hpp"

namespace reprise::mpi {

// The requests that an event is about, as it numbers them; kNull and kForeign stand for themselves.
const std::vector<std::int64_t>& requests_of(const trace::Event& event,
                                             std::vector<std::int64_t>& scratch);

// Where in requests_of the one stands that the event completes; none: all of them.
std::optional<std::size_t> completed_index(const trace::Event& event);

// `T` is what the user of this class keeps for a request.
template <class T>
class Pending {
 public:
  void add(T value, bool persistent) { entries_.push_back({std::move(value), persistent, false}); }

  // The request of that number, or null.
  T* at(std::int64_t number) {
    if (number < 0 || number >= std::ssize(entries_)) return nullptr;
    return &entries_[entries_.size() - 1 - static_cast<std::size_t>(number)].value;
  }

  std::size_t size() const { return entries_.size(); }

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
      if ((index && *index != i) || numbers[i] < 0 || numbers[i] >= std::ssize(entries_)) continue;
      const std::size_t at = entries_.size() - 1 - static_cast<std::size_t>(numbers[i]);
      done(entries_[at].value);
      if (entries_[at].persistent && !is_freed) continue;
      entries_[at].gone = true;
      oldest = std::min(oldest, at);
    }
    const auto from = entries_.begin() + static_cast<std::ptrdiff_t>(oldest);
    entries_.erase(std::remove_if(from, entries_.end(), [](const Entry& e) { return e.gone; }),
                   entries_.end());
  }
  void pass(const trace::Event& event) {
    pass(event, [](T&) {});
  }

 private:
  struct Entry {
    T value;
    bool persistent;  // stays pending when it completes
    bool gone;
  };

  std::vector<Entry> entries_;  // the youngest last
  std::vector<std::int64_t> scratch_;
};

}  // namespace reprise::mpi
