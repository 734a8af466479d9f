// Where in its memory the program keeps the handles of requests.
#pragma once

#include <mpi.h>

#include "record/calls/callpaths.hpp"
#include "record/objects/pending.hpp"

namespace reprise::record {

#ifndef SMPI_H

// Fortran routines may hand copies of handles to the C functions. What stands before those routines
// says here, for the calling thread, where the program has them; null otherwise.
extern thread_local const MPI_Fint* g_fortran_requests;

class FortranRequests {
 public:
  // The outermost routine counts: one for mpi_f08 may call the one for mpif.h with copies.
  explicit FortranRequests(const void* first) : is_outermost_(!g_fortran_requests) {
    if (is_outermost_) g_fortran_requests = static_cast<const MPI_Fint*>(first);
  }
  ~FortranRequests() {
    if (is_outermost_) g_fortran_requests = nullptr;
  }
  FortranRequests(const FortranRequests&) = delete;
  FortranRequests& operator=(const FortranRequests&) = delete;

 private:
  const bool is_outermost_;
};

#else

// Every request has a handle of its own there.
constexpr const MPI_Fint* g_fortran_requests = nullptr;

#endif

// The home of a handle; without the frame.
inline Home home_of(const MPI_Request* requests, std::int64_t index, bool is_outermost) {
  if (is_outermost && g_fortran_requests)
    return {reinterpret_cast<std::uintptr_t>(g_fortran_requests + index), true, {}};
  return {reinterpret_cast<std::uintptr_t>(requests + index), false, {}};
}

// Looks at homes on behalf of a thread: `callpaths` are its own, with the present call found
// last. Null for homes on the stack of another thread.
class ProgramMemory final : public HomeInspector {
 public:
  explicit ProgramMemory(const Callpaths* callpaths) : callpaths_(callpaths) {}

  bool is_alive(const Home& home) override {
    return !callpaths_ || callpaths_->is_on_path(home.frame);
  }
  bool holds(const Home& home, std::uint64_t handle) override;

 private:
  const Callpaths* callpaths_;
};

}  // namespace reprise::record
