// What differs under SimGrid's SMPI, which runs all ranks in one process: each rank has a copy of
// the program, and in it of this recorder, with global variables of its own. They take turns on one
// thread.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compress/process.hpp"
#include "record/lifetime/guard.hpp"

namespace reprise::record {

class Session;

#ifndef SMPI_H

constexpr bool kIsOneProcess = false;
constexpr std::int64_t present_caller() { return 0; }
inline Session* session_of_caller() { return nullptr; }
inline void lose_all() {}
inline void discard_measured() {}

#else

// These macros of its mpi.h expand to names that it does not declare.
#undef MPI_CXX_FLOAT_COMPLEX
#undef MPI_CXX_DOUBLE_COMPLEX
#undef MPI_CXX_LONG_DOUBLE_COMPLEX

constexpr bool kIsOneProcess = true;
// The rank that runs, as SimGrid's number of the present actor.
std::int64_t present_caller();
// Its session, or null.
Session* session_of_caller();

// Simulated time [ns].
std::uint64_t simulated_now();

// Unless told otherwise, SMPI measures the processor time that a rank takes between two calls of
// MPI, and adds it to the simulated time at the beginning of the second. What the recorder takes is
// excluded: the measurement ends where the recorder begins, and restarts where it ends.

// Discards what has been measured, and restarts.
void discard_measured();

// The scope of the wrapper of an outermost call. At its beginning the program's computation becomes
// simulated time, unless it is below SMPI's threshold.
class Unmeasured {
 public:
  Unmeasured();
  ~Unmeasured();
  Unmeasured(const Unmeasured&) = delete;
  Unmeasured& operator=(const Unmeasured&) = delete;
};

// Reports, once, that nothing can be recorded since the ranks share their global variables, and so
// this recorder.
void lose_all();

// The ranks of one MPI_COMM_WORLD that have come to MPI_Finalize.
struct Job {
  int ranks = 0;
  std::vector<compress::Process> processes;  // of those that had memory for it
};

// A rank between MPI_Init and MPI_Finalize.
struct Alive {
  Session* session;
  std::uint64_t left = 0;  // when the last wrapper ended, of the machine [ns]
};

// What the ranks of this process share.
struct Board {
  std::map<std::uint64_t, Job> jobs;    // by the handle of their world
  std::map<std::int64_t, Alive> alive;  // by actor
  Ending ending;
  std::uint64_t run = 0;  // the name of this run
  bool shared_globals = false;
  bool measures = false;        // computation becomes simulated time
  std::uint64_t threshold = 0;  // what takes less does not [ns]
};

Board& board();

// The path of the program of which SMPI made the file `copy` for this rank.
std::string original_program(const std::string& copy);

// A Fortran routine of SimGrid's, which is redirected to the C wrapper for one call.
struct FortranRoutine {
  void** slot;     // through which SimGrid's library calls the C function; null: not yet found
  void* routine;   // SimGrid's
  void* wrapper;   // the recorder's C function
  void* function;  // SimGrid's C function, to which the slot belongs
  const char* names[2];  // of routine and function
};

extern "C" {
// The routine that runs, until its C function is reached.
[[gnu::visibility("hidden")]] extern FortranRoutine* reprise_fortran_under_way;
}

// To be called at the entry of every wrapper: SimGrid's own calls are not recorded.
inline void close_fortran_slot() {
  if (!reprise_fortran_under_way) return;
  *reprise_fortran_under_way->slot = reprise_fortran_under_way->function;
  reprise_fortran_under_way = nullptr;
}

#endif

}  // namespace reprise::record
