#include "extrapolate/verify/message_walk.hpp"

#include <algorithm>

#include "mpi/requests/matching.hpp"
#include "mpi/requests/pending.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {

using trace::Function;
using trace::Kind;
namespace traits = trace::traits;

namespace {}  // namespace

MessageWalk::MessageWalk(const trace::Trace& trace, const Communicators& communicators,
                         const mpi::TypeSizes& types, Budget& budget, Findings& findings)
    : trace_(trace),
      communicators_(communicators),
      budget_(budget),
      findings_(findings),
      types_(types),
      roles_(trace.calls.size()),
      asked_(trace.calls.size()) {
  prepare();
}

// A payload says which peer it is for.
std::vector<MessageWalk::Role> MessageWalk::roles_of(const Function& f) {
  std::vector<Role> out;
  // A message that is matched is received.
  const bool matches =
      (f.traits & traits::kProbe) && std::ranges::any_of(f.scalars, [](const trace::Column& c) {
        return c.kind == Kind::message;
      });
  const auto add = [&](Role role, trace::Direction direction) {
    for (const trace::Payload& p : f.payloads) {
      if (p.direction != direction || p.blocks != trace::Blocks::one || p.typed_each) continue;
      if (p.peer >= 0 && static_cast<std::size_t>(p.peer) != role.peer) continue;
      role.count = p.count;
      role.type = p.datatype;
    }
    out.push_back(role);
  };
  if (f.communicator < 0) return out;
  const auto sends = mpi::send_columns(f);
  if (sends && (f.traits & traits::kSend))
    add({.end = Message::End::sent, .peer = sends->dest, .tag = sends->tag},
        trace::Direction::sent);
  const auto receives = mpi::receive_columns(f);
  if (receives && ((f.traits & traits::kRecv) || matches)) {
    add({.end = Message::End::received, .peer = receives->source, .tag = receives->tag},
        trace::Direction::received);
  }
  return out;
}

void MessageWalk::prepare() {
  for (std::size_t c = 0; c < trace_.calls.size(); ++c) {
    const Function& f = trace::function(trace_.calls[c].function);
    roles_[c] = roles_of(f);
    if (roles_[c].empty()) continue;
    empty_ = false;
    if (f.traits & traits::kPersistent) {
      persistent_ = true;
      continue;
    }
    asked_[c] = asked_for(f);
  }
}

// Peers, tags, counts and datatypes, and the communicator.
std::vector<std::size_t> MessageWalk::asked_for(const Function& f) const {
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < f.scalars.size(); ++k) {
    const Kind kind = f.scalars[k].kind;
    if (kind == Kind::peer || kind == Kind::tag || kind == Kind::count || kind == Kind::datatype ||
        kind == Kind::comm) {
      out.push_back(k);
    }
  }
  return out;
}

bool MessageWalk::walk(const std::function<void(const Message&)>& visit) {
  const bool whole = visit_calls(trace_, asked_, budget_, [&](const Visit& v) { read(v, visit); });
  if (whole && persistent_) read_persistent(visit);
  return whole && budget_.left > 0;
}

void MessageWalk::read(const Visit& visit, const std::function<void(const Message&)>& out) {
  const trace::Call& call = trace_.calls[visit.call];
  const Function& f = trace::function(call.function);
  scalars_.assign(f.scalars.size(), 0);
  for (std::size_t i = 0; i < visit.values.size(); ++i) {
    scalars_[asked_[visit.call][i]] = visit.values[i];
  }
  const auto place =
      communicators_.find(scalars_[static_cast<std::size_t>(f.communicator)], visit.rank);
  for (std::size_t c = 0; c < scalars_.size() && place; ++c) {
    if (f.scalars[c].kind != Kind::peer) continue;
    scalars_[c] =
        trace::decode_rank(call.columns[c].encoding, scalars_[c], {place->rank, place->size});
  }
  for (const Role& role : roles_[visit.call]) {
    send_off(visit.call, visit.rank, visit.times, role, scalars_, out);
  }
}

// Each start of a request is a message: walked call by call.
void MessageWalk::read_persistent(const std::function<void(const Message&)>& out) {
  struct Made {
    std::uint32_t call = 0;
    std::vector<std::int64_t> scalars;
    std::uint64_t starts = 0;
  };
  std::vector<std::int64_t> scratch;
  const auto finish = [&](const Made& m, std::int64_t rank) {
    if (m.starts == 0) return;
    for (const Role& role : roles_[m.call]) {
      send_off(m.call, rank, m.starts, role, m.scalars, out);
    }
  };
  for (std::uint64_t r = 0; r < trace_.ranks; ++r) {
    const auto rank = static_cast<std::int64_t>(r);
    std::vector<Made> made;
    mpi::Pending<std::size_t> pending;  // 1 + index into `made`; 0: no message
    trace::Cursor cursor(trace_, r);
    while (cursor.next()) {
      if (!budget_.take(1)) return;
      const trace::Event& event = cursor.event();
      const std::uint32_t t = event.function->traits;
      if (t & (traits::kPersistent | traits::kNonblocking)) {
        const bool counts = (t & traits::kPersistent) && !roles_[event.call].empty();
        if (counts) made.push_back({event.call, event.scalars, 0});
        pending.add(counts ? made.size() : 0, (t & traits::kPersistent) != 0);
        continue;
      }
      if (t & traits::kStart) {
        for (const std::int64_t number : mpi::requests_of(event, scratch)) {
          if (const std::size_t* at = pending.at(number); at != nullptr && *at > 0) {
            ++made[*at - 1].starts;
          }
        }
      }
      pending.pass(event);
    }
    for (const Made& m : made) finish(m, rank);
  }
}

mpi::Bytes MessageWalk::bytes_of(const Role& role, std::span<const std::int64_t> scalars) const {
  if (role.count < 0 || role.type < 0) return mpi::Bytes::unknown();
  const std::int64_t count = scalars[static_cast<std::size_t>(role.count)];
  if (count < 0) return mpi::Bytes::unknown();
  return types_.of(count, mpi::TypeId{scalars[static_cast<std::size_t>(role.type)]});
}

void MessageWalk::send_off(std::uint32_t call, std::int64_t rank, std::uint64_t times,
                           const Role& role, std::span<const std::int64_t> scalars,
                           const std::function<void(const Message&)>& out) {
  const Function& f = trace::function(trace_.calls[call].function);
  const std::int64_t peer = scalars[role.peer];
  if (peer == trace::kProcNull) return;
  const std::int64_t comm = scalars[static_cast<std::size_t>(f.communicator)];
  const auto place = communicators_.find(comm, rank);
  if (!place) {
    findings_.leave_out("messages on communicators whose members are not known");
    return;
  }
  const bool is_sent = role.end == Message::End::sent;
  const bool is_any = !is_sent && peer == trace::kAnySource;
  if (!is_any && (peer < 0 || peer >= place->size)) {
    findings_.contradict(Rule::ranks, call,
                         {trace_.calls[call].function, rank, f.scalars[role.peer].name, peer},
                         " in a communicator of " + std::to_string(place->size));
    return;
  }
  const std::int64_t count = role.count < 0 ? 0 : scalars[static_cast<std::size_t>(role.count)];
  if (count < 0 && !trace::is_special(count)) {
    findings_.contradict(Rule::sizes, call,
                         {trace_.calls[call].function, rank,
                          f.scalars[static_cast<std::size_t>(role.count)].name, count},
                         "");
  }
  if (place->part == Place::kUnknown) return;
  out({role.end, call, rank, comm, place->part, is_sent ? place->rank : peer,
       is_sent ? peer : place->rank, scalars[role.tag], bytes_of(role, scalars), times});
}

}  // namespace reprise::extrapolate
