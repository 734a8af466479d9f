#include "convert/perfetto/timeline.hpp"

namespace reprise::convert::perfetto {
namespace {

std::int64_t nanoseconds(simulate::Picoseconds time) {
  constexpr simulate::Picoseconds kPerNanosecond = 1000;
  return time / kPerNanosecond;
}

}  // namespace

Timeline::Timeline(const trace::Trace& trace, const std::string& path)
    : threads_(trace.threads), to_(trace, path) {}

void Timeline::computes(std::uint64_t stream, simulate::Interval during) {
  if (during.to > during.from) add_slice(stream, to_.begin_of_computation(stream), during);
}

void Timeline::calls(std::uint64_t stream, mpi::SiteId call, simulate::Interval during) {
  add_slice(stream, to_.begin_of_call(stream, number_of(call)), during);
}

void Timeline::message(const simulate::Flight& flight) {
  const std::uint64_t number = ++messages_;
  const std::uint64_t sender = flight.sender * threads_, receiver = flight.receiver * threads_;
  TrackEvent sent = to_.message(sender), received = to_.message(receiver);
  sent.begin_flow(number);
  sent.add_argument(Argument::peer, flight.receiver);
  sent.add_argument(Argument::bytes, flight.bytes);
  to_.add(sent, nanoseconds(flight.sent));
  received.end_flow(number);
  received.add_argument(Argument::peer, flight.sender);
  received.add_argument(Argument::bytes, flight.bytes);
  to_.add(received, nanoseconds(flight.received));
}

void Timeline::add_slice(std::uint64_t stream, const TrackEvent& begin, simulate::Interval during) {
  to_.add(begin, nanoseconds(during.from));
  to_.add(to_.end(stream), nanoseconds(during.to));
}

}  // namespace reprise::convert::perfetto
