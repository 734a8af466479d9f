// Engine: meetings, which end when all members have arrived, and the objects that they create.
// Included where an engine is made.
#pragma once

#include <algorithm>
#include <bit>

#include "base/hash.hpp"
#include "simulate/engine/engine.hpp"

namespace reprise::simulate {

template <class C>
void Engine<C>::meet(Task& task, const Action& action) {
  if (Operation* const kept = keep_persistent(task, action)) {
    auto steps = std::make_shared<CallSteps>();
    steps->call = task.call;
    steps->actions.push_back(action);
    steps->actions.front().keep = Keep::inner;
    steps->actions.front().first = 0;
    steps->actions.push_back({.what = Action::Do::wait_inner});
    steps->meetings.push_back(task.steps->meetings[action.first]);
    kept->steps = std::move(steps);
    return;
  }
  const MeetingCall& call = task.steps->meetings[action.first];
  const std::uint64_t key = combine(call.group, call.number) | 1;
  Meeting& m = meetings_[key];
  m.expected = call.expected;
  const std::uint32_t request = requests_.make();
  requests_[request].meeting = key;
  requests_[request].posted = task.clock;
  if (action.keep == Keep::request) requests_[request].collective = task.call;
  keep(task, action, request);
  m.requests.push_back(request);
  if (m.joined == 0) m.latest = task.clock;
  m.latest.raise(task.clock);
  ++m.joined;
  m.calls.push_back(call);
  m.calls.back().rank = task.rank;
  m.calls.back().call = task.call;
  if (options_.observer)
    options_.observer->joins(task.stream, m.calls.back(), action.keep == Keep::inner);
  if (m.joined < m.expected) return;
  Meeting over = std::move(m);
  meetings_.erase(key);
  form(over);
  // A collective has all buses for itself.
  if (machine_.buses > 0 && !is_free(over)) {
    const std::uint32_t id = next_gathering_++;
    const C latest = over.latest;
    gatherings_.emplace(id, std::move(over));
    starting_.clear();
    fabric_.ask_all(id | kAllBuses, latest, starting_);
    begin_transfers();
  } else {
    const C from = over.latest;
    conclude(over, from);
  }
}

// Whether no process waits: where creating an object takes no steps.
template <class C>
bool Engine<C>::is_free(const Meeting& m) {
  const MeetingCall& first = m.calls.front();
  return first.makes != Makes::nothing && first.cost.fan_in.steps == simulate::Steps::none;
}

// How often a phase takes a message, among so many; with buses only so many messages at a time.
template <class C>
std::int64_t Engine<C>::steps_of(const Phase& phase, std::int64_t partners, std::int64_t buses) {
  switch (phase.steps) {
    case simulate::Steps::none: return 0;
    case simulate::Steps::constant: return 1;
    case simulate::Steps::linear: return partners - 1;
    case simulate::Steps::logarithmic: break;
  }
  std::int64_t steps = 0;
  for (std::int64_t far = 1; far < partners; far *= 2) {
    // Pairs that are so far apart, at the same time.
    const std::int64_t pairs = (partners - 1 + far) / (2 * far);
    steps += buses > 0 ? (pairs + buses - 1) / buses : 1;
  }
  return steps;
}

// When a meeting that begins at `from` is over: within the node that takes longest, then between
// nodes. Sizes are those of the root.
template <class C>
C Engine<C>::end_of(const Meeting& m, const C& from) const {
  const auto root = std::ranges::find(m.calls, true, &MeetingCall::is_root);
  const MeetingCall& call = root == m.calls.end() ? m.calls.back() : *root;
  std::vector<std::uint32_t> nodes;
  for (const MeetingCall& c : m.calls) nodes.push_back(node_[c.rank]);
  std::ranges::sort(nodes);
  std::int64_t of_one = 0, most = 0, count = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool is_new = i == 0 || nodes[i] != nodes[i - 1];
    of_one = is_new ? 1 : of_one + 1;
    count += is_new;
    most = std::max(most, of_one);
  }
  C done = from;
  for (const Where where : {Where::memory, Where::network}) {
    if (where == Where::network && nodes_ <= 1) continue;
    const bool is_within = where == Where::memory;
    for (const Phase& phase : {call.cost.fan_in, call.cost.fan_out}) {
      const std::int64_t steps =
          steps_of(phase, is_within ? most : count, is_within ? 0 : machine_.buses);
      if (steps <= 0) continue;
      std::int64_t bytes = 0;
      switch (phase.size) {
        case SizeRule::min: bytes = std::min(call.sent, call.received); break;
        case SizeRule::max: bytes = std::max(call.sent, call.received); break;
        case SizeRule::mean: bytes = (call.sent + call.received) / 2; break;
        case SizeRule::twice_max: bytes = 2 * std::max(call.sent, call.received); break;
        case SizeRule::sent_and_received: bytes = call.sent + call.received; break;
      }
      done.latency(rates_, where, m.calls.back().call, steps);
      done.transfer(rates_, where, bytes, m.calls.back().call, steps);
    }
  }
  return done;
}

// All members have arrived, at `from` at the latest: the meeting takes the time of the model.
template <class C>
void Engine<C>::conclude(Meeting& m, const C& from) {
  const bool waits = !is_free(m);
  const C done = waits ? end_of(m, from) : m.latest;
  const Picoseconds wire = waits ? done.time - from.time : 0;
  for (const std::uint32_t r : m.requests) {
    requests_[r].meeting = 0;
    complete(r, waits ? done : C(requests_[r].posted), wire);
  }
}

// A meeting has all buses.
template <class C>
void Engine<C>::begin_gathering(std::uint32_t id, const C& when) {
  Meeting& m = gatherings_.at(id & ~kAllBuses);
  m.latest = end_of(m, when);
  conclude(m, when);
  push_event(m.latest.time, kTransferEnds, id);
}

template <class C>
void Engine<C>::end_gathering(std::uint32_t id) {
  const auto over = gatherings_.find(id & ~kAllBuses);
  const C when = over->second.latest;
  gatherings_.erase(over);
  starting_.clear();
  fabric_.end_all(when, starting_);
  begin_transfers();
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
      const Place place{c.of, c.rank_in, 0, combine(c.group, c.number), c.number};
      (makes == Makes::window) ? objects.set_window(c.made, place)
                               : objects.set_file(c.made, place);
    }
    return;
  }
  const Error contradiction{
      "the ranks of a new communicator contradict each other (the trace is damaged, or calls "
      "that make communicators are not in it)"};
  const auto makes_none = [](const MeetingCall& c) { return !c.entry; };
  if (std::ranges::any_of(m.calls, makes_none)) return fail(contradiction);
  std::vector<Entry> entries;
  for (const MeetingCall& c : m.calls) entries.push_back(*c.entry);
  Formed formed = form_groups(entries, makes == Makes::inter_comm, next_group_);
  if (!formed.agrees) fail(contradiction);
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
