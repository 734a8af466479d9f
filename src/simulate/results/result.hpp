// Options and results of a simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mpi/names.hpp"
#include "simulate/clocks/clock.hpp"
#include "simulate/clocks/route.hpp"
#include "simulate/engine/matcher.hpp"
#include "simulate/lower/action.hpp"
#include "simulate/lower/compute_times.hpp"
#include "simulate/lower/lowering.hpp"
#include "simulate/results/delays.hpp"

namespace reprise::simulate {

// [ps].
struct Interval {
  Picoseconds from = 0, to = 0;
};

// A message between two ranks, from when it was sent to when it had been received [ps].
struct Flight {
  std::uint32_t sender = 0;
  Picoseconds sent = 0;
  std::uint32_t receiver = 0;
  Picoseconds received = 0;
  std::int64_t bytes = 0;
};

// Receives all events of a simulation as they occur, for timelines.
class Observer {
 public:
  virtual ~Observer() = default;
  // A stream computes before a call, or is in it.
  virtual void computes(std::uint64_t stream, Interval during) = 0;
  virtual void calls(std::uint64_t stream, mpi::SiteId call, Interval during) = 0;
  // A stream spends time within a call that is neither: on a file.
  virtual void spends(std::uint64_t /*stream*/, Interval /*during*/) {}
  virtual void message(const Flight& flight) = 0;

  // The steps themselves, collectives as what they are made of. `operation` names one until it has
  // been waited for.
  virtual void sends(std::uint64_t /*stream*/, const Channel& /*channel*/, std::int64_t /*bytes*/,
                     SendMode /*mode*/, std::uint32_t /*operation*/) {}
  virtual void receives(std::uint64_t /*stream*/, const Channel& /*channel*/,
                        std::uint32_t /*operation*/) {}
  // The message that an operation receives is this one.
  virtual void meets(std::uint32_t /*operation*/, const Channel& /*channel*/) {}
  virtual void waits(std::uint64_t /*stream*/, std::uint32_t /*operation*/) {}
  // Comes to a meeting, and waits there for its end if it is blocking.
  virtual void joins(std::uint64_t /*stream*/, const MeetingCall& /*call*/, bool /*is_blocking*/) {}
};

struct Options {
  Compute compute = Compute::mean;
  Factors factors;  // of computation
  Limits limits;    // likewise, after factors
  std::uint64_t seed = 1;
  // Compute::sampled: the one call that it is of, with means before all others; none: all calls.
  std::optional<std::uint32_t> only_sampled = {};
  Matching matching = Matching::arrival;
  bool steady_state = true;  // loops in their periodic regime are advanced by arithmetic
  bool paths = false;        // the share of each call site in the critical path
  bool route = false;        // streams along the critical path; with paths, every call one by one
  bool delays = false;       // waits with their causes, and messages by ranks; with paths
  bool in_order = false;     // events in the order of time even where that is not needed
  Observer* observer = nullptr;
  // The maximum number of calls and of their steps that are simulated one by one.
  std::uint64_t work = 20'000'000'000;
  // Called periodically with the number of calls simulated.
  std::function<void(std::uint64_t)> progress = nullptr;
};

// How a stream spent its time at a call [ps].
struct Account {
  std::uint64_t calls = 0;
  Picoseconds compute = 0;   // before the call
  Picoseconds transfer = 0;  // latency and bytes: of its own messages, and of those it waited for
  Picoseconds waiting = 0;   // nothing was under way yet

  Account& operator+=(const Account& other) {
    calls += other.calls;
    compute += other.compute;
    transfer += other.transfer;
    waiting += other.waiting;
    return *this;
  }
};

// A stream that waits in vain.
struct Blocked {
  std::uint64_t stream = 0;
  std::uint32_t call = 0;         // index into Trace::calls
  std::string waits_for;          // in words
  std::vector<std::uint32_t> on;  // ranks that would have to act, as far as they are known
};

// A message that was sent and never received.
struct Unmatched {
  std::uint32_t from = 0, to = 0;
  std::int64_t tag = 0, bytes = 0;
  std::uint32_t call = 0;  // that sent it
};

// Something that was simplified or could not be simulated, and how often.
struct Note {
  std::string what;
  std::uint64_t count = 0;
};

struct Outcome {
  Clock end;                                   // of the stream that ended last
  std::uint64_t last_stream = 0;               // that one
  std::vector<Picoseconds> ends;               // by stream
  std::vector<std::vector<Account>> accounts;  // [streams x calls]
  std::uint64_t calls = 0;                     // MPI calls
  std::uint64_t messages = 0;                  // with those that collectives are made of
  std::uint64_t leapt = 0;           // passes of loops advanced by arithmetic, over all streams
  std::vector<PathShare> path;       // by call; empty unless asked for
  std::vector<RoutePart> route;      // in order; empty unless asked for, or if it is too long
  std::vector<DelaySite> delays;     // empty unless asked for
  std::vector<Traffic> traffic;      // the same; by call, sender and receiver
  std::vector<Blocked> blocked;      // not empty: a deadlock
  std::vector<Unmatched> unmatched;  // the first few
  std::uint64_t unmatched_count = 0;
  std::vector<Note> notes;
  bool in_order = false;
};

// Simulates a trace. An error: the machine does not fit, the trace is damaged, or it has a call
// that cannot be simulated. A deadlock is an outcome, with what was simulated until then. Cost:
// O(calls) time, without those that steady loops save; O(streams x nodes) memory, and what is under
// way.
Result<Outcome> simulate(const trace::Trace& trace, const Machine& machine, const Options& options);

}  // namespace reprise::simulate
