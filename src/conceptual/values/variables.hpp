// The variables that every program has, and where the values of all are.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "conceptual/ast.hpp"

namespace reprise::conceptual {

// Slots of the predeclared ones; those of parameters follow, then all others.
enum Predeclared : Slot {
  kNumTasks,
  // Counters, which differ between tasks.
  kElapsedUsecs,
  kBitErrors,
  kBytesReceived,
  kBytesSent,
  kMsgsReceived,
  kMsgsSent,
  kTotalBytes,
  kTotalMsgs,
  kPredeclared
};

inline constexpr std::array<std::string_view, kPredeclared> kPredeclaredNames = {
    "num_tasks",     "elapsed_usecs", "bit_errors",  "bytes_received", "bytes_sent",
    "msgs_received", "msgs_sent",     "total_bytes", "total_msgs"};

inline bool is_counter(Slot slot) { return slot > kNumTasks && slot < kPredeclared; }

// By slot.
using Environment = std::vector<std::int64_t>;

}  // namespace reprise::conceptual
