// Engine: the order of steps. Included where an engine is made.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "simulate/engine/engine.hpp"
#include "simulate/lower/call_loops.hpp"
#include "trace/calls/places.hpp"
#include "trace/values/special.hpp"

namespace reprise::simulate {

// Whether a receive or a completion may have several candidates.
bool has_wildcards(const trace::Trace& trace);
// Whether matches depend on time.
bool needs_order(const trace::Trace& trace, const Machine& machine, const Options& options);

template <class C>
Engine<C>::Engine(const trace::Trace& trace, const Machine& machine, const ComputeTimes& times,
                  const Options& options)
    : trace_(trace),
      machine_(machine),
      times_(times),
      options_(options),
      rates_(machine),
      outline_(trace),
      lowering_(trace, machine, times, {options.matching}),
      in_order_(needs_order(trace, machine, options)),
      matcher_(has_wildcards(trace)),
      fabric_(machine),
      delays_(trace.streams(), trace.calls.size()) {}

template <class C>
void Engine<C>::prepare() {
  const std::uint64_t ranks = trace_.ranks;
  auto world = std::make_shared<Group>();
  world->id = 0;
  world->is_world = true;
  world->size = ranks;
  node_ = machine_.nodes_of(ranks);
  for (const std::uint32_t n : node_) nodes_ = std::max(nodes_, n + 1);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    auto self = std::make_shared<Group>();
    self->id = 1;
    self->size = 1;
    self->members = {r};
    objects_.emplace_back(r, world, std::move(self));
  }
  if (machine_.has_interfaces()) {
    leaves_.resize(ranks);
    enters_.resize(ranks);
  }
  if (machine_.occupies_processors()) processors_.resize(ranks);
  components_.reset(ranks);
  is_repeated_ = repeated_calls(trace_);
  accounts_.assign(trace_.streams(), std::vector<Account>(trace_.calls.size()));
  const bool looks_ahead =
      options_.matching == Matching::recorded && mpi::LookAhead::is_needed(trace_);
  is_steady_wanted_ = options_.steady_state && !options_.route && !in_order_ && !looks_ahead &&
                      trace_.threads == 1 && options_.compute != Compute::sampled &&
                      !options_.observer;
  streams_.reserve(trace_.streams());
  for (std::uint32_t s = 0; s < trace_.streams(); ++s) {
    Stream& stream = streams_.emplace_back(outline_, s, times_);
    stream.known.resize(trace_.calls.size());
    if (looks_ahead) stream.ahead = std::make_unique<mpi::LookAhead>(trace_, s);
    if (is_steady_wanted_) {
      for (std::uint32_t n = 1; n < outline_.nodes().size(); ++n)
        stream.cursor.watch(n, !outline_.nodes()[n].item->is_call());
    }
    Task& task = tasks_.emplace_back();
    task.id = task.stream = s;
    task.accounts = accounts_[s].data();
    task.rank = static_cast<std::uint32_t>(s / trace_.threads);
    if constexpr (kKeepsDelays)
      task.clock.first = static_cast<std::uint32_t>(s * trace_.calls.size());
    if constexpr (requires { task.clock.begin(route_, s); }) task.clock.begin(route_, s);
    wake(s);
  }
}

template <class C>
void Engine<C>::fail(Error error) {
  if (!error_) error_ = std::move(error);
}

template <class C>
void Engine<C>::note(const char* what) {
  for (Note& n : notes_) {
    if (n.what == what) return void(++n.count);
  }
  notes_.push_back({what, 1});
}

template <class C>
void Engine<C>::push_event(Picoseconds time, EventKind kind, std::uint32_t id) {
  events_.push({time, kind, order_++, id});
}

template <class C>
void Engine<C>::wake(std::uint32_t id) {
  Task& task = tasks_[id];
  task.state = State::ready;
  if (task.is_queued) return;
  task.is_queued = true;
  if (in_order_) {
    push_event(std::max(now_, task.clock.time), kTakesSteps, id);
  } else {
    ready_.push_back(id);
  }
}

// Whether nothing else comes first.
template <class C>
bool Engine<C>::is_due(const Task& task) const {
  if (!in_order_ || events_.empty()) return true;
  const Event& next = events_.top();
  if (machine_.occupies_processors())
    return std::pair(task.clock.time, turn_) < std::pair(next.time, next.order);
  return task.clock.time < next.time || (task.clock.time == next.time && next.kind == kTakesSteps);
}

template <class C>
auto Engine<C>::needs_of(const Task& task, const Action& action) -> Needs {
  using Do = Action::Do;
  const Action* what = &action;
  switch (action.what) {
    case Do::wait:
    case Do::wait_inner:
    case Do::retire:
    case Do::withdraw:
    case Do::free:
    case Do::null:
    case Do::claim: return Needs::nothing;
    case Do::start:
    case Do::ready: {
      const Operation* const o = operation(task, action.number);
      if (!o) return Needs::nothing;
      what = &o->start;
      break;
    }
    default: break;
  }
  if (what == &action && action.keep == Keep::persistent) return Needs::nothing;
  switch (what->what) {
    case Do::send: return what->peer == kNobody ? Needs::nothing : Needs::interface;
    case Do::receive: return what->peer == kNobody ? Needs::nothing : Needs::turn_of_processor;
    case Do::put: return what->peer == kNobody ? Needs::nothing : Needs::processor;
    case Do::spend: return Needs::processor;
    default: return Needs::turn;
  }
}

template <class C>
bool Engine<C>::may_begin(Task& task, Needs needs) {
  if (needs == Needs::nothing) return true;
  const bool is_new = turn_ == kNew;
  const Picoseconds before = task.clock.time;
  if (needs != Needs::turn && (is_new || needs != Needs::turn_of_processor)) {
    C free = processors_[task.rank];
    if (needs == Needs::interface) free.raise(leaves_[task.rank]);
    // Clocks that are as late tell nothing of each other's past.
    if (free.time > before) task.clock.raise(free);
  }
  const Picoseconds waited = task.clock.time - before;
  if (task.is_stream) account(task).transfer += waited;
  if (is_new ? is_due(task) : waited == 0) return true;
  task.is_queued = true;
  // It keeps its place before what comes while it waits.
  events_.push({task.clock.time, kTakesSteps, is_new ? order_++ : turn_, task.id});
  return false;
}

template <class C>
void Engine<C>::occupy_processor(const Task& task) {
  if (machine_.occupies_processors()) processors_[task.rank] = task.clock;
}

template <class C>
void Engine<C>::run_all() {
  do {
    while (!ready_.empty() && !error_) {
      const std::uint32_t task = ready_.front();
      ready_.pop_front();
      tasks_[task].is_queued = false;
      take_turn(task);
    }
  } while (!error_ && is_steady_wanted_ && at_cut());
}

template <class C>
void Engine<C>::run_in_order() {
  while (!events_.empty() && !error_) {
    const Event event = events_.top();
    events_.pop();
    // A process may have been held at a meeting that takes no time itself.
    now_ = std::max(now_, event.time);
    switch (event.kind) {
      case kTakesSteps:
        tasks_[event.id].is_queued = false;
        turn_ = event.order;
        take_turn(event.id);
        break;
      case kArrives: arrive(event.id); break;
      case kLooksAgain:
        if (tasks_[event.id].state == State::blocked) wake(event.id);
        break;
      case kTransferReady: begin_transfer(event.id, messages_[event.id].arrival); break;
      case kReaches: reach(event); break;
      case kTransferEnds:
        if (event.id & kAllBuses) {
          end_gathering(event.id);
        } else {
          end_transfer(event.id);
        }
        break;
    }
  }
}

template <class C>
const Action* Engine<C>::present(Task& task) {
  for (; task.at < task.end; ++task.at) {
    const Action& action = task.steps->actions[task.at];
    if (action.what != Action::Do::collective) return &action;
    if (!task.collective)
      task.collective = std::make_unique<CollectiveSteps>(task.steps->collectives[action.first]);
    if (const Action* const step = task.collective->present()) return step;
    task.collective.reset();
  }
  return nullptr;
}

template <class C>
void Engine<C>::advance(Task& task) {
  if (task.collective) {
    task.collective->next();
  } else {
    ++task.at;
  }
}

template <class C>
void Engine<C>::take_turn(std::uint32_t id) {
  Task& task = tasks_[id];
  if (task.state != State::ready) return;
  for (int calls = 0; calls < kTurn && !error_;) {
    while (const Action* const step = present(task)) {
      const Action& action = *step;
      const Picoseconds before = task.clock.time;
      Needs needs = Needs::turn;
      if (machine_.occupies_processors()) {
        needs = needs_of(task, action);
        if (!may_begin(task, needs)) return;
      } else if (!is_due(task)) {
        return wake(id);
      }
      if (!take(task, action)) {
        if (task.state == State::ready) task.state = State::blocked;
        return;
      }
      if (error_) return;
      if (needs != Needs::nothing || task.clock.time > before) turn_ = kNew;
      if (!may_go_on(task)) return;
      advance(task);
    }
    if (!task.is_stream) {
      task.state = State::ended;
      --forked_;
      complete(task.ends, task.clock, 0);
      spare_tasks_.push_back(id);
      return;
    }
    Stream& stream = streams_[task.stream];
    const bool goes_on = !stream.has_computed ? compute(task, stream)
                         : !stream.is_lowered ? lower_call(task, stream)
                                              : next_call(task, stream);
    if (!goes_on) return;
    ++calls;
  }
  wake(id);
}

// Goes on to the stream's next call. False: it has none now.
template <class C>
bool Engine<C>::next_call(Task& task, Stream& stream) {
  finish_call(task);
  trace::PassCursor::At at = stream.cursor.next();
  while (at == trace::PassCursor::At::pass) {
    if (is_steady_wanted_ && stream.cursor.passes_left() >= RegimeSearch::kFewest) {
      task.state = State::held;
      return false;
    }
    at = stream.cursor.next();
  }
  if (at == trace::PassCursor::At::end) {
    task.state = State::ended;
    return false;
  }
  if (at == trace::PassCursor::At::damage) {
    fail({"the trace is damaged (a value in it makes no sense); record it again"});
    return false;
  }
  task.call = stream.cursor.call();
  if (!may_go_on(task)) return false;
  constexpr std::uint64_t kToldEvery = 1 << 16;
  if (options_.progress && ++taken_ % kToldEvery == 0) options_.progress(calls_);
  ++calls_;
  ++stream.taken;
  ++account(task).calls;
  stream.span = stream.times.next(task.call);
  return compute(task, stream);
}

// False: it has taken more work, or would take more memory, than it may.
template <class C>
bool Engine<C>::may_go_on(const Task& task) {
  const bool is_too_long = ++work_ > options_.work;
  if (!is_too_long && matcher_.waiting() <= kMostWaiting) return true;
  std::string where =
      fmt::format("rank {} was in {}", task.rank, trace::describe_call(trace_, task.call));
  if (task.is_stream)
    where += fmt::format(", in a loop with {} iterations to go",
                         streams_[task.stream].cursor.passes_left());
  fail({is_too_long
            ? fmt::format("it was stopped after {} steps ({}); `reprise simulate --work` allows "
                          "more, or simulate "
                          "a shorter run",
                          options_.work, where)
            : fmt::format("it was stopped when {} messages and receives waited for each other, "
                          "which take some gigabytes ({}); the trace lacks what meets them",
                          matcher_.waiting(), where)});
  return false;
}

// What comes before the call, and then its steps. False: the processor is not free, or there are
// no steps.
template <class C>
bool Engine<C>::compute(Task& task, Stream& stream) {
  stream.has_computed =
      !machine_.occupies_processors() || stream.span == 0 || may_begin(task, Needs::processor);
  if (!stream.has_computed) return false;
  const Picoseconds before = task.clock.time;
  task.clock.compute(rates_, stream.span, task.call);
  account(task).compute += task.clock.time - before;
  if (stream.span > 0) {
    occupy_processor(task);
    turn_ = kNew;
  }
  if (task.clock.time > kLongestRun) {
    fail(
        {"the simulated time is more than 53 days (its picoseconds cannot be counted); the trace "
         "or the machine is not what it should be"});
    return false;
  }
  if (options_.observer) options_.observer->computes(task.stream, {before, task.clock.time});
  task.call_began = task.clock.time;
  task.inner.clear();
  task.waited = 0;
  task.at = 0;

  CallSteps* known = stream.known[task.call].get();
  if (known && known->type_version == objects_[task.rank].type_version()) {
    task.steps = known;
    task.end = known->actions.size();
    return true;
  }
  const trace::Event* event = stream.cursor.read();
  if (!event) {
    fail({"the trace is damaged (a list in it is too long); record it again"});
    return false;
  }
  stream.event = *event;
  return lower_call(task, stream);
}

// The steps of the call whose event has been read. False: it has none yet, or none at all.
template <class C>
bool Engine<C>::lower_call(Task& task, Stream& stream) {
  RankObjects& objects = objects_[task.rank];
  const CallShape& shape = shape_of(trace_.calls[task.call].function);
  stream.is_lowered = trace_.threads == 1 || shape.comm < 0 ||
                      trace::is_special(stream.event.scalars[shape.comm]) ||
                      objects.comm(stream.event.scalars[shape.comm]);
  if (!stream.is_lowered) {
    // Another thread is still to make it.
    task.state = State::blocked;
    awaiting_comm_[task.rank].push_back(task.id);
    return false;
  }
  scratch_ = stream.event;
  if (Status ok = lowering_.lower(scratch_, objects, stream.ahead.get(), lowered_); !ok) {
    fail({fmt::format("rank {}, {}: {}", task.rank, trace::describe_call(trace_, task.call),
                      ok.error().message)});
    return false;
  }
  const bool is_kept =
      is_repeated_[task.call] && stream.cursor.is_constant() && lowered_.is_lasting;
  std::unique_ptr<CallSteps>& steps = is_kept ? stream.known[task.call] : stream.steps;
  steps = std::make_unique<CallSteps>(lowered_);
  if (is_kept) stream.cursor.release();
  task.steps = steps.get();
  task.end = task.steps->actions.size();
  if (shape.family == CallShape::Family::ends) {
    note("times a rank ended with MPI_Abort");
    task.state = State::ended;
    return false;
  }
  return true;
}

template <class C>
void Engine<C>::finish_call(Task& task) {
  if (!options_.observer || task.steps == nullptr) return;
  options_.observer->calls(task.stream, mpi::SiteId{task.call}, {task.call_began, task.clock.time});
  task.steps = nullptr;
}

template <class C>
Result<Outcome> Engine<C>::run() {
  prepare();
  if (in_order_) {
    run_in_order();
  } else {
    run_all();
  }
  if (error_) return *error_;
  Outcome out;
  collect(out);
  return out;
}

}  // namespace reprise::simulate
