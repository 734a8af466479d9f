// Who calls MPI while MPI is at work: its own libraries, which is none of our business, or a
// function of the program that MPI calls back.
#pragma once

#include "base/flat_map.hpp"

namespace reprise::record {

class Callers {
 public:
  // Whether an address lies in the MPI library. Bindings count as the program: what reaches them
  // from within MPI is a callback.
  bool in_mpi(const void* address);

  // Whether an address lies beneath the program: in the MPI library, what that stands on, the
  // recorder or the C library.
  static bool is_beneath(const void* address);
  bool beneath(const void* address);

 private:
  FlatMap known_;    // address -> 0 or 1
  FlatMap beneath_;  // likewise
};

}  // namespace reprise::record
