// The operations of the program's requests in a simulation.
#pragma once

#include <cstdint>
#include <memory>

#include "mpi/requests/pending.hpp"
#include "simulate/lower/lowering.hpp"

namespace reprise::simulate {

struct Operation {
  static constexpr std::uint32_t kInactive = ~std::uint32_t{0};

  std::uint32_t request = kInactive;       // the operation that is under way, if one is
  Action start = {};                       // what a start of it does, if it is persistent
  std::shared_ptr<const CallSteps> steps;  // of that, if it has several or is a meeting
  std::uint32_t left = 0;                  // partitions of a message that are not ready yet
  std::uint32_t waiter = kInactive;        // who waits for the last of them
  bool is_cancelled = false;

  bool is_active() const { return request != kInactive; }
};

// Of one stream.
using PendingRequests = mpi::Pending<Operation>;

}  // namespace reprise::simulate
