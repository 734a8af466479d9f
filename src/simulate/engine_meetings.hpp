// Engine: meetings, which end when all have come, and what they make. Included where an engine is
// made.
#pragma once

#include <algorithm>
#include <bit>

#include "base/hash.hpp"
#include "simulate/engine.hpp"

namespace reprise::simulate {

template <class C>
void Engine<C>::meet(Task& task, const Action& action) {
  if (Operation* const kept = keep_persistent(task, action)) {
    auto steps = std::make_shared<CallSteps>();
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
  // Where making something takes no steps, nobody waits for anybody.
  const bool is_free = first.makes != Makes::nothing && first.cost.fan_in.steps == Steps::none;
  for (const std::uint32_t r : m.requests) {
    requests_[r].meeting = 0;
    complete(r, is_free ? C(requests_[r].posted) : done, is_free ? 0 : wire);
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
      const Place place{c.of, c.rank_in, 0, combine(c.group, c.number), c.number};
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
