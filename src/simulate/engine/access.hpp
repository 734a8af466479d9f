// Engine: one-sided accesses, and locks of windows. Included where an engine is made.
#pragma once

#include "base/hash.hpp"
#include "simulate/engine/engine.hpp"

namespace reprise::simulate {

template <class C>
void Engine<C>::put(Task& task, const Action& action) {
  const Picoseconds before = task.clock.time;
  if (action.peer == kNobody) return keep(task, action, kNone);
  const Where where = this->where(task.rank, action.peer);
  start_up(task.clock, where, task.call);
  occupy_processor(task);
  C over = task.clock;
  // For Dimemas the first latency is the start-up.
  const std::int64_t latencies = action.count - (is_dimemas() ? 1 : 0);
  if (latencies > 0) over.latency(rates_, where, task.call, latencies);
  over.transfer(rates_, where, action.bytes, task.call);
  ++message_count_;
  const Picoseconds wire = over.time - task.clock.time;
  if (action.first) {
    task.clock.raise(over);
  } else {
    streams_[task.stream].accesses[action.number].raise(over);
  }
  account(task).transfer += task.clock.time - before;
  if (action.keep == Keep::inner) return;
  const std::uint32_t request = requests_.make();
  requests_[request].done = over;
  requests_[request].wire = wire;
  requests_[request].is_known = true;
  keep(task, action, request);
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

// Operations that fetch and change exclude one another, but not those that lock the window.
template <class C>
std::uint64_t Engine<C>::lock_key(const Action& action) {
  const bool is_atomic = action.first == static_cast<std::uint32_t>(LockKind::atomic);
  return combine(combine(static_cast<std::uint64_t>(action.number), action.peer), is_atomic);
}

// False: another process holds it. First come, first served.
template <class C>
bool Engine<C>::lock(Task& task, const Action& action) {
  Lock& lock = locks_[lock_key(action)];
  const bool shares = action.first == static_cast<std::uint32_t>(LockKind::shared);
  if (task.has_lock) {
    task.has_lock = false;
  } else if (lock.holders == 0 || (shares && lock.is_shared && lock.waiting.empty())) {
    ++lock.holders;
    lock.is_shared = shares;
  } else {
    lock.waiting.emplace_back(task.id, shares);
    task.state = State::blocked;
    return false;
  }
  const Picoseconds before = task.clock.time;
  const C& released = shares ? lock.released_exclusive : lock.released;
  note_delay(task, task.call, false, released, 0);
  task.clock.raise(released);
  account(task).waiting += task.clock.time - before;
  return true;
}

template <class C>
void Engine<C>::unlock(Task& task, const Action& action) {
  Lock& lock = locks_[lock_key(action)];
  if (lock.holders == 0) return;
  lock.released.raise(task.clock);
  if (!lock.is_shared) lock.released_exclusive.raise(task.clock);
  if (--lock.holders > 0) return;
  while (!lock.waiting.empty()) {
    const auto [next, shares] = lock.waiting.front();
    if (lock.holders > 0 && !(shares && lock.is_shared)) return;
    lock.waiting.pop_front();
    ++lock.holders;
    lock.is_shared = shares;
    tasks_[next].has_lock = true;
    wake(next);
  }
}

}  // namespace reprise::simulate
