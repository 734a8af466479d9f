#include "report/engine/simulated_run.hpp"

#include <algorithm>

namespace reprise::report {

using simulate::Flight;
using simulate::Interval;

void SimulatedRun::computes(std::uint64_t stream, Interval during) { computed_[stream] = during; }

void SimulatedRun::calls(std::uint64_t stream, mpi::SiteId call, Interval during) {
  if (count_ == kMostSpans) {
    has_too_many_spans_ = true;
    spans_.clear();
  }
  if (has_too_many_spans_) return;
  ++count_;
  const Interval computed = computed_[stream];
  spans_[stream].push_back(
      {mpi::number_of(call), computed.from, during.from - computed.from, during.to - during.from});
}

void SimulatedRun::message(const Flight& flight) {
  const std::pair pair(flight.sender, flight.receiver);
  if (auto known = traffic_.find(pair); known != traffic_.end() || traffic_.size() < kMostPairs) {
    Traffic& t = traffic_[pair];
    ++t.messages;
    t.bytes += static_cast<std::uint64_t>(std::max<std::int64_t>(0, flight.bytes));
  } else {
    has_too_many_pairs_ = true;
  }
  if (flights_.size() < kMostFlights) {
    flights_.push_back(flight);
  } else {
    has_too_many_flights_ = true;
  }
}

void SimulatedRun::visit(std::uint64_t stream, Picoseconds from, Picoseconds to,
                         Visitor& visitor) const {
  if (has_too_many_spans_) return;
  const std::vector<Span>& spans = spans_[stream];
  auto at = std::ranges::lower_bound(spans, from, {}, &Span::end);
  for (; at != spans.end() && at->begin < to && !visitor.is_full(); ++at) visitor.span(*at);
}

std::vector<CallTime> SimulatedRun::until(std::uint64_t stream, Picoseconds t,
                                          std::size_t calls) const {
  std::vector<CallTime> out(calls);
  if (has_too_many_spans_) return out;
  for (const Span& s : spans_[stream]) {
    if (s.begin >= t) break;
    CallTime& c = out[s.call];
    c.compute += std::min(s.compute, t - s.begin);
    if (s.enters() > t) continue;
    ++c.calls;
    c.communicate += std::min(s.communicate, t - s.enters());
  }
  return out;
}

}  // namespace reprise::report
