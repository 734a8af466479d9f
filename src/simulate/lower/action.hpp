// Actions: the steps of a simulated process that carry out the calls of a trace.
#pragma once

#include <cstdint>
#include <vector>

namespace reprise::simulate {

struct Group;

inline constexpr std::int64_t kAnyTag = -1;
inline constexpr std::uint32_t kAnyone = ~std::uint32_t{0};
inline constexpr std::uint32_t kNobody = kAnyone - 1;

enum class SendMode : std::uint8_t { standard, synchronous, buffered };
// The use of the request that an operation creates.
enum class Keep : std::uint8_t {
  inner,       // waited for within the call
  request,     // the program's
  persistent,  // nothing starts before the program says so
};

// How a window is locked: exclusively, shared, or, independently of these two, exclusively among
// operations that fetch and change.
enum class LockKind : std::uint8_t { exclusive, shared, atomic };

struct Action {
  enum class Do : std::uint8_t {
    send,        // peer, tag, context, bytes, mode, keep
    receive,     // peer, tag, context, keep
    null,        // an operation without effect that makes a request: keep
    wait_inner,  // for the inner operations so far
    wait,        // for the request `number`; first: 1 if only where it is no receive
    wait_any,    // for one of `count` requests from `first`; the recorded one is `number`
    retire,      // ends the requests `count` from `first`, or `number` if count is 0
    withdraw,    // takes the operation of the request `number` back if nothing has met it
    start,       // of the persistent request `number`
    ready,       // `count` partitions of the persistent request `number`: it is sent with the last
    free,        // forgets the request `number`, whose operation goes on
    probe,       // peer, tag, context
    match,       // probe, and keep the message for claim
    claim,       // receives the message `number`: keep
    meet,        // a meeting of processes, `first`; keep
    spend,       // time [ps]: bytes
    fork,        // the steps behind this one, `count` of them, run beside the program: keep
    put,         // a one-sided access of `bytes` at peer that takes `count` latencies; keep;
                 // number: the window; first: 1 if the call waits for its end
    settle,      // waits for one-sided accesses through the window `number`
    lock,        // of the window `number` (Place::id) at peer; first: the LockKind
    unlock,      // the same
    enter,       // what members do first in the communicator `number`, which has just been made
    collective,  // the messages of the collective `first` of CallSteps::collectives
  };

  Do what{};
  SendMode mode = SendMode::standard;
  Keep keep = Keep::inner;
  // Of receive: what it costs its process is spent first (MPI_Recv). Of send: it arrives after the
  // sender's accesses through the window `number`.
  bool starts_up = false;
  std::uint32_t peer = 0;     // a process
  std::uint32_t context = 0;  // of matching
  std::int64_t tag = 0;
  std::int64_t bytes = 0;
  std::int64_t number = 0;
  std::uint32_t first = 0, count = 0;  // count of a persistent send: its partitions, 0 for a whole
  const Group* group = nullptr;        // of a receive: the communicator
};

// The steps of one call, and the lists that they point into.
struct Script {
  std::vector<Action> actions;
  std::vector<std::int64_t> numbers;

  void clear() {
    actions.clear();
    numbers.clear();
  }
};

}  // namespace reprise::simulate
