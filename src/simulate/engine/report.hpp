// Engine: the results, and the waits of a deadlock. Included where an engine is made.
#pragma once

#include <fmt/format.h>

#include "simulate/engine/engine.hpp"

namespace reprise::simulate {

template <class C>
void Engine<C>::collect(Outcome& out) {
  C last;
  for (std::uint32_t s = 0; s < streams_.size(); ++s) {
    const C& clock = tasks_[s].clock;
    out.ends.push_back(clock.time);
    if (s > 0 && !last.is_before(clock)) continue;
    last = clock;
    out.last_stream = s;
  }
  out.end = last;
  if constexpr (kKeepsDelays) {
    out.path.resize(trace_.calls.size());
    last.shares.for_each_difference({}, [&](std::size_t at, const PathShare& s, const PathShare&) {
      out.path[at % out.path.size()] += s;
    });
    out.traffic = delays_.traffic();
    out.delays = delays_.take_sites();
  } else if constexpr (requires { last.shares; }) {
    out.path = last.shares.all();
    out.path.resize(trace_.calls.size());
  }
  if constexpr (requires { last.route(); }) out.route = last.route();
  out.accounts = std::move(accounts_);
  out.calls = calls_;
  out.messages = message_count_;
  out.leapt = leapt_;
  out.in_order = in_order_;
  constexpr std::size_t kShown = 20;
  for (const Matcher::Waiting& w : matcher_.all()) {
    if (!w.is_message) continue;
    const Message& m = messages_[w.id];
    if (out.unmatched_count++ < kShown)
      out.unmatched.push_back(
          {m.channel.source, m.channel.receiver, m.channel.tag, m.bytes, m.call});
  }
  report_blocked(out);
  out.notes = std::move(notes_);
}

template <class C>
void Engine<C>::report_blocked(Outcome& out) {
  for (std::uint32_t t = 0; t < tasks_.size(); ++t) {
    if (tasks_[t].state != State::ended) out.blocked.push_back(describe(t));
  }
}

template <class C>
Blocked Engine<C>::describe(std::uint32_t id) const {
  const Task& task = tasks_[id];
  Blocked out{
      .stream = task.stream, .call = task.call, .waits_for = "nothing that is known", .on = {}};
  if (!streams_[task.stream].is_lowered) out.waits_for = "another thread to make a communicator";
  if (!task.steps || task.at >= task.end) return out;
  const Action& action =
      task.collective ? *task.collective->present() : task.steps->actions[task.at];
  std::uint32_t request = kNone;
  if (action.what == Action::Do::wait_inner && !task.inner.empty()) {
    request = task.inner[task.waited % task.inner.size()];
  } else if (action.what == Action::Do::wait || action.what == Action::Do::wait_any) {
    auto& pending = const_cast<Stream&>(streams_[task.stream]).pending;
    if (const auto* e = pending.at(action.number)) request = e->request;
  } else if (action.what == Action::Do::probe || action.what == Action::Do::match) {
    out.waits_for = "a message to probe";
    if (action.peer < kNobody) {
      out.waits_for += fmt::format(" from rank {}", action.peer);
      out.on = {action.peer};
    }
  }
  if (request == kNone) return out;
  const Request& r = requests_[request];
  const std::string tag = r.channel.tag == simulate::kAnyTag
                              ? " with any tag"
                              : fmt::format(" with tag {}", r.channel.tag);
  if (r.meeting) {
    const auto meeting = meetings_.find(r.meeting);
    out.waits_for = "a collective";
    if (meeting != meetings_.end()) {
      out.waits_for = fmt::format("a collective that {} of {} ranks have come to",
                                  meeting->second.joined, meeting->second.expected);
    }
  } else if (r.is_receive) {
    if (r.channel.source == kAnyone) {
      out.waits_for = "a message from any rank" + tag;
    } else {
      out.waits_for = fmt::format("a message from rank {}{}", r.channel.source, tag);
      out.on = {r.channel.source};
    }
  } else {
    out.waits_for = fmt::format("rank {} to receive its message{}", r.channel.receiver, tag);
    out.on = {r.channel.receiver};
  }
  return out;
}

}  // namespace reprise::simulate
