// Engine: the effect of each step. Included where an engine is made.
#pragma once

#include <algorithm>

#include "simulate/engine/engine.hpp"

namespace reprise::simulate {

// False: the task has to wait, and takes the step again when it is woken.
template <class C>
bool Engine<C>::take(Task& task, const Action& action) {
  using Do = Action::Do;
  switch (action.what) {
    case Do::send: send(task, action); return true;
    case Do::receive: receive(task, action); return true;
    case Do::null: keep(task, action, kNone); return true;
    case Do::wait_inner: return wait_inner(task);
    case Do::wait: {
      Operation* const o = operation(task, action.number);
      if (o && o->left > 0) {
        o->waiter = task.id;
        return false;
      }
      if (!o || !o->is_active()) return true;
      if (o->is_cancelled) withdraw(*o, task.clock);
      if (action.first && requests_[o->request].is_receive) return true;
      return !o->is_active() || wait(task, o->request);
    }
    case Do::wait_any: return wait_any(task, action);
    case Do::retire: retire(task, action); return true;
    case Do::withdraw:
      if (Operation* const o = operation(task, action.number)) o->is_cancelled = true;
      return true;
    case Do::start: start(task, action); return true;
    case Do::ready: make_ready(task, action); return true;
    case Do::free: forget(task, action); return true;
    case Do::probe:
    case Do::match: return probe(task, action);
    case Do::claim: claim(task, action); return true;
    case Do::meet: meet(task, action); return true;
    case Do::spend: {
      const Picoseconds before = task.clock.time;
      task.clock.spend(action.bytes, task.call);
      occupy_processor(task);
      if (task.is_stream) account(task).transfer += task.clock.time - before;
      if (options_.observer) options_.observer->spends(task.stream, {before, task.clock.time});
      return true;
    }
    case Do::fork: fork(task, action); return true;
    case Do::put: put(task, action); return true;
    case Do::settle: settle(task, action.number); return true;
    case Do::lock: return lock(task, action);
    case Do::unlock: unlock(task, action); return true;
    case Do::enter: enter(task, action); return true;
    case Do::collective: return true;  // its steps are taken instead
  }
  return true;
}

// For what it has sent first: what it receives costs its processor something.
template <class C>
bool Engine<C>::wait_inner(Task& task) {
  const std::size_t n = task.inner.size();
  for (; task.waited < 2 * n; ++task.waited) {
    std::uint32_t& request = task.inner[task.waited % n];
    if (request == kNone || (task.waited < n && requests_[request].is_receive)) continue;
    if (!wait(task, request)) return false;
    requests_.drop(request);
    request = kNone;
  }
  task.inner.clear();
  task.waited = 0;
  return true;
}

template <class C>
void Engine<C>::send(Task& task, const Action& action) {
  if (keep_persistent(task, action)) return;
  if (action.peer == kNobody) return keep(task, action, kNone);
  const Where where = this->where(task.rank, action.peer);
  const Picoseconds before = task.clock.time;
  const std::uint32_t id = messages_.make();
  Message& m = messages_[id];
  m.channel = {action.peer, task.rank, action.context, action.tag};
  m.bytes = action.bytes;
  m.call = task.call;
  m.where = where;
  m.is_eager = action.mode == SendMode::buffered ||
               (action.mode == SendMode::standard && action.bytes <= machine_.eager);
  if (machine_.occupies_processors()) {
    depart(id, task);
  } else {
    start_up(task.clock, where, task.call);
    m.ready = task.clock;
  }
  if (task.is_stream) account(task).transfer += task.clock.time - before;
  m.sent = m.ready.time;
  ++message_count_;
  note_traffic(m);
  if (is_steady_wanted_) components_.unite(task.rank, action.peer);
  std::uint32_t request = kNone;
  // An observer is notified of every wait, also of waits that take no time.
  if (!m.is_eager || action.keep != Keep::inner || options_.observer) {
    request = requests_.make();
    Request& r = requests_[request];
    r.channel = m.channel;
    r.where = where;
    if (m.is_eager) {
      r.done = task.clock;
      r.is_known = true;
    } else {
      r.message = id;
      m.send = request;
    }
  }
  keep(task, action, request);
  if (options_.observer)
    options_.observer->sends(task.stream, m.channel, m.bytes, action.mode, request);
  if (m.is_eager && !machine_.occupies_processors()) start_transfer(id, m.ready);
  if (action.starts_up) {
    const auto& accesses = streams_[task.stream].accesses;
    if (const auto last = accesses.find(action.number); last != accesses.end())
      m.arrival.raise(last->second);
  }
  if (machine_.occupies_processors()) {
    push_event(m.arrival.time, kReaches, id);
  } else if (in_order_) {
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

// Waits until the request ends. False: the time of its end is not yet known.
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
  const Picoseconds on_wire = std::min(waited, r.wire);
  note_delay(task, r.collective == kNone ? task.call : r.collective, r.is_receive, r.done, on_wire);
  task.clock.raise(r.done);
  const bool costs_later = !is_dimemas() && !machine_.occupies_processors();
  if (r.is_receive && r.is_met && costs_later && !r.has_started_up) {
    start_up(task.clock, r.where, task.call);
    r.has_started_up = true;
  }
  if (!task.is_stream) return true;
  Account& account = this->account(task);
  account.transfer += task.clock.time - before - waited + on_wire;
  account.waiting += waited - on_wire;
  return true;
}

// The request that ends first takes the place of the one that was first in the recorded run; the
// program then waits for the remaining requests by the numbers in the trace.
template <class C>
bool Engine<C>::wait_any(Task& task, const Action& action) {
  PendingRequests::Entry* recorded = entry(task, action.number);
  if (!recorded || !recorded->value.is_active()) return true;
  Operation* first = nullptr;
  for (std::uint32_t i = 0; i < action.count; ++i) {
    PendingRequests::Entry* e = entry(task, task.steps->numbers[action.first + i]);
    if (!e || !e->value.is_active() || e->is_persistent != recorded->is_persistent) continue;
    const Request& r = requests_[e->value.request];
    if (!r.is_known) continue;
    const bool is_earlier = !first || r.done.time < requests_[first->request].done.time ||
                            (e == recorded && r.done.time == requests_[first->request].done.time);
    if (is_earlier) first = &e->value;
  }
  const std::uint32_t own = task.id;
  if (!first || (in_order_ && requests_[first->request].done.time > now_ && !events_.empty() &&
                 events_.top().time <= requests_[first->request].done.time)) {
    // Another may come first: check again when one has, or when this one ends.
    for (std::uint32_t i = 0; i < action.count; ++i) {
      const Operation* o = operation(task, task.steps->numbers[action.first + i]);
      if (o && o->is_active()) requests_[o->request].waiter = own;
    }
    task.state = State::blocked;
    if (first) push_event(requests_[first->request].done.time, kLooksAgain, own);
    return false;
  }
  if (first != &recorded->value) {
    std::swap(first->request, recorded->value.request);
    std::swap(first->start, recorded->value.start);
  }
  return wait(task, recorded->value.request);
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
  const C known = envelope(messages_[message]);
  note_delay(task, task.call, true, known, 0);
  task.clock.raise(known);
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

// The first steps in a new communicator are known only when it exists.
template <class C>
void Engine<C>::enter(Task& task, const Action& action) {
  const Place* place = objects_[task.rank].comm(action.number);
  if (!place) return;
  CallSteps& steps = *streams_[task.stream].steps;
  lowering_.enter(*place, steps);
  task.end = steps.actions.size();
}

template <class C>
void Engine<C>::fork(Task& task, const Action& action) {
  auto steps = std::make_shared<CallSteps>();
  steps->call = task.call;
  const auto from = task.steps->actions.begin() + static_cast<std::ptrdiff_t>(task.at) + 1;
  steps->actions.assign(from, from + action.count);
  steps->collectives = task.steps->collectives;
  task.at += action.count;
  if (Operation* const kept = keep_persistent(task, action)) {
    kept->steps = std::move(steps);
    return;
  }
  const std::uint32_t request = requests_.make();
  keep(task, action, request);
  launch(task, std::move(steps), request);
}

template <class C>
void Engine<C>::launch(Task& task, std::shared_ptr<const CallSteps> steps, std::uint32_t request) {
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
  side.accounts = task.accounts;
  side.rank = task.rank;
  side.call = task.call;
  side.is_stream = false;
  side.own = std::move(steps);
  side.id = id;
  side.steps = side.own.get();
  side.end = side.steps->actions.size();
  side.ends = request;
  requests_[request].collective = side.own->call;
  ++forked_;
  wake(id);
}

}  // namespace reprise::simulate
