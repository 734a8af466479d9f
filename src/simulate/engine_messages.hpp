// Engine: messages on their way, and meetings. Included where an engine is made.
#pragma once

#include <algorithm>
#include <bit>

#include "base/hash.hpp"
#include "simulate/engine.hpp"

namespace reprise::simulate {

// When a receiver can know of a message.
template <class C>
C Engine<C>::envelope(const Message& m) const {
  C out = m.ready;
  if (!is_dimemas()) out.latency(rates_, m.where, m.call);
  return out;
}

template <class C>
void Engine<C>::arrive(std::uint32_t id) {
  const Channel channel = messages_[id].channel;
  const std::uint32_t receive = matcher_.arrive(channel, id);
  if (receive != Matcher::kNone) return match(id, receive);
  const auto probing = probing_.find(channel.receiver);
  if (probing == probing_.end()) return;
  for (const std::uint32_t task : probing->second) wake(task);
  probing_.erase(probing);
}

template <class C>
void Engine<C>::match(std::uint32_t id, std::uint32_t receive) {
  Message& m = messages_[id];
  Request& r = requests_[receive];
  m.receive = receive;
  r.is_met = true;
  r.where = m.where;
  if (options_.observer) options_.observer->meets(receive, m.channel);
  if (m.is_eager) {
    if (m.has_arrived) finish(id);
    return;
  }
  C from = m.ready;
  from.raise(r.posted);
  start_transfer(id, from);
}

// A transfer that may begin at `from`.
template <class C>
void Engine<C>::start_transfer(std::uint32_t id, const C& from) {
  Message& m = messages_[id];
  m.started = from.time;
  if (machine_.has_contention() && m.where == Where::network && m.bytes > 0) {
    m.arrival = from;
    push_event(std::max(now_, from.time), kTransferReady, id);
    return;
  }
  m.arrival = from;
  if (!is_dimemas()) m.arrival.latency(rates_, m.where, m.call);
  m.arrival.transfer(rates_, m.where, m.bytes, m.call);
  m.has_arrived = true;
  if (m.receive != kNone) finish(id);
}

// With contention: it asks for links and a bus, and begins when it has them.
template <class C>
void Engine<C>::begin_transfer(std::uint32_t id, const C& from) {
  std::vector<typename Fabric<C>::Transfer> starting;
  const Channel& c = messages_[id].channel;
  fabric_.ask({id, node_[c.source], node_[c.receiver], from}, starting);
  for (const auto& t : starting) {
    Message& m = messages_[t.message];
    m.started = t.ready.time;
    m.arrival = t.ready;
    m.arrival.transfer(rates_, m.where, m.bytes, m.call);
    push_event(m.arrival.time, kTransferEnds, t.message);
  }
}

template <class C>
void Engine<C>::end_transfer(std::uint32_t id) {
  const Channel c = messages_[id].channel;
  std::vector<typename Fabric<C>::Transfer> starting;
  fabric_.end(node_[c.source], node_[c.receiver], messages_[id].arrival, starting);
  for (const auto& t : starting) {
    Message& m = messages_[t.message];
    m.started = t.ready.time;
    m.arrival = t.ready;
    m.arrival.transfer(rates_, m.where, m.bytes, m.call);
    push_event(m.arrival.time, kTransferEnds, t.message);
  }
  Message& m = messages_[id];
  if (!is_dimemas()) m.arrival.latency(rates_, m.where, m.call);
  m.has_arrived = true;
  if (m.receive != kNone) finish(id);
}

// The message is where it belongs, and both ends know.
template <class C>
void Engine<C>::finish(std::uint32_t id) {
  Message& m = messages_[id];
  const Picoseconds wire = m.arrival.time - m.started;
  if (options_.observer) {
    options_.observer->message(m.channel.source, m.ready.time, m.channel.receiver, m.arrival.time,
                               m.bytes);
  }
  const std::uint32_t send = m.send, receive = m.receive;
  const C arrival = m.arrival;
  messages_.drop(id);
  if (send != kNone) {
    requests_[send].message = kNone;
    complete(send, arrival, wire);
  }
  complete(receive, arrival, wire);
}

template <class C>
void Engine<C>::complete(std::uint32_t id, const C& when, Picoseconds wire) {
  Request& r = requests_[id];
  r.done = when;
  r.wire = wire;
  r.is_known = true;
  if (r.is_forgotten) return requests_.drop(id);
  if (r.waiter == kNone) return;
  const std::uint32_t waiter = r.waiter;
  r.waiter = kNone;
  wake(waiter);
}

template <class C>
void Engine<C>::meet(Task& task, const Action& action) {
  const MeetingCall& call = task.steps->meetings[action.first];
  const std::uint64_t key = combine(call.group, call.number) | 1;
  Meeting& m = meetings_[key];
  m.expected = call.expected;
  const std::uint32_t request = requests_.make();
  requests_[request].meeting = key;
  keep(task, action, request);
  m.requests.push_back(request);
  if (m.joined == 0) {
    m.latest = task.clock;
    m.least = call.sent;
  }
  m.latest.raise(task.clock);
  m.least = std::min(m.least, call.sent);
  m.most = std::max(m.most, call.sent);
  m.sum += call.sent;
  m.most_both = std::max(m.most_both, call.sent + call.received);
  m.is_remote |=
      where(m.joined == 0 ? task.rank : m.calls.front().rank, task.rank) == Where::network;
  ++m.joined;
  m.calls.push_back(call);
  m.calls.back().rank = task.rank;
  m.calls.back().call = task.call;
  if (m.joined < m.expected) return;
  Meeting over = std::move(m);
  meetings_.erase(key);
  conclude(over);
}

// Everybody has come: it takes as long as the model says, and what it makes is there.
template <class C>
void Engine<C>::conclude(Meeting& m) {
  const MeetingCall& first = m.calls.front();
  const auto n = static_cast<std::int64_t>(std::max<std::uint64_t>(1, m.joined));
  C done = m.latest;
  const Where where = m.is_remote ? Where::network : Where::memory;
  for (const Phase& phase : {first.cost.fan_in, first.cost.fan_out}) {
    std::int64_t steps = 0;
    switch (phase.steps) {
      case simulate::Steps::none: break;
      case simulate::Steps::constant: steps = 1; break;
      case simulate::Steps::linear: steps = n - 1; break;
      case simulate::Steps::logarithmic:
        steps = std::bit_width(static_cast<std::uint64_t>(n) - 1);
        break;
    }
    if (steps <= 0) continue;
    std::int64_t bytes = 0;
    switch (phase.size) {
      case SizeRule::min: bytes = m.least; break;
      case SizeRule::max: bytes = m.most; break;
      case SizeRule::mean: bytes = m.sum / n; break;
      case SizeRule::twice_max: bytes = 2 * m.most; break;
      case SizeRule::sent_and_received: bytes = m.most_both; break;
    }
    const std::uint32_t call = m.calls.back().call;
    done.latency(rates_, where, call, steps);
    done.transfer(rates_, where, bytes, call, steps);
  }
  form(m);
  const Picoseconds wire = done.time - m.latest.time;
  for (const std::uint32_t r : m.requests) {
    requests_[r].meeting = 0;
    complete(r, done, wire);
  }
}

template <class C>
void Engine<C>::form(Meeting& m) {
  std::vector<std::uint32_t> ranks;
  for (const MeetingCall& c : m.calls) ranks.push_back(c.rank);
  if (is_steady_wanted_) {
    for (const std::uint32_t r : ranks) components_.unite(ranks.front(), r);
  }
  const Makes makes = m.calls.front().makes;
  if (makes == Makes::nothing) return;
  regimes_.forget();
  if (makes == Makes::window || makes == Makes::file) {
    for (const MeetingCall& c : m.calls) {
      RankObjects& objects = objects_[c.rank];
      Place place{c.of, c.rank_in, 0};
      (makes == Makes::window) ? objects.set_window(c.made, place)
                               : objects.set_file(c.made, place);
    }
    return;
  }
  std::vector<Entry> entries;
  for (const MeetingCall& c : m.calls) entries.push_back(*c.entry);
  Formed formed = form_groups(entries, makes == Makes::inter_comm, next_group_);
  if (!formed.agrees) {
    fail(
        {"the ranks of a new communicator contradict each other (the trace is damaged, or calls "
         "that make communicators are not in it)"});
  }
  for (std::size_t i = 0; i < m.calls.size(); ++i) {
    if (!formed.groups[i]) continue;
    if (!m.calls[i].grid.dims.empty()) formed.groups[i]->grid = m.calls[i].grid;
    const std::uint32_t rank = m.calls[i].rank;
    objects_[rank].set_comm(entries[i].id, {formed.groups[i], entries[i].rank, 0});
    const auto awaiting = awaiting_comm_.find(rank);
    if (awaiting == awaiting_comm_.end()) continue;
    for (const std::uint32_t task : awaiting->second) wake(task);
    awaiting_comm_.erase(awaiting);
  }
}

}  // namespace reprise::simulate
