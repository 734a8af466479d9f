#include "report/engine/simulated_run.hpp"

#include <algorithm>

namespace reprise::report {

using simulate::Flight;
using simulate::Interval;

namespace {

constexpr std::size_t kSpansOfSum = 16;  // from one sum that is kept to the next

// Adds what was done during the span before `until`. REQUIRES: until >= s.begin.
void add_span(const Span& s, Picoseconds until, const CallKinds& kinds, Shares& out) {
  const bool is_selected = kinds.selected[s.call];
  out.add(Kind::compute, std::min(until, s.enters()) - s.begin, is_selected);
  if (until > s.enters())
    out.add(kinds.kinds[s.call], std::min(until, s.end()) - s.enters(), is_selected);
}

}  // namespace

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

void SimulatedRun::list(std::uint64_t stream, Picoseconds from, Picoseconds to,
                        SpanList& out) const {
  if (has_too_many_spans_) return;
  const std::vector<Span>& spans = spans_[stream];
  auto at = std::ranges::lower_bound(spans, from, {}, &Span::end);
  for (; at != spans.end() && at->begin < to && !out.is_full(); ++at) out.add(*at);
}

Shares SimulatedRun::shares_until(std::uint64_t stream, Picoseconds t, const CallKinds& kinds) {
  Shares out;
  if (has_too_many_spans_) return out;
  const std::vector<Span>& spans = spans_[stream];
  sums_.resize(spans_.size());
  std::vector<Shares>& sums = sums_[stream];
  if (sums.empty()) {
    for (std::size_t k = 0; k < spans.size(); ++k) {
      if (k % kSpansOfSum == 0) sums.push_back(out);
      add_span(spans[k], spans[k].end(), kinds, out);
    }
  }
  const auto behind = std::ranges::lower_bound(spans, t, {}, &Span::begin);
  if (behind == spans.begin()) return {};
  const std::size_t last = static_cast<std::size_t>(behind - spans.begin()) - 1;
  out = sums[last / kSpansOfSum];
  for (std::size_t k = last - last % kSpansOfSum; k <= last; ++k)
    add_span(spans[k], k < last ? spans[k].end() : t, kinds, out);
  return out;
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
