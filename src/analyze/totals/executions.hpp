// How often the nodes of a trace are executed, by sums over the series of trips.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "trace/cursors/executions.hpp"
#include "trace/program.hpp"
#include "trace/values/stream_classes.hpp"

namespace reprise::analyze {

using trace::executions;
using trace::trips_of;

// How often streams execute nodes, counted once for all streams that make the same trips.
// REQUIRES: the trace outlives it and does not change.
class Executions {
 public:
  explicit Executions(const trace::Trace& trace);

  // How often a stream comes by an item, and so asks how many trips to make.
  std::uint64_t of(const trace::Item& item, std::uint64_t stream);
  // How often it executes a call.
  std::uint64_t of(std::uint32_t call, std::uint64_t stream);
  // A stream that does so most often. Cost: O(classes of streams).
  std::uint64_t busiest(const trace::Item& item);
  std::uint64_t busiest(std::uint32_t call);

  // The streams that come by an item, and those that ever make a trip there, in order.
  // Cost: O(classes of streams x terms + streams).
  std::vector<std::uint64_t> coming(const trace::Item& item);
  std::vector<std::uint64_t> entering(const trace::Item& item);

  // Streams of one class make the same trips everywhere.
  std::uint32_t class_of(std::uint64_t stream) const { return classes_.class_of()[stream]; }
  // One of each class of streams that make the same trips everywhere.
  const std::vector<std::uint64_t>& representatives() const { return representatives_; }

 private:
  struct Counts {
    std::vector<std::uint64_t> items, calls;
  };

  void add(const trace::Item& item);
  Counts& counts(std::uint64_t stream);
  std::vector<std::uint64_t> streams_where(const std::function<bool(std::uint64_t)>& holds) const;
  void count(const trace::Item& item, std::uint64_t stream, std::uint64_t passes,
             Counts& out) const;

  const trace::Trace& trace_;
  trace::StreamClasses classes_;
  std::vector<std::uint64_t> representatives_;                 // by class
  std::unordered_map<const trace::Item*, std::size_t> index_;  // in order of appearance
  std::vector<Counts> counted_;  // by class; empty before it is asked for
};

// The least and the greatest number of trips that anybody makes in one pass.
struct Bounds {
  std::int64_t min = 0, max = 0;
};
Bounds trip_bounds(const trace::Trace& trace, const trace::Item& item, Executions& executions);

}  // namespace reprise::analyze
