// Engine: requests, from when an operation makes them to when they are forgotten. Included where an
// engine is made.
#pragma once

#include <algorithm>
#include <utility>

#include "simulate/engine/engine.hpp"
#include "trace/calls/requests.hpp"
#include "trace/values/special.hpp"

namespace reprise::simulate {

// The requests of a completion are no longer pending, or inactive if they are persistent.
template <class C>
void Engine<C>::retire(Task& task, const Action& action) {
  const auto one = [&](std::int64_t number) {
    PendingRequests::Entry* e = entry(task, number);
    if (!e) return;
    Operation& o = e->value;
    if (o.is_active()) requests_.drop(o.request);
    o.request = Operation::kInactive;
    o.is_cancelled = false;
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
  if (e->value.is_active()) {
    Request& r = requests_[e->value.request];
    r.is_forgotten = true;
    if (r.is_known) requests_.drop(e->value.request);
  }
  e->is_gone = true;
  streams_[task.stream].pending.tidy();
}

template <class C>
PendingRequests::Entry* Engine<C>::entry(const Task& task, std::int64_t number) {
  if (number >= 0) return streams_[task.stream].pending.find(number);
  if (trace::is_special(number)) return nullptr;
  const auto [thread, serial] = trace::decode_request(number);
  if (thread < 0 || static_cast<std::uint64_t>(thread) >= trace_.threads) return nullptr;
  const std::uint64_t stream = task.rank * trace_.threads + static_cast<std::uint64_t>(thread);
  return streams_[stream].pending.find_made(static_cast<std::uint64_t>(serial));
}

template <class C>
Operation* Engine<C>::operation(const Task& task, std::int64_t number) {
  PendingRequests::Entry* const e = entry(task, number);
  return e ? &e->value : nullptr;
}

// Handles the request that an operation has created; kNone: the operation has ended already.
template <class C>
void Engine<C>::keep(Task& task, const Action& action, std::uint32_t request) {
  if (action.keep == Keep::inner) {
    if (request != kNone) task.inner.push_back(request);
    return;
  }
  Operation operation;
  operation.request = request == kNone ? Operation::kInactive : request;
  operation.start.what = Action::Do::null;
  streams_[task.stream].pending.add(std::move(operation), action.keep == Keep::persistent);
}

// The request of a persistent operation, whose starts do what the action does; null if it is none.
template <class C>
Operation* Engine<C>::keep_persistent(Task& task, const Action& action) {
  if (action.keep != Keep::persistent) return nullptr;
  Operation operation;
  operation.start = action;
  operation.start.keep = Keep::request;
  PendingRequests& pending = streams_[task.stream].pending;
  pending.add(std::move(operation), true);
  return pending.at(0);
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
  if (!e || !e->is_persistent || e->value.is_active()) return;
  Operation& o = e->value;
  if (o.steps) {
    o.request = requests_.make();
    launch(task, o.steps, o.request);
  } else if (o.start.count > 0) {
    o.left = o.start.count;
  } else if (o.start.what != Action::Do::null) {
    begin_operation(task, action);
  }
}

// A message goes when all of its partitions are ready.
template <class C>
void Engine<C>::make_ready(Task& task, const Action& action) {
  Operation* o = operation(task, action.number);
  if (!o || o->left == 0) return;
  o->left -= std::min(o->left, action.count);
  if (o->left > 0) return;
  begin_operation(task, action);
  o = operation(task, action.number);
  const std::uint32_t waiter = std::exchange(o->waiter, Operation::kInactive);
  if (waiter != Operation::kInactive) wake(waiter);
}

// The operation of a persistent request.
template <class C>
void Engine<C>::begin_operation(Task& task, const Action& action) {
  Operation* const o = operation(task, action.number);
  Action step = o->start;
  step.keep = Keep::inner;
  Stream& stream = streams_[task.stream];
  const bool is_wild =
      step.what == Action::Do::receive && (step.peer == kAnyone || step.tag == simulate::kAnyTag);
  if (is_wild && stream.ahead) {
    const mpi::Match met = stream.ahead->next();
    const bool is_known = met.kind == mpi::Match::Kind::message && met.source >= 0 &&
                          static_cast<std::uint64_t>(met.source) < step.group->peers();
    if (is_known) step.peer = step.group->peer(static_cast<std::uint64_t>(met.source));
    if (is_known && met.tag >= 0) step.tag = met.tag;
  }
  // As if it were part of the call, and then the program's.
  const std::size_t inner = task.inner.size();
  if (step.what == Action::Do::send) {
    step.keep = Keep::request;
    send(task, step);
    const std::uint32_t request = streams_[task.stream].pending.take_back().request;
    operation(task, action.number)->request = request;
  } else {
    receive(task, step);
    if (task.inner.size() > inner) {
      o->request = task.inner.back();
      task.inner.pop_back();
    }
  }
}

// An operation that was cancelled ends now if nothing has met it.
template <class C>
void Engine<C>::withdraw(Operation& o, const C& now) {
  o.is_cancelled = false;
  if (!o.is_active()) return;
  Request& r = requests_[o.request];
  if (r.is_known) return;
  const bool is_withdrawn =
      r.is_receive ? matcher_.withdraw_receive(r.channel, o.request)
                   : r.message != kNone && matcher_.withdraw_message(r.channel, r.message);
  if (!is_withdrawn) return;
  if (!r.is_receive) messages_.drop(r.message);
  complete(o.request, now, 0);
}

}  // namespace reprise::simulate
