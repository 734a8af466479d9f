// Engine: loops in their periodic regime. Included where an engine is made.
//
// When every process stands at the begin of a pass of one loop, or waits for one that does, that is
// a *cut*: clocks, pending requests and messages under way are all there is to say about the
// future, together with what the trace has in store. If two cuts are equal up to one shift of all
// times of a component, and all values of the trace repeat as they did between the two, then what
// was done between them is done again, as often as the values repeat, and each time adds the same:
// sums and maxima do not know absolute time. So all clocks, accounts and cursors are moved on at
// once. Processes may be held at a cut without changing anything, since who meets whom does not
// depend on time here.
#pragma once

#include <algorithm>

#include "simulate/engine/engine.hpp"

namespace reprise::simulate {

template <class C>
struct Engine<C>::Cut {
  std::uint32_t node = 0;
  std::vector<std::int64_t> structure;         // what must be equal
  std::vector<C> clocks;                       // what may have moved, by the same in a component
  std::vector<std::uint32_t> owners;           // of each clock: a rank
  std::vector<trace::PassCursor::Mark> marks;  // by stream, as are the next two
  std::vector<StreamTimes::Mark> times;
  std::vector<std::uint64_t> left;             // passes to go; 0: the stream has ended
  std::vector<std::vector<Account>> accounts;  // of a reference
  std::optional<DelayLedger> delays;           // the same
  std::uint64_t calls = 0, messages = 0;
};

// Those of the processes first, then all that belongs to them. visit(clock, owner, may_be_past):
// one that may be past stands for no more than the owner's own.
template <class C>
template <class F>
void Engine<C>::for_each_clock(F visit) {
  for (std::uint32_t s = 0; s < streams_.size(); ++s) {
    if (tasks_[s].state != State::ended) visit(tasks_[s].clock, s, false);
  }
  for (std::uint32_t s = 0; s < streams_.size(); ++s) {
    if (tasks_[s].state == State::ended) continue;
    for (const PendingRequests::Entry& e : streams_[s].pending.entries()) {
      if (!e.value.is_active()) continue;
      Request& r = requests_[e.value.request];
      if (r.is_known) {
        visit(r.done, s, true);
      } else if (r.is_receive) {
        visit(r.posted, s, false);
      }
    }
  }
  for (const Matcher::Waiting& w : matcher_.all()) {
    if (!w.is_message) continue;
    Message& m = messages_[w.id];
    visit(m.ready, w.channel.receiver, true);
    if (m.has_arrived) visit(m.arrival, w.channel.receiver, true);
  }
}

template <class C>
std::unique_ptr<typename Engine<C>::Cut> Engine<C>::cut_of(std::uint32_t node) {
  auto cut = std::make_unique<Cut>();
  cut->node = node;
  cut->calls = calls_;
  cut->messages = message_count_;
  for_each_clock([&](const C& clock, std::uint32_t owner, bool may_be_past) {
    const C& own = tasks_[owner].clock;
    cut->owners.push_back(owner);
    cut->clocks.push_back(may_be_past && clock.time < own.time ? own : clock);
  });
  auto& out = cut->structure;
  for (std::uint32_t s = 0; s < streams_.size(); ++s) {
    const Stream& stream = streams_[s];
    const Task& task = tasks_[s];
    const bool is_held = task.state == State::held;
    cut->marks.push_back(is_held ? stream.cursor.mark(node) : trace::PassCursor::Mark());
    cut->times.push_back(is_held ? stream.times.mark() : StreamTimes::Mark());
    cut->left.push_back(is_held ? stream.cursor.passes_left() : 0);
    // Passes of different entries of the loop are not a period: steps in between are not part of
    // the loop. Processes that wait meanwhile must not have continued.
    out.push_back(static_cast<std::int64_t>(task.state));
    out.push_back(static_cast<std::int64_t>(is_held ? stream.cursor.entry() : stream.taken));
    if (task.state == State::blocked)
      out.insert(out.end(), {std::int64_t(task.at), std::int64_t(task.waited),
                             task.collective ? task.collective->taken() : 0});
    out.push_back(stream.times.previous());
    out.push_back(std::ssize(stream.pending.entries()));
    for (const PendingRequests::Entry& e : stream.pending.entries()) {
      const Operation& o = e.value;
      out.insert(out.end(), {o.is_active(), e.is_persistent, o.is_cancelled, o.left});
      if (!o.is_active()) continue;
      const Request& r = requests_[o.request];
      out.insert(out.end(),
                 {r.is_known, r.is_receive, r.is_met, r.has_started_up, r.wire, r.channel.receiver,
                  r.channel.source, r.channel.context, r.channel.tag});
    }
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> meetings;
  for (const auto& [key, meeting] : meetings_) meetings.emplace_back(key, meeting.joined);
  std::ranges::sort(meetings);
  for (const auto& [key, joined] : meetings)
    out.insert(out.end(), {std::int64_t(key), std::int64_t(joined)});
  for (const Matcher::Waiting& w : matcher_.all()) {
    out.insert(out.end(), {w.is_message, w.channel.receiver, w.channel.source, w.channel.context,
                           w.channel.tag});
    if (!w.is_message) continue;
    const Message& m = messages_[w.id];
    out.insert(out.end(), {m.bytes, m.is_eager, m.has_arrived, m.call,
                           m.has_arrived ? m.arrival.time - m.started : 0});
  }
  return cut;
}

// Whether the two are equal up to a shift of each component.
template <class C>
bool Engine<C>::same_regime(const Cut& before, const Cut& now) {
  if (before.node != now.node || before.structure != now.structure || before.owners != now.owners)
    return false;
  // The first clock of a component says what its shift is.
  std::vector<std::size_t> first(trace_.ranks, ~std::size_t{0});
  for (std::size_t i = 0; i < now.owners.size(); ++i) {
    std::size_t& f = first[components_.find(now.owners[i])];
    if (f == ~std::size_t{0}) {
      f = i;
      continue;
    }
    if (!C::gains_alike(before.clocks[f], now.clocks[f], before.clocks[i], now.clocks[i]))
      return false;
  }
  return true;
}

// The number of times that the steps between the two may be repeated.
template <class C>
std::uint64_t Engine<C>::leap_length(const Cut& before, const Cut& now) {
  std::uint64_t times = ~std::uint64_t{0};
  for (std::uint32_t s = 0; s < streams_.size() && times > 0; ++s) {
    if (now.left[s] == 0) continue;
    if (before.left[s] <= now.left[s]) return 0;
    const std::uint64_t period = before.left[s] - now.left[s];
    times = std::min(times, (now.left[s] - 1) / period);
    times = streams_[s].cursor.repeats(now.node, before.marks[s], times);
    times = streams_[s].times.repeats(before.times[s], times);
  }
  for (std::size_t i = 0; i < now.clocks.size() && times > 0; ++i)
    times = std::min(times, now.clocks[i].countable(before.clocks[i]));
  return times == ~std::uint64_t{0} ? 0 : times;
}

template <class C>
void Engine<C>::leap(const Cut& before, const Cut& now, std::uint64_t times) {
  const auto n = static_cast<std::int64_t>(times);
  std::size_t at = 0;
  for_each_clock([&](C& clock, std::uint32_t owner, bool may_be_past) {
    // The owner's own clock has been moved already.
    if (may_be_past && clock.time < now.clocks[owner_clock_[owner]].time) {
      clock = tasks_[owner].clock;
    } else {
      clock.extrapolate(before.clocks[at], n);
    }
    ++at;
  });
  for (std::uint32_t s = 0; s < streams_.size(); ++s) {
    if (now.left[s] == 0) continue;
    const std::uint64_t passes = before.left[s] - now.left[s];
    streams_[s].cursor.leap(now.node, before.marks[s], times, passes);
    streams_[s].times.leap(before.times[s], times);
    leapt_ += times * passes;
    for (std::size_t c = 0; c < accounts_[s].size(); ++c) {
      Account& account = accounts_[s][c];
      const Account& old = before.accounts[s][c];
      account.calls += times * (account.calls - old.calls);
      account.compute += n * (account.compute - old.compute);
      account.transfer += n * (account.transfer - old.transfer);
      account.waiting += n * (account.waiting - old.waiting);
    }
  }
  if (before.delays) delays_.extrapolate(*before.delays, n);
  calls_ += times * (now.calls - before.calls);
  message_count_ += times * (now.messages - before.messages);
}

// Only processes that are held can continue. False: none is held.
template <class C>
bool Engine<C>::at_cut() {
  std::uint32_t node = RegimeSearch::kNoNode, inner = 0;
  bool is_one = true, all_there = forked_ == 0;
  for (std::uint32_t s = 0; s < streams_.size(); ++s) {
    if (tasks_[s].state == State::ended) continue;
    all_there &= streams_[s].accesses.empty() && streams_[s].matched.empty();
    if (tasks_[s].state != State::held) continue;
    const std::uint32_t at = streams_[s].cursor.node();
    is_one &= node == RegimeSearch::kNoNode || node == at;
    node = at;
    inner = std::max(inner, at);
  }
  if (node == RegimeSearch::kNoNode) return false;
  const auto resume = [&](bool only_inner) {
    for (std::uint32_t s = 0; s < streams_.size(); ++s) {
      if (tasks_[s].state != State::held) continue;
      if (!only_inner || streams_[s].cursor.node() == inner) wake(s);
    }
  };
  const auto give_up = [&](std::uint32_t loop) {
    for (Stream& stream : streams_) stream.cursor.watch(loop, false);
    regimes_.forget();
  };
  if (!is_one) {
    // Some processes have left a loop in which others still are: it is not a loop of all.
    give_up(inner);
    resume(true);
    return true;
  }
  if (!regimes_.is_at(node)) {
    reference_.reset();
    regimes_.begin(node);
  }
  // The search for a regime takes about as long as the simulation itself, whatever the size of a
  // cut. Path shares are not counted, since their comparison mostly ends at the first difference.
  constexpr std::uint64_t kNumbersOfStep = 32, kNumbersOfFewSteps = 1 << 20;
  constexpr std::uint64_t kNumbersOfClock = 3;  // time, latencies and bytes
  const bool may_look = looked_at_ <= kNumbersOfFewSteps + kNumbersOfStep * work_;
  if (all_there && may_look) {
    auto cut = cut_of(node);
    looked_at_ += kNumbersOfClock * cut->clocks.size() + cut->structure.size();
    bool is_reference = !reference_;
    if (reference_ && same_regime(*reference_, *cut)) {
      owner_clock_.assign(streams_.size(), 0);
      for (std::size_t i = cut->owners.size(); i-- > 0;) owner_clock_[cut->owners[i]] = i;
      if (const std::uint64_t times = leap_length(*reference_, *cut); times > 0) {
        leap(*reference_, *cut, times);
        is_reference = false;
        reference_.reset();
        regimes_.begin(node);
        resume(false);
        return true;
      }
    }
    is_reference |= regimes_.renew();
    if (is_reference) {
      cut->accounts = accounts_;
      if constexpr (kKeepsDelays) cut->delays = delays_;
      reference_ = std::move(cut);
      components_.reset(trace_.ranks);
    }
  } else if (!all_there) {
    regimes_.renew();
    reference_.reset();
  }
  if (regimes_.is_hopeless()) give_up(node);
  resume(false);
  return true;
}

}  // namespace reprise::simulate
