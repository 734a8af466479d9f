// A simulated run over time: every call of every stream, and the messages between ranks.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "report/engine/recorded_run.hpp"
#include "simulate/results/result.hpp"

namespace reprise::report {

// Messages from one rank to another.
struct Traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

class SimulatedRun : public simulate::Observer {
 public:
  // What is kept at most; what is beyond is counted, and the run is not whole then.
  static constexpr std::size_t kMostSpans = 4'000'000;
  static constexpr std::size_t kMostFlights = 1'000'000;
  static constexpr std::size_t kMostPairs = 2'000'000;

  explicit SimulatedRun(std::uint64_t streams) : spans_(streams), computed_(streams) {}

  void computes(std::uint64_t stream, simulate::Interval during) override;
  void calls(std::uint64_t stream, mpi::SiteId call, simulate::Interval during) override;
  void message(const simulate::Flight& flight) override;

  // Keeps nothing: the run is known to be too long.
  void leave_out() { has_too_many_spans_ = has_too_many_flights_ = has_too_many_pairs_ = true; }

  bool has_all_spans() const { return !has_too_many_spans_; }
  bool has_all_flights() const { return !has_too_many_flights_; }
  bool has_all_pairs() const { return !has_too_many_pairs_; }
  // Adds what lies in [from, to), or overlaps it.
  void list(std::uint64_t stream, Picoseconds from, Picoseconds to, SpanList& out) const;
  // What was done before `t`, by kind. Cost: O(log(calls of the stream)), once its sums are known.
  Shares shares_until(std::uint64_t stream, Picoseconds t, const CallKinds& kinds);
  // Call when other calls are selected, whose time is among the sums.
  void forget_sums() { sums_.clear(); }
  // What was done before `t`, by call. Cost: O(calls before).
  std::vector<CallTime> until(std::uint64_t stream, Picoseconds t, std::size_t calls) const;
  // By which streams the critical path goes, in order; empty if it is too long.
  void set_route(std::vector<simulate::RoutePart> route) { route_ = std::move(route); }
  const std::vector<simulate::RoutePart>& route() const { return route_; }
  const std::vector<simulate::Flight>& flights() const { return flights_; }
  // By sender and receiver.
  const std::map<std::pair<std::uint32_t, std::uint32_t>, Traffic>& traffic() const {
    return traffic_;
  }

 private:
  std::vector<std::vector<Span>> spans_;      // by stream, in order
  std::vector<simulate::Interval> computed_;  // by stream, before its next call
  // By stream: what was done before each 16th span.
  std::vector<std::vector<Shares>> sums_;
  std::size_t count_ = 0;
  std::vector<simulate::Flight> flights_;
  std::vector<simulate::RoutePart> route_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Traffic> traffic_;
  bool has_too_many_spans_ = false, has_too_many_flights_ = false, has_too_many_pairs_ = false;
};

}  // namespace reprise::report
