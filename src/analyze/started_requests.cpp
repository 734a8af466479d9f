#include "analyze/started_requests.hpp"

#include <algorithm>

#include "trace/special.hpp"

namespace reprise::analyze {

using trace::Event;
using trace::Kind;

namespace {

// What the event's request columns hold: how many pending requests were made after each.
std::vector<std::int64_t> requests_of(const Event& event) {
  const trace::Function& f = *event.function;
  for (std::size_t l = 0; l < f.lists.size(); ++l) {
    if (f.lists[l].kind == Kind::request) return event.lists[l];
  }
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    if (f.scalars[c].kind == Kind::request) return {event.scalars[c]};
  }
  return {};
}

// Those of the requests that the event completes: the one at `index`, or all.
std::vector<std::int64_t> completed(const Event& event) {
  std::vector<std::int64_t> requests = requests_of(event);
  const auto columns = event.function->scalars;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].name != "index") continue;
    const std::int64_t i = event.scalars[c];
    if (i < 0 || i >= std::ssize(requests)) return {};
    return {requests[static_cast<std::size_t>(i)]};
  }
  return requests;
}

}  // namespace

Volume StartedRequests::pass(const Event& event, const Volume& volume) {
  const std::uint32_t traits = event.function->traits;
  const bool is_persistent = (traits & trace::traits::kPersistent) != 0;
  if (is_persistent || (traits & trace::traits::kNonblocking)) {
    pending_.push_back({volume, is_persistent});
    return is_persistent ? Volume() : volume;
  }
  Volume started = volume;
  if (traits & trace::traits::kStart) {
    for (const std::int64_t age : requests_of(event)) {
      if (age >= 0 && age < std::ssize(pending_))
        started += pending_[pending_.size() - 1 - age].volume;
    }
  } else if (event.function->ends_requests) {
    std::vector<std::int64_t> ages = completed(event);
    std::ranges::sort(ages, std::greater<>());  // the oldest first: the younger keep their ages
    for (const std::int64_t age : ages) {
      if (age < 0 || age >= std::ssize(pending_)) continue;
      const auto at = pending_.end() - 1 - age;
      if (!at->is_persistent || (traits & trace::traits::kFree)) pending_.erase(at);
    }
  }
  return started;
}

}  // namespace reprise::analyze
