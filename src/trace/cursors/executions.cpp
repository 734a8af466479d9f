#include "trace/cursors/executions.hpp"

#include "trace/series/series_sum.hpp"

namespace reprise::trace {
namespace {

void count_item(const Item& item, std::uint64_t stream, std::uint64_t passes,
                std::vector<std::uint64_t>& out) {
  const std::uint64_t n = trips_of(item, stream, passes);
  if (n == 0) return;
  if (item.is_call()) out[item.call] += n;
  for (const Item& b : item.body) count_item(b, stream, n, out);
}

// The first of the passes, zero-based, in which a number of trips is reached.
// REQUIRES: it is in the last of them, and stays so.
template <class IsReached>
std::uint64_t first_pass(std::uint64_t passes, IsReached is_reached) {
  std::uint64_t first = 0, last = passes - 1;
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (is_reached(middle)) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

struct LastCall {
  std::uint64_t pass = 0;  // of the body around the item
  std::uint32_t call = 0;
};

// The last call within an item in the first `passes` passes of the body around it.
std::optional<LastCall> last_within(const Item& item, std::uint64_t stream, std::uint64_t passes) {
  const std::uint64_t trips = trips_of(item, stream, passes);
  if (trips == 0) return std::nullopt;
  std::optional<LastCall> last;
  if (item.is_call()) last = LastCall{trips - 1, item.call};
  for (const Item& b : item.body) {
    const auto here = last_within(b, stream, trips);
    if (here && (!last || here->pass >= last->pass)) last = here;
  }
  if (!last) return std::nullopt;
  // Until here it was the trip of the item.
  const std::uint64_t trip = last->pass;
  last->pass = first_pass(
      passes, [&](std::uint64_t pass) { return trips_of(item, stream, pass + 1) > trip; });
  return last;
}

}  // namespace

std::uint64_t trips_of(const Item& item, std::uint64_t stream, std::uint64_t passes) {
  const std::int64_t trips = sum_of(item.trips, stream, passes);
  return trips > 0 ? static_cast<std::uint64_t>(trips) : 0;
}

std::vector<std::uint64_t> executions(const Trace& trace, std::uint64_t stream) {
  std::vector<std::uint64_t> out(trace.calls.size(), 0);
  count_item(trace.root, stream, 1, out);
  return out;
}

std::optional<std::uint32_t> last_call(const Trace& trace, std::uint64_t stream) {
  const auto last = last_within(trace.root, stream, 1);
  return last ? std::optional(last->call) : std::nullopt;
}

}  // namespace reprise::trace
