#include "transform/walk/exchange.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "trace/values/special.hpp"
#include "transform/walk/rank_walk.hpp"
#include "transform/walk/waits.hpp"

namespace reprise::transform {

Exchange::Exchange(const trace::Trace& trace, const ScheduleOptions& options)
    : choices_(options.choices), log_(options.log), is_resolving_(options.resolved == nullptr) {
  if (log_) log_->wildcards.resize(trace.ranks);
  for (const trace::Call& call : trace.calls) wild_.push_back(may_be_wild(call));
  for (std::uint64_t r = 0; r < trace.ranks; ++r) {
    ranks_.push_back(std::make_unique<RankWalk>(
        trace, r, wild_, options.resolved ? &(*options.resolved)[r] : nullptr, options, names_,
        *this));
  }
}

Exchange::~Exchange() = default;

bool Exchange::run(std::uint64_t rank) { return ranks_[rank]->run(); }

std::uint32_t Exchange::mailbox_of(std::uint64_t group, std::uint64_t side, mpi::Rank rank) {
  const std::uint64_t key = combine(combine(group, side), static_cast<std::uint64_t>(rank));
  const auto [entry, is_new] =
      mailbox_index_.try_emplace(key, static_cast<std::uint32_t>(mailboxes_.size()));
  if (is_new) mailboxes_.emplace_back();
  if (is_new && log_) {
    log_->boxes.emplace_back();
    chosen_.emplace_back();
  }
  return entry->second;
}

// REQUIRES: the operation is not done yet.
void Exchange::complete(std::uint32_t number) {
  Operation& o = operations_[number];
  o.done = true;
  if (o.is_awaited && ranks_[o.rank]->note_done()) unblocked_.push_back(o.rank);
}

void Exchange::meet(std::uint32_t number, Envelope message) {
  const Operation& o = operations_[number];
  if (log_) note_met(o, message);
  if (!o.is_wild || !is_resolving_) return;
  ResolutionBuilder& builder = ranks_[o.rank]->builder();
  builder.meet(o.place, message);
  if (!o.is_persistent) builder.close(o.place);
}

std::uint32_t Exchange::send(std::uint64_t rank, const mpi::Group& group, const Outgoing& sent) {
  const mpi::Side side = directory_.peers_of(group);
  const Envelope envelope{group.rank, sent.tag};
  const std::uint32_t box = mailbox_of(group.key, side.side, sent.dest);
  const std::uint32_t message = operations_.add({.kind = Operation::Kind::message,
                                                 .uses = 1,
                                                 .rank = rank,
                                                 .envelope = envelope,
                                                 .place = {},
                                                 .mailbox = box,
                                                 .group = group.key,
                                                 .members = group.members,
                                                 .side = side.side,
                                                 .peer = mpi::number_of(sent.dest)});
  if (log_) {
    log_->boxes[box].sent.insert(envelope);
    log_->boxes[box].has_unbuffered |= !sent.is_buffered;
  }
  if (const auto waiting = mailboxes_[box].receive_for(envelope)) {
    mailboxes_[box].receives.pop(waiting->envelope);
    meet(waiting->entry.operation, envelope);
    complete(waiting->entry.operation);
    operations_.drop_use(waiting->entry.operation);
    complete(message);
    return message;
  }
  if (sent.is_buffered) complete(message);
  ++operations_[message].uses;
  mailboxes_[box].messages.add(envelope, message, order_++);
  serve_probes(box);
  return message;
}

void Exchange::choose(Operation& wanted) {
  log_->boxes[wanted.mailbox].received.insert(wanted.envelope);
  wanted.posted = order_++;
  if (wanted.envelope.source != trace::kAnySource) return;
  auto& own = log_->wildcards[wanted.rank];
  wanted.wildcard = static_cast<std::uint32_t>(own.size());
  own.push_back({.call = wanted.call,
                 .mailbox = wanted.mailbox,
                 .tag = wanted.envelope.tag,
                 .took = {},
                 .is_chosen = false});
  if (!choices_ || wanted.wildcard >= (*choices_)[wanted.rank].size()) return;
  const std::int64_t source = (*choices_)[wanted.rank][wanted.wildcard];
  own.back().is_chosen = source != trace::kAnySource;
  if (own.back().is_chosen) wanted.envelope.source = source;
}

void Exchange::note_chosen(std::uint32_t receive) {
  const Operation& o = operations_[receive];
  if (o.wildcard != Operation::kNamed && log_->wildcards[o.rank][o.wildcard].is_chosen)
    chosen_[o.mailbox].push_back(receive);
}

// A wildcard posted earlier that waits for a chosen message could have taken this one.
void Exchange::note_met(const Operation& o, Envelope message) {
  if (o.kind != Operation::Kind::receive && o.kind != Operation::Kind::taking_probe) return;
  if (o.wildcard != Operation::kNamed) log_->wildcards[o.rank][o.wildcard].took = message.source;
  std::erase_if(chosen_[o.mailbox], [&](std::uint32_t r) {
    const Operation& earlier = operations_[r];
    return earlier.rank != o.rank || earlier.done || &earlier == &o;
  });
  log_->is_uncertain |= std::ranges::any_of(chosen_[o.mailbox], [&](std::uint32_t r) {
    const std::int64_t tag = operations_[r].envelope.tag;
    if (operations_[r].posted > o.posted) return false;
    return tag == trace::kAnyTag || tag == message.tag;
  });
}

std::uint32_t Exchange::receive(Operation wanted, const mpi::Group& group) {
  wanted.kind = Operation::Kind::receive;
  wanted.uses = 1;
  wanted.group = group.key;
  wanted.members = group.members;
  wanted.side = directory_.peers_of(group).side;
  wanted.mailbox = mailbox_of(group.key, group.side, mpi::Rank{group.rank});
  if (log_) choose(wanted);
  const std::uint32_t receive = operations_.add(wanted);
  Mailbox& box = mailboxes_[wanted.mailbox];
  const auto message = box.messages.oldest_for(wanted.envelope);
  if (!message) {
    ++operations_[receive].uses;
    box.receives.add(wanted.envelope, receive, order_++);
    if (log_) note_chosen(receive);
    return receive;
  }
  box.messages.pop(message->envelope);
  if (!operations_[message->entry.operation].done) complete(message->entry.operation);
  operations_.drop_use(message->entry.operation);
  meet(receive, message->envelope);
  complete(receive);
  return receive;
}

std::uint32_t Exchange::probe(Operation wanted, const mpi::Group& group) {
  wanted.uses = 2;
  wanted.group = group.key;
  wanted.members = group.members;
  wanted.side = directory_.peers_of(group).side;
  wanted.mailbox = mailbox_of(group.key, group.side, mpi::Rank{group.rank});
  const std::uint32_t probe = operations_.add(wanted);
  mailboxes_[wanted.mailbox].probes.push_back(probe);
  serve_probes(wanted.mailbox);
  return probe;
}

void Exchange::serve_probes(std::uint32_t number) {
  Mailbox& box = mailboxes_[number];
  std::erase_if(box.probes, [&](std::uint32_t p) {
    if (operations_[p].done) return operations_.drop_use(p), true;
    const auto message = box.messages.oldest_for(operations_[p].envelope);
    if (!message) return false;
    if (operations_[p].kind == Operation::Kind::taking_probe) {
      box.messages.pop(message->envelope);
      if (!operations_[message->entry.operation].done) complete(message->entry.operation);
      operations_.drop_use(message->entry.operation);
    }
    meet(p, message->envelope);
    complete(p);
    operations_.drop_use(p);
    return true;
  });
}

void Exchange::cancel(std::uint32_t number) {
  Operation& o = operations_[number];
  if (o.done || o.kind == Operation::Kind::collective) return;
  Mailbox& box = mailboxes_[o.mailbox];
  (o.kind == Operation::Kind::message ? box.messages : box.receives).remove(o.envelope, number);
  complete(number);
  operations_.drop_use(number);
}

std::uint32_t Exchange::arrive(std::uint64_t rank, const mpi::Group& group, std::uint64_t position,
                               std::uint32_t call) {
  const std::uint32_t arrival = operations_.add({.kind = Operation::Kind::collective,
                                                 .uses = 1,
                                                 .rank = rank,
                                                 .envelope = {},
                                                 .place = {},
                                                 .group = group.key,
                                                 .members = group.members,
                                                 .call = call,
                                                 .position = position});
  const std::uint64_t key = meeting_key(group.key, position);
  std::vector<std::uint32_t>& meeting = meetings_[key];
  meeting.push_back(arrival);
  ++operations_[arrival].uses;
  const std::int64_t members = directory_.members(group);
  if (members == 0 || std::ssize(meeting) < members) return arrival;
  const std::vector<std::uint32_t> all = std::move(meeting);
  meetings_.erase(key);
  for (const std::uint32_t o : all) {
    complete(o);
    operations_.drop_use(o);
  }
  return arrival;
}

std::optional<std::uint64_t> Exchange::waits_for(std::uint64_t rank) const {
  if (!ranks_[rank]->is_blocked()) return std::nullopt;
  const Operation& o = operations_[ranks_[rank]->blocker()];
  if (o.kind == Operation::Kind::collective || o.peer == trace::kAnySource) return std::nullopt;
  return directory_.find({o.members, o.side}, mpi::Rank{o.peer});
}

// A message that was assumed to be buffered is not, since its rank waits for it. It is done when it
// is received.
void Exchange::expect_receiver(std::uint32_t message) {
  Operation& o = operations_[message];
  if (o.kind == Operation::Kind::message && o.uses == 2) o.done = false;
}

Scheduled Exchange::finish() {
  Scheduled out;
  for (const auto& r : ranks_) out.calls += r->calls();
  if (std::ranges::any_of(ranks_, [](const auto& r) { return r->is_blocked(); })) {
    out.deadlock = Waits(ranks_, operations_, directory_, meetings_).deadlock();
    return out;
  }
  if (!is_resolving_) return out;
  for (const auto& r : ranks_) {
    out.resolutions.push_back(r->builder().finish());
    out.counts += r->builder().counts();
  }
  return out;
}

}  // namespace reprise::transform
