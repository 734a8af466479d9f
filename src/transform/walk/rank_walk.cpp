#include "transform/walk/rank_walk.hpp"
#include "mpi/arguments.hpp"
#include "mpi/collectives.hpp"

#include <algorithm>
#include <iterator>

#include "base/hash.hpp"
#include "mpi/payloads/payload_sizes.hpp"
#include "mpi/requests/matching.hpp"
#include "trace/values/special.hpp"
#include "transform/collectives.hpp"

namespace reprise::transform {

using trace::Event;
namespace traits = trace::traits;

namespace {

// Starts of persistent collectives are numbered apart from the other collectives of their group.
constexpr std::uint64_t kStarted = std::uint64_t{1} << 63;

}  // namespace

RankWalk::RankWalk(const trace::Trace& trace, std::uint64_t rank, const std::vector<bool>& wild,
                   const Resolution* fixed, const ScheduleOptions& options, mpi::GroupNames& names,
                   Exchange& exchange)
    : rank_(rank),
      wild_(wild),
      is_fixed_(fixed != nullptr),
      eager_(options.eager),
      first_unfinished_(options.first_unfinished),
      exchange_(exchange),
      cursor_(trace, rank),
      groups_(names, trace::in_world(trace, rank)) {
  exchange.directory().add_predefined(groups_, rank);
  if (fixed == nullptr) return;
  for (const auto& [call, f] : *fixed) {
    fixed_[call] = {trace::SeriesCursor(f.sources), trace::SeriesCursor(f.tags)};
  }
}

std::uint32_t RankWalk::blocker() const {
  return *std::ranges::find_if(blockers_,
                               [&](std::uint32_t o) { return !exchange_.operation(o).done; });
}

std::vector<std::uint32_t> RankWalk::awaited() const {
  std::vector<std::uint32_t> out;
  std::ranges::copy_if(blockers_, std::back_inserter(out),
                       [&](std::uint32_t o) { return !exchange_.operation(o).done; });
  return out;
}

bool RankWalk::awaits_any() const {
  return is_unfinished() && mpi::returns_at_any(*cursor_.event().function);
}

bool RankWalk::run() {
  while (left_ == 0) {
    if (is_within_) end();
    if (!cursor_.next()) {
      has_ended_ = true;
      return !cursor_.damaged();
    }
    ++calls_;
    is_within_ = true;
    begin();
  }
  return true;
}

void RankWalk::begin() {
  const Event& e = cursor_.event();
  const std::uint32_t does = e.function->traits;
  is_finalized_ |= (does & traits::kFinalize) != 0;
  if (does & traits::kCreate) {
    groups_.learn(e);
    exchange_.directory().add_made(groups_, e, rank_);
  }
  if (eager_) types_.learn(e);
  if (mpi::is_collective(*e.function)) return collective();
  if (does & traits::kProbe) return probe(describe());
  if (does & (traits::kSend | traits::kRecv)) return communicate();
  if (does & (traits::kNonblocking | traits::kPersistent)) {
    return pending_.add({}, (does & traits::kPersistent) != 0);  // it blocks nobody
  }
  if (does & traits::kStart) {
    for (const std::int64_t number : mpi::requests_of(e, scratch_)) {
      if (Request* r = pending_.at(number)) activate(*r);
    }
  } else if (does & traits::kCancel) {
    for (const std::int64_t number : mpi::requests_of(e, scratch_)) {
      Request* r = pending_.at(number);
      if (r && r->operation != kNone) exchange_.cancel(r->operation);
    }
  } else if (does & traits::kComplete) {
    complete();
  }
}

// Ends the call that blocked the rank.
void RankWalk::end() {
  const Event& e = cursor_.event();
  is_within_ = false;
  for (std::size_t i = 0; i < blockers_.size(); ++i) {
    exchange_.operation(blockers_[i]).is_awaited = false;
    if (is_owned_[i]) exchange_.drop(blockers_[i]);
  }
  blockers_.clear();
  is_owned_.clear();
  if (!e.function->ends_requests) return;
  const bool is_freed = (e.function->traits & traits::kFree) != 0;
  pending_.pass(e, [&](Request& r) {
    if (is_freed && r.is_wild && r.is_persistent) builder_.close(r.place);
    drop(r);
  });
}

void RankWalk::drop(Request& request) {
  for (std::uint32_t* operation : {&request.operation, &request.received}) {
    if (*operation != kNone) exchange_.drop(*operation);
    *operation = kNone;
  }
}

// Whether the library takes over what the call sends. A size that is not known is taken for small.
bool RankWalk::fits_in_eager() const {
  const Event& e = cursor_.event();
  const auto sent =
      std::ranges::find(e.function->payloads, trace::Direction::sent, &trace::Payload::direction);
  if (!eager_ || sent == e.function->payloads.end()) return true;
  const mpi::Bytes bytes = mpi::PayloadSizes(e, types_).block(&*sent);
  return !bytes.is_known() || static_cast<std::uint64_t>(bytes.count()) <= *eager_;
}

// The message that a call sends, or the one that it takes.
RankWalk::Request RankWalk::describe() {
  const Event& e = cursor_.event();
  Request out;
  out.traits = e.function->traits;
  out.group = groups_.of(e);
  out.is_persistent = (out.traits & traits::kPersistent) != 0;
  const bool is_partitioned = (out.traits & traits::kPartitioned) != 0;
  if (out.traits & traits::kSend) {
    const mpi::SendColumns at = *mpi::send_columns(*e.function);
    out.peer = e.scalars[at.dest];
    out.tag = e.scalars[at.tag] + (is_partitioned ? mpi::kPartitionedTags : 0);
    out.is_buffered = !is_unfinished() && !(out.traits & traits::kSync) &&
                      ((out.traits & traits::kBuffered) || fits_in_eager());
  } else {
    describe_receive(out);
    if (is_partitioned) out.tag += mpi::kPartitionedTags;
  }
  return out;
}

void RankWalk::describe_receive(Request& out) {
  const Event& e = cursor_.event();
  const auto at = mpi::receive_columns(*e.function);
  // MPI_Mrecv: its message was taken when it was probed.
  out.peer = at ? e.scalars[at->source] : trace::kProcNull;
  out.tag = at ? e.scalars[at->tag] : 0;
  if (!wild_[e.call]) return;
  if (is_fixed_) {
    const auto found = fixed_.find(e.call);
    if (found == fixed_.end()) return;
    out.peer = found->second.sources.next();
    out.tag = found->second.tags.next();
    return;
  }
  if (!mpi::is_wild(e, *at)) return builder_.add(e.call, {out.peer, out.tag});
  if (out.peer == trace::kProcNull) return builder_.add(e.call, {out.peer, 0});
  out.is_wild = true;
  out.place = builder_.open(e.call, {out.peer, out.tag});
}

// Sends, receives and both; at once, or behind a request.
void RankWalk::communicate() {
  const std::uint32_t does = cursor_.event().function->traits;
  Request request = describe();
  if (does & traits::kPersistent) return pending_.add(request, true);
  Request other = request;
  if ((does & traits::kSend) && (does & traits::kRecv)) {
    other.traits &= ~traits::kSend;
    describe_receive(other);
    request.traits &= ~traits::kRecv;
    activate(other);
  }
  if (does & traits::kNonblocking) {
    activate(request);
    request.received = other.operation;
    return pending_.add(request, false);
  }
  own(other.operation);
  activate(request);
  own(request.operation);
}

void RankWalk::activate(Request& request) {
  drop(request);
  if (request.traits & traits::kCollective) {
    if (request.group.is_known())
      request.operation =
          exchange_.arrive(rank_, request.group,
                           combine(kStarted | request.position, ++request.starts), request.call);
    return;
  }
  if (!request.group.is_known() || request.peer == trace::kProcNull) return;
  if (request.traits & traits::kSend) {
    request.operation = exchange_.send(rank_, request.group,
                                       {mpi::Rank{request.peer}, request.tag, request.is_buffered});
  } else if (request.traits & traits::kRecv) {
    request.operation = exchange_.receive(wanted(request), request.group);
  }
}

Operation RankWalk::wanted(const Request& request) const {
  Operation out;
  out.rank = rank_;
  out.envelope = {request.peer, request.tag};
  out.peer = request.peer;
  out.is_wild = request.is_wild;
  out.is_persistent = request.is_persistent;
  out.place = request.place;
  out.call = cursor_.event().call;
  return out;
}

void RankWalk::probe(const Request& request) {
  if (!request.group.is_known() || request.peer == trace::kProcNull) return;
  Operation looked_for = wanted(request);
  const bool takes = mpi::scalar_named(cursor_.event(), "message") != trace::kNone;
  looked_for.kind = takes ? Operation::Kind::taking_probe : Operation::Kind::probe;
  own(exchange_.probe(looked_for, request.group));
}

void RankWalk::collective() {
  const Event& e = cursor_.event();
  const mpi::Group group = groups_.of(e);
  if (e.function->traits & traits::kPersistent) {
    Request request;
    request.traits = e.function->traits;
    request.is_persistent = true;
    request.group = group;
    request.call = e.call;
    if (group.is_known()) request.position = arrivals_[group.key]++;
    return pending_.add(request, true);
  }
  std::uint32_t arrival = kNone;
  if (group.is_known()) arrival = exchange_.arrive(rank_, group, arrivals_[group.key]++, e.call);
  if (e.function->traits & traits::kNonblocking) {
    Request request;
    request.operation = arrival;
    return pending_.add(request, false);
  }
  own(arrival);
}

void RankWalk::complete() {
  const Event& e = cursor_.event();
  const auto index = is_unfinished() ? std::nullopt : mpi::completed_index(e);
  const auto& numbers = mpi::requests_of(e, scratch_);
  bool is_any_done = false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (index && *index != i) continue;
    const Request* r = pending_.at(numbers[i]);
    if (!r) continue;
    const std::size_t before = blockers_.size();
    if (r->operation != kNone) {
      if (is_unfinished()) exchange_.expect_receiver(r->operation);
      wait_for(r->operation, false);
    }
    if (r->received != kNone) wait_for(r->received, false);
    const bool is_inactive = r->is_persistent && r->operation == kNone;
    is_any_done |= blockers_.size() == before && !is_inactive;
  }
  if (left_ > 0 && awaits_any()) left_ = is_any_done ? 0 : 1;
}

// Waits for an operation that only the present call uses.
void RankWalk::own(std::uint32_t operation) {
  if (operation != kNone) wait_for(operation, true);
}

void RankWalk::wait_for(std::uint32_t number, bool is_owned) {
  Operation& o = exchange_.operation(number);
  if (o.done && !is_owned) return;
  blockers_.push_back(number);
  is_owned_.push_back(is_owned);
  if (o.done || o.is_awaited) return;
  o.is_awaited = true;
  ++left_;
}

}  // namespace reprise::transform
