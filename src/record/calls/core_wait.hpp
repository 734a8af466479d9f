// How long a process was ready to run and had no core.
#pragma once

#include <cstdint>

namespace reprise::record {

// Of the process's first thread, since it began, as the kernel counts it (Linux's schedstat, "time
// spent waiting on a runqueue") [ns]; 0 if it does not. A thread that waits for others in MPI and
// offers its core meanwhile waits for it as well.
std::uint64_t core_wait_ns();

// A moment of a run, and what this process had waited for a core until then.
struct Instant {
  std::uint64_t ns = 0;         // by system_ns()
  std::uint64_t core_wait = 0;  // [ns]
};
Instant present_instant();

}  // namespace reprise::record
