#include "convert/flat/calls.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "mpi/collectives.hpp"
#include "mpi/payloads/payload_sizes.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::convert {

using trace::Direction;
using trace::Event;
using trace::Kind;

namespace traits = trace::traits;

namespace {

constexpr std::int64_t kPerNanosecond = 1000;  // [ps]

bool has(const trace::Function& f, std::uint32_t trait) { return (f.traits & trait) != 0; }

// Whom the completions of an event met, one after the other.
class Matches {
 public:
  explicit Matches(const Event& event) : event_(event) {}

  struct Match {
    std::int64_t source = trace::kNone, tag = trace::kNone;
  };
  Match next() {
    const Match out{value("matched_source"), value("matched_tag")};
    ++index_;
    return out;
  }

 private:
  std::int64_t value(std::string_view name) const {
    const auto at = [&](const auto& columns) -> std::optional<std::size_t> {
      const auto found = std::ranges::find(columns, name, &trace::Column::name);
      if (found == columns.end()) return std::nullopt;
      return static_cast<std::size_t>(found - columns.begin());
    };
    if (const auto scalar = at(event_.function->scalars)) return event_.scalars[*scalar];
    const auto list = at(event_.function->lists);
    return list && index_ < event_.lists[*list].size() ? event_.lists[*list][index_] : trace::kNone;
  }

  const Event& event_;
  std::size_t index_ = 0;
};

bool is_wild(const FlatMessage& m) {
  return m.peer == trace::kAnySource || m.tag == trace::kAnyTag;
}

// Puts in whom the receive met. False: that is not known.
bool meet(const Matches::Match& match, FlatMessage& m) {
  if (match.source >= 0) m.peer = match.source;
  if (match.tag >= 0) m.tag = match.tag;
  return m.peer >= 0 && m.tag >= 0;
}

}  // namespace

const FlatCollective* collective_of(const FlatCall& call) {
  if (call.collective) return &*call.collective;
  for (const FlatCall::Started& s : call.started)
    if (s.collective) return &*s.collective;
  return nullptr;
}

FlatCalls::FlatCalls(const trace::Trace& trace, std::uint64_t rank,
                     const simulate::ComputeTimes& times, const FlatComms& comms,
                     mpi::GroupNames& names)
    : trace_(trace),
      rank_(rank),
      comms_(comms),
      cursor_(trace, rank),
      compute_(times, rank),
      durations_(trace.calls.size(), -1),
      groups_(names, trace::in_world(trace, rank)) {}

std::int64_t FlatCalls::mean_duration(std::uint32_t call) {
  std::int64_t& known = durations_[call];
  if (known >= 0) return known;
  known = 0;
  if (call >= trace_.times.size()) return known;
  const trace::DeltaTimes& times = trace_.times[call].communicate;
  const std::uint64_t n = times.classes.empty() ? 0 : times.count_of(rank_);
  if (n > 0) known = std::llround(times.sum_of(rank_) * kPerNanosecond / static_cast<double>(n));
  return known = std::max<std::int64_t>(0, known);
}

const FlatCall* FlatCalls::next() {
  if (!cursor_.next()) return nullptr;
  const Event& event = cursor_.event();
  call_ = {};
  call_.event = &event;
  time_ += std::max<std::int64_t>(0, compute_.next(event.call));
  call_.begin = time_ / kPerNanosecond;
  time_ += mean_duration(event.call);
  call_.end = time_ / kPerNanosecond;
  read_objects(event);
  if (has(*event.function, traits::kComplete | traits::kFree | traits::kCancel))
    read_completions(event);
  if (has(*event.function, traits::kStart)) read_starts(event);
  if (has(*event.function, traits::kSend | traits::kRecv)) read_messages(event);
  if (has_derivable_counts(*event.function)) read_collective(event);
  return &call_;
}

std::optional<FlatMessage> FlatCalls::message_of(const Event& event, Direction direction) {
  const trace::Function& f = *event.function;
  const auto payload = std::ranges::find(f.payloads, direction, &trace::Payload::direction);
  if (payload == f.payloads.end() || payload->peer < 0 || f.communicator < 0) return std::nullopt;
  const auto peer = static_cast<std::size_t>(payload->peer);
  const auto tag = std::find_if(f.scalars.begin() + payload->peer, f.scalars.end(),
                                [](const trace::Column& c) { return c.kind == Kind::tag; });
  if (tag == f.scalars.end()) return std::nullopt;
  FlatMessage out;
  out.peer = event.scalars[peer];
  out.comm = comms_.index(
      groups_.comm(mpi::CommId{event.scalars[static_cast<std::size_t>(f.communicator)]}));
  out.tag = event.scalars[static_cast<std::size_t>(tag - f.scalars.begin())];
  out.bytes = mpi::PayloadSizes(event, types_).block(&*payload).value_or(0);
  return out.peer == trace::kProcNull ? std::nullopt : std::optional(out);
}

void FlatCalls::start(Request& request) {
  request.number = requests_++;
  request.is_started = true;
  FlatCall::Started started{request.number, std::nullopt, request.collective};
  if (request.is_send) started.sent = request.message;
  if (request.message || request.collective) call_.started.push_back(started);
}

void FlatCalls::read_messages(const Event& event) {
  const trace::Function& f = *event.function;
  auto sent = message_of(event, Direction::sent);
  auto received = message_of(event, Direction::received);
  if (has(f, traits::kNonblocking | traits::kPersistent)) {
    Request request;
    request.is_send = sent.has_value();
    request.message = sent ? sent : received;
    request.is_wild = !sent && received && is_wild(*received);
    if (!has(f, traits::kPersistent)) start(request);
    pending_.add(std::move(request), has(f, traits::kPersistent));
    return;
  }
  if (received && is_wild(*received) && !meet(Matches(event).next(), *received)) received.reset();
  call_.sent = sent;
  call_.received = received;
}

void FlatCalls::read_starts(const Event& event) {
  std::vector<std::int64_t> scratch;
  for (const std::int64_t number : mpi::requests_of(event, scratch))
    if (Request* const request = pending_.at(number)) start(*request);
}

void FlatCalls::read_completions(const Event& event) {
  Matches matches(event);
  pending_.pass(event, [&](Request& request) {
    FlatCall::Completed completed{request.number, std::nullopt, request.collective, false};
    auto message = request.message;
    if (request.is_wild && message) {
      const Matches::Match match = matches.next();
      completed.is_cancelled = match.source == trace::kCancelled;
      if (!meet(match, *message)) message.reset();
    }
    if (!request.is_send) completed.received = message;
    const bool is_known = message || request.collective || completed.is_cancelled;
    if (std::exchange(request.is_started, false) && is_known) call_.completed.push_back(completed);
  });
}

void FlatCalls::read_collective(const Event& event) {
  const trace::Function& f = *event.function;
  const mpi::CommId id{event.scalars[static_cast<std::size_t>(f.communicator)]};
  const mpi::Group group = groups_.comm(id);
  FlatCollective out;
  out.comm = comms_.index(group);
  out.function = &f;
  if (const std::int64_t root = mpi::root_of(event); root >= 0) out.root = root;
  const CallLayout& layout =
      CallLayout::of(static_cast<trace::FunctionId>(&f - trace::functions().data()));
  if (group.is_known()) {
    const trace::Membership own{group.rank, group.size};
    out.bytes = bytes_of_counts(layout, event, own, types_);
    out.buffers = buffers_of_counts(layout, event, own, types_);
    out.is_root = out.root == group.rank;
  }
  if (!has(f, traits::kNonblocking)) {
    call_.collective = out;
    return;
  }
  Request request;
  request.collective = out;
  start(request);
  pending_.add(std::move(request), false);
}

void FlatCalls::read_objects(const Event& event) {
  const trace::Function& f = *event.function;
  if (has(f, traits::kFree) && !f.scalars.empty()) {
    const auto comm = std::ranges::find(f.scalars, Kind::comm, &trace::Column::kind);
    if (comm != f.scalars.end()) {
      const auto at = static_cast<std::size_t>(comm - f.scalars.begin());
      call_.freed = comms_.index(groups_.comm(mpi::CommId{event.scalars[at]}));
    }
  }
  groups_.learn(event);
  types_.learn(event);
  const auto made = trace::made_column(f, Kind::comm);
  if (!made || f.communicator < 0) return;
  const mpi::CommId parent{event.scalars[static_cast<std::size_t>(f.communicator)]};
  call_.made_on = comms_.index(groups_.comm(parent));
  if (trace::is_special(event.scalars[*made])) return;
  call_.made = comms_.index(groups_.comm(mpi::CommId{event.scalars[*made]}));
  // A request that MPI_Comm_idup makes is told of by no format.
  if (has(f, traits::kNonblocking)) pending_.add(Request{}, false);
}

}  // namespace reprise::convert
