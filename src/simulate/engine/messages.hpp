// Engine: messages in transit. Included where an engine is made.
#pragma once

#include <algorithm>
#include <utility>

#include "simulate/engine/engine.hpp"

namespace reprise::simulate {

// When a receiver can know of a message.
template <class C>
C Engine<C>::envelope(const Message& m) const {
  if (machine_.occupies_processors()) return m.arrival;
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
  const bool awaits_receive_only = is_dimemas() || machine_.occupies_processors();
  if (awaits_receive_only && m.send != kNone) {
    // A sender waits for the receive, not for the bytes.
    const std::uint32_t send = std::exchange(m.send, kNone);
    requests_[send].message = kNone;
    complete(send, from, 0);
  }
  if (m.has_arrived) return finish(id);
  start_transfer(id, from);
}

// A transfer that may begin at `from`.
template <class C>
void Engine<C>::start_transfer(std::uint32_t id, const C& from) {
  Message& m = messages_[id];
  m.started = from.time;
  if (machine_.has_interfaces() || (machine_.has_contention() && m.where == Where::network)) {
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

// With contention: it requests links and a bus, and begins when it has them.
template <class C>
void Engine<C>::begin_transfer(std::uint32_t id, const C& from) {
  if (machine_.has_interfaces()) return leave(id, from);
  const Channel& c = messages_[id].channel;
  starting_.clear();
  fabric_.ask(id, node_[c.source], node_[c.receiver], from, starting_);
  begin_transfers();
}

template <class C>
void Engine<C>::begin_transfers() {
  for (const auto& [id, when] : starting_) {
    if (id & kAllBuses) {
      begin_gathering(id, when);
      continue;
    }
    Message& m = messages_[id];
    m.started = when.time;
    m.arrival = when;
    m.arrival.transfer(rates_, m.where, m.bytes, m.call);
    push_event(m.arrival.time, kTransferEnds, id);
  }
}

template <class C>
void Engine<C>::end_transfer(std::uint32_t id) {
  starting_.clear();
  fabric_.end(id, messages_[id].arrival, starting_);
  begin_transfers();
  Message& m = messages_[id];
  if (!is_dimemas()) m.arrival.latency(rates_, m.where, m.call);
  m.has_arrived = true;
  if (m.receive != kNone) finish(id);
}

// Until its last byte has passed, and a gap behind it. The first byte takes no time of its own.
template <class C>
void Engine<C>::occupy(C& interface, const Message& m, const C& from) const {
  interface = from;
  interface.transfer(rates_, m.where, bytes_behind_first(m.bytes), m.call);
  interface.spend(machine_.gap, m.call);
}

// A message leaves its sender when the interface is free.
template <class C>
void Engine<C>::leave(std::uint32_t id, C from) {
  Message& m = messages_[id];
  C& interface = leaves_[m.channel.source];
  from.raise(interface);
  occupy(interface, m, from);
  m.started = from.time;
  m.arrival = from;
  m.arrival.latency(rates_, m.where, m.call);
  push_event(m.arrival.time, kReaches, id);
}

// loggops: it left when its sender began to send it, and its first byte follows the overhead.
template <class C>
void Engine<C>::depart(std::uint32_t id, Task& sender) {
  Message& m = messages_[id];
  occupy(leaves_[sender.rank], m, sender.clock);
  m.started = sender.clock.time;
  start_up(sender.clock, m.where, m.call);
  m.ready = m.arrival = sender.clock;
  m.arrival.latency(rates_, m.where, m.call);
  sender.clock.spend(rates_.overhead_of(bytes_behind_first(m.bytes)), m.call);
  occupy_processor(sender);
}

// loggops: its first byte has come, and it is taken in when processor and interface are free.
template <class C>
void Engine<C>::take_in(const Event& event) {
  Message& m = messages_[event.id];
  C& processor = processors_[m.channel.receiver];
  C& interface = enters_[m.channel.receiver];
  const Picoseconds came = m.arrival.time;
  m.arrival.raise(processor);
  m.arrival.raise(interface);
  if (m.arrival.time > came) return events_.push({m.arrival.time, kReaches, event.order, event.id});
  m.ready = m.arrival;
  occupy(interface, m, m.arrival);
  m.arrival.spend(machine_.overhead, m.call);
  const std::int64_t bytes = bytes_behind_first(m.bytes);
  const Picoseconds overhead = rates_.overhead_of(bytes);
  if (overhead > rates_.time_of(m.where, bytes)) {
    m.arrival.spend(overhead, m.call);
  } else {
    m.arrival.transfer(rates_, m.where, bytes, m.call);
  }
  processor = m.arrival;
  m.has_arrived = true;
  arrive(event.id);
}

// Its first byte has come, and enters when the interface is free.
template <class C>
void Engine<C>::reach(const Event& event) {
  if (machine_.occupies_processors()) return take_in(event);
  const std::uint32_t id = event.id;
  Message& m = messages_[id];
  C& interface = enters_[m.channel.receiver];
  m.arrival.raise(interface);
  occupy(interface, m, m.arrival);
  m.arrival.transfer(rates_, m.where, bytes_behind_first(m.bytes), m.call);
  m.has_arrived = true;
  if (m.receive != kNone) finish(id);
}

// The message has arrived, and both ends are notified.
template <class C>
void Engine<C>::finish(std::uint32_t id) {
  Message& m = messages_[id];
  const Picoseconds wire = m.arrival.time - m.started;
  if (options_.observer) {
    options_.observer->message(
        {m.channel.source, m.sent, m.channel.receiver, m.arrival.time, m.bytes});
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

}  // namespace reprise::simulate
