// Engine: what each step does. Included where an engine is made.
#pragma once

#include <algorithm>

#include "simulate/engine.hpp"
#include "trace/requests.hpp"
#include "trace/special.hpp"

namespace reprise::simulate {

// False: the task has to wait, and takes the step again when it is woken.
template <class C>
bool Engine<C>::take(Task& task, const Action& action) {
  using Do = Action::Do;
  switch (action.what) {
    case Do::send: send(task, action); return true;
    case Do::receive: receive(task, action); return true;
    case Do::null: keep(task, action, kNone); return true;
    case Do::wait_inner:
      for (; task.waited < task.inner.size(); ++task.waited) {
        if (!wait(task, task.inner[task.waited])) return false;
        requests_.drop(task.inner[task.waited]);
      }
      task.inner.clear();
      task.waited = 0;
      return true;
    case Do::wait: {
      PendingRequests::Entry* e = entry(task, action.number);
      if (!e || e->request == PendingRequests::kInactive) return true;
      if (e->is_cancelled) withdraw(*e, task.clock);
      return e->request == PendingRequests::kInactive || wait(task, e->request);
    }
    case Do::wait_any: return wait_any(task, action);
    case Do::retire: retire(task, action); return true;
    case Do::withdraw:
      if (PendingRequests::Entry* e = entry(task, action.number)) e->is_cancelled = true;
      return true;
    case Do::start: start(task, action); return true;
    case Do::free: forget(task, action); return true;
    case Do::probe:
    case Do::match: return probe(task, action);
    case Do::claim: claim(task, action); return true;
    case Do::meet: meet(task, action); return true;
    case Do::spend: {
      const Picoseconds before = task.clock.time;
      task.clock.spend(action.bytes, task.call);
      if (task.is_stream) account(task).transfer += task.clock.time - before;
      return true;
    }
    case Do::fork: fork(task, action); return true;
    case Do::put: put(task, action); return true;
    case Do::settle: settle(task, action.number); return true;
  }
  return true;
}

// The requests of a completion are no longer pending, or inactive if they are persistent.
template <class C>
void Engine<C>::retire(Task& task, const Action& action) {
  const auto one = [&](std::int64_t number) {
    PendingRequests::Entry* e = entry(task, number);
    if (!e) return;
    if (e->request != PendingRequests::kInactive) requests_.drop(e->request);
    e->request = PendingRequests::kInactive;
    e->is_cancelled = false;
    e->is_gone = !e->is_persistent;
  };
  if (action.count == 0) one(action.number);
  for (std::uint32_t i = 0; i < action.count; ++i) one(task.steps->numbers[action.first + i]);
  // What another thread has ended stays in its maker's numbers for a while.
  const bool is_foreign = action.count == 0 && action.number < 0;
  if (!is_foreign) streams_[task.stream].pending.tidy();
  for (std::uint64_t t = 0; trace_.threads > 1 && t < trace_.threads; ++t)
    streams_[task.rank * trace_.threads + t].pending.tidy_oldest();
}

template <class C>
void Engine<C>::forget(Task& task, const Action& action) {
  PendingRequests::Entry* e = entry(task, action.number);
  if (!e) return;
  if (e->request != PendingRequests::kInactive) {
    Request& r = requests_[e->request];
    r.is_forgotten = true;
    if (r.is_known) requests_.drop(e->request);
  }
  e->is_gone = true;
  streams_[task.stream].pending.tidy();
}

template <class C>
PendingRequests::Entry* Engine<C>::entry(const Task& task, std::int64_t number) {
  if (number >= 0) return streams_[task.stream].pending.at(number);
  if (trace::is_special(number)) return nullptr;
  const auto [thread, serial] = trace::decode_request(number);
  if (thread < 0 || static_cast<std::uint64_t>(thread) >= trace_.threads) return nullptr;
  const std::uint64_t stream = task.rank * trace_.threads + static_cast<std::uint64_t>(thread);
  return streams_[stream].pending.made(static_cast<std::uint64_t>(serial));
}

// What becomes of the request that an operation has made; kNone: it is over already.
template <class C>
void Engine<C>::keep(Task& task, const Action& action, std::uint32_t request) {
  if (action.keep == Keep::inner) {
    if (request != kNone) task.inner.push_back(request);
    return;
  }
  PendingRequests::Entry& e = streams_[task.stream].pending.add();
  e.request = request == kNone ? PendingRequests::kInactive : request;
  e.is_persistent = action.keep == Keep::persistent;
}

template <class C>
bool Engine<C>::keep_persistent(Task& task, const Action& action) {
  if (action.keep != Keep::persistent) return false;
  keep(task, action, kNone);
  PendingRequests::Entry& e = streams_[task.stream].pending.entries().back();
  e.start = action;
  e.start.keep = Keep::request;
  return true;
}

template <class C>
void Engine<C>::send(Task& task, const Action& action) {
  if (keep_persistent(task, action)) return;
  if (action.peer == kNobody) return keep(task, action, kNone);
  const Where where = this->where(task.rank, action.peer);
  const Picoseconds before = task.clock.time;
  start_up(task.clock, where, task.call);
  if (task.is_stream) account(task).transfer += task.clock.time - before;

  const std::uint32_t id = messages_.make();
  Message& m = messages_[id];
  m.ready = task.clock;
  if (machine_.gap > 0) {
    C& next = injected_[task.rank];
    m.ready.raise(next);
    next = m.ready;
    next.spend(machine_.gap, task.call);
    next.transfer(rates_, where, action.bytes, task.call);
  }
  m.channel = {action.peer, task.rank, action.context, action.tag};
  m.bytes = action.bytes;
  m.call = task.call;
  m.where = where;
  m.is_eager = action.mode == SendMode::buffered ||
               (action.mode == SendMode::standard && action.bytes <= machine_.eager);
  ++message_count_;
  if (is_steady_wanted_) components_.unite(task.rank, action.peer);
  std::uint32_t request = kNone;
  if (!m.is_eager || action.keep != Keep::inner) {
    request = requests_.make();
    Request& r = requests_[request];
    r.channel = m.channel;
    r.where = where;
    if (m.is_eager) {
      r.done = m.ready;
      r.is_known = true;
    } else {
      r.message = id;
      m.send = request;
    }
  }
  keep(task, action, request);
  if (options_.observer) options_.observer->sends(task.stream, m.channel, m.bytes, request);
  if (m.is_eager) start_transfer(id, m.ready);
  if (in_order_) {
    push_event(envelope(messages_[id]).time, kArrives, id);
  } else {
    arrive(id);
  }
}

template <class C>
void Engine<C>::receive(Task& task, const Action& action) {
  if (keep_persistent(task, action)) return;
  if (action.peer == kNobody) return keep(task, action, kNone);
  const std::uint32_t id = requests_.make();
  Request& r = requests_[id];
  r.is_receive = true;
  r.channel = {task.rank, action.peer, action.context, action.tag};
  r.where = action.peer == kAnyone ? Where::network : where(task.rank, action.peer);
  if (action.starts_up && is_dimemas() && action.peer != kAnyone) {
    const Picoseconds before = task.clock.time;
    start_up(task.clock, r.where, task.call);
    if (task.is_stream) account(task).transfer += task.clock.time - before;
    r.has_started_up = true;
  }
  r.posted = task.clock;
  keep(task, action, id);
  if (options_.observer) options_.observer->receives(task.stream, r.channel, id);
  const std::uint32_t message = matcher_.post(r.channel, id);
  if (message != Matcher::kNone) match(message, id);
}

// Until the request is over. False: nobody knows yet when that is.
template <class C>
bool Engine<C>::wait(Task& task, std::uint32_t id) {
  Request& r = requests_[id];
  if (!r.is_known) {
    r.waiter = task.id;
    task.state = State::blocked;
    return false;
  }
  if (options_.observer) options_.observer->waits(task.stream, id);
  const Picoseconds before = task.clock.time;
  if (r.is_receive && r.is_met && is_dimemas() && !r.has_started_up) {
    start_up(task.clock, r.where, task.call);
    r.has_started_up = true;
  }
  const Picoseconds free = task.clock.time;
  const Picoseconds waited = std::max<Picoseconds>(0, r.done.time - free);
  task.clock.raise(r.done);
  if (r.is_receive && r.is_met && !is_dimemas() && !r.has_started_up) {
    start_up(task.clock, r.where, task.call);
    r.has_started_up = true;
  }
  if (!task.is_stream) return true;
  Account& account = this->account(task);
  const Picoseconds on_wire = std::min(waited, r.wire);
  account.transfer += task.clock.time - before - waited + on_wire;
  account.waiting += waited - on_wire;
  return true;
}

// The one that is over first takes the place of the one that was first in the recorded run: the
// program goes on to wait for what is left under the names that the trace has.
template <class C>
bool Engine<C>::wait_any(Task& task, const Action& action) {
  PendingRequests::Entry* recorded = entry(task, action.number);
  if (!recorded || recorded->request == PendingRequests::kInactive) return true;
  PendingRequests::Entry* first = nullptr;
  for (std::uint32_t i = 0; i < action.count; ++i) {
    PendingRequests::Entry* e = entry(task, task.steps->numbers[action.first + i]);
    if (!e || e->request == PendingRequests::kInactive ||
        e->is_persistent != recorded->is_persistent)
      continue;
    const Request& r = requests_[e->request];
    if (!r.is_known) continue;
    const bool is_earlier = !first || r.done.time < requests_[first->request].done.time ||
                            (e == recorded && r.done.time == requests_[first->request].done.time);
    if (is_earlier) first = e;
  }
  const std::uint32_t own = task.id;
  if (!first || (in_order_ && requests_[first->request].done.time > now_ && !events_.empty() &&
                 events_.top().time <= requests_[first->request].done.time)) {
    // Another may come first: look again when one has, or when this one is over.
    for (std::uint32_t i = 0; i < action.count; ++i) {
      PendingRequests::Entry* e = entry(task, task.steps->numbers[action.first + i]);
      if (e && e->request != PendingRequests::kInactive) requests_[e->request].waiter = own;
    }
    task.state = State::blocked;
    if (first) push_event(requests_[first->request].done.time, kLooksAgain, own);
    return false;
  }
  if (first != recorded) {
    std::swap(first->request, recorded->request);
    std::swap(first->start, recorded->start);
  }
  return wait(task, recorded->request);
}

template <class C>
bool Engine<C>::probe(Task& task, const Action& action) {
  const bool is_match = action.what == Action::Do::match;
  if (action.peer == kNobody) {
    if (is_match) streams_[task.stream].matched.push_back(kNone);
    return true;
  }
  const Channel channel{task.rank, action.peer, action.context, action.tag};
  const std::uint32_t message = matcher_.peek(channel);
  if (message == Matcher::kNone) {
    probing_[task.rank].push_back(task.id);
    task.state = State::blocked;
    return false;
  }
  const Picoseconds before = task.clock.time;
  task.clock.raise(envelope(messages_[message]));
  account(task).waiting += task.clock.time - before;
  if (!is_match) return true;
  const std::uint32_t id = requests_.make();
  Request& r = requests_[id];
  r.is_receive = true;
  r.channel = messages_[message].channel;
  r.posted = task.clock;
  if (options_.observer) options_.observer->receives(task.stream, r.channel, id);
  match(matcher_.post(r.channel, id), id);
  streams_[task.stream].matched.push_back(id);
  return true;
}

template <class C>
void Engine<C>::claim(Task& task, const Action& action) {
  auto& matched = streams_[task.stream].matched;
  std::uint32_t request = kNone;
  if (action.number >= 0 && action.number < std::ssize(matched)) {
    const auto at = matched.end() - 1 - action.number;
    request = *at;
    matched.erase(at);
  }
  keep(task, action, request);
}

template <class C>
void Engine<C>::start(Task& task, const Action& action) {
  PendingRequests::Entry* e = entry(task, action.number);
  if (!e || !e->is_persistent || e->request != PendingRequests::kInactive) return;
  Action step = e->start;
  step.keep = Keep::inner;
  Stream& stream = streams_[task.stream];
  const bool is_wild =
      step.what == Action::Do::receive && (step.peer == kAnyone || step.tag == simulate::kAnyTag);
  if (is_wild && stream.ahead) {
    const trace::Match met = stream.ahead->next();
    const bool is_known = met.kind == trace::Match::Kind::message && met.source >= 0 &&
                          static_cast<std::uint64_t>(met.source) < step.group->peers();
    if (is_known) step.peer = step.group->peer(static_cast<std::uint64_t>(met.source));
    if (is_known && met.tag >= 0) step.tag = met.tag;
  }
  // As if it were part of the call, and then the program's.
  const std::size_t inner = task.inner.size();
  if (step.what == Action::Do::send) {
    step.keep = Keep::request;
    send(task, step);
    PendingRequests& pending = streams_[task.stream].pending;
    const std::uint32_t request = pending.entries().back().request;
    pending.take_back();
    entry(task, action.number)->request = request;
  } else {
    receive(task, step);
    if (task.inner.size() > inner) {
      e->request = task.inner.back();
      task.inner.pop_back();
    }
  }
}

// An operation that was cancelled ends now if nothing has met it.
template <class C>
void Engine<C>::withdraw(PendingRequests::Entry& e, const C& now) {
  e.is_cancelled = false;
  if (e.request == PendingRequests::kInactive) return;
  Request& r = requests_[e.request];
  if (r.is_known) return;
  const bool is_withdrawn =
      r.is_receive ? matcher_.withdraw_receive(r.channel, e.request)
                   : r.message != kNone && matcher_.withdraw_message(r.channel, r.message);
  if (!is_withdrawn) return;
  if (!r.is_receive) messages_.drop(r.message);
  complete(e.request, now, 0);
}

template <class C>
void Engine<C>::fork(Task& task, const Action& action) {
  auto steps = std::make_unique<CallSteps>();
  const auto from = task.steps->actions.begin() + static_cast<std::ptrdiff_t>(task.at) + 1;
  steps->actions.assign(from, from + action.count);
  task.at += action.count;
  const std::uint32_t request = requests_.make();
  keep(task, action, request);
  std::uint32_t id = static_cast<std::uint32_t>(tasks_.size());
  if (spare_tasks_.empty()) {
    tasks_.emplace_back();
  } else {
    id = spare_tasks_.back();
    spare_tasks_.pop_back();
    tasks_[id] = Task();
  }
  Task& side = tasks_[id];
  side.clock = task.clock;
  side.stream = task.stream;
  side.rank = task.rank;
  side.call = task.call;
  side.is_stream = false;
  side.own = std::move(steps);
  side.id = id;
  side.steps = side.own.get();
  side.end = side.steps->actions.size();
  side.ends = request;
  ++forked_;
  wake(id);
}

template <class C>
void Engine<C>::put(Task& task, const Action& action) {
  const Picoseconds before = task.clock.time;
  if (action.peer == kNobody) return keep(task, action, kNone);
  const Where where = this->where(task.rank, action.peer);
  start_up(task.clock, where, task.call);
  account(task).transfer += task.clock.time - before;
  C over = task.clock;
  if (!is_dimemas()) over.latency(rates_, where, task.call);
  if (action.starts_up) over.latency(rates_, where, task.call);
  over.transfer(rates_, where, action.bytes, task.call);
  streams_[task.stream].accesses[action.number].raise(over);
  ++message_count_;
  std::uint32_t request = kNone;
  if (action.keep != Keep::inner) {
    request = requests_.make();
    requests_[request].done = over;
    requests_[request].wire = over.time - task.clock.time;
    requests_[request].is_known = true;
    keep(task, action, request);
  }
}

template <class C>
void Engine<C>::settle(Task& task, std::int64_t window) {
  auto& accesses = streams_[task.stream].accesses;
  const auto last = accesses.find(window);
  if (last == accesses.end()) return;
  const Picoseconds before = task.clock.time;
  task.clock.raise(last->second);
  account(task).transfer += task.clock.time - before;
  accesses.erase(last);
}

}  // namespace reprise::simulate
