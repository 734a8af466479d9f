// By which call each call is reached, and how often, as the loops of a trace tell: what its times
// are kept by (trace/times/times.hpp, `Path`).
//
// Streams with equal trips are counted once. Bodies with equal trips in every pass are counted for
// one pass and multiplied; each pass is examined only where trips vary.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "trace/program.hpp"
#include "trace/values/stream_classes.hpp"

namespace reprise::extrapolate {

// A call behind another: indices into Trace::calls; `from` is Path::kStart for the first.
struct Arrival {
  std::uint32_t to = 0;
  std::uint32_t from = trace::Path::kStart;

  auto operator<=>(const Arrival&) const = default;
};

using ArrivalCounts = std::map<Arrival, std::uint64_t>;

// Of one stream. Nothing if that takes more steps than any realistic trace needs. Cost: O(items),
// and O(passes) of bodies whose trips vary.
std::optional<ArrivalCounts> count_arrivals(const trace::Trace& trace, std::uint64_t stream);

struct Arrivals {
  std::vector<std::uint32_t> class_of;  // by stream: the class that makes the same trips
  std::vector<std::uint64_t> streams;   // the first of each class
  std::vector<ArrivalCounts> counts;    // by class
};

// Of all streams. Nothing if one takes too many steps, or if they make more than 2^60 calls in all.
// REQUIRES: calls and items are in place; times need not be.
std::optional<Arrivals> count_arrivals(const trace::Trace& trace);

// The order in which the calls of a stream are reached from others: for each of `calls` the number
// of `from` in its list, execution after execution. Nothing if the stream makes more than
// `most` calls. Cost: O(calls).
using PathNumbers = std::map<Arrival, std::int64_t>;
std::optional<std::vector<trace::Series>> order_of_arrivals(const trace::Trace& trace,
                                                            std::uint64_t stream,
                                                            const PathNumbers& numbers,
                                                            std::uint64_t most);

}  // namespace reprise::extrapolate
