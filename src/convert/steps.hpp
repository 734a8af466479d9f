// A trace as flat lists of steps, one for each rank: what the formats of other simulators have.
// Collectives are messages, communicators and tags one number, wildcards whom they met.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/result.hpp"

namespace reprise::convert {

struct Step {
  enum class Do : std::uint8_t { compute, send, receive, wait } what{};
  std::uint32_t peer = 0;       // rank
  std::uint32_t tag = 0;        // one number for each communicator and tag
  std::uint64_t number = 0;     // of the message, among those from its sender to its receiver
  std::int64_t bytes = 0;       // of a send; of a receive: of the message that it met
  std::int64_t span = 0;        // of a computation [ns]
  std::size_t operation = 0;    // of a wait: the step that it ends
  bool is_blocking = false;     // the step behind it waits for it
  bool is_synchronous = false;  // of a send: it waits for its receive whatever its size
};

using Steps = std::vector<std::vector<Step>>;  // by rank

// Collects them from a simulation, collectives by their algorithms whatever the machine says, and
// the making of communicators and windows by what it exchanges, or else an allreduce of 8 bytes.
// An error: what is one-sided, or several threads for a rank, which no such list has.
// Memory: all steps.
Result<Steps> steps_of(const trace::Trace& trace, const simulate::Machine& machine,
                       const simulate::Options& options);

}  // namespace reprise::convert
