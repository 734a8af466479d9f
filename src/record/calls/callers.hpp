// Who calls MPI during a call: the MPI library or a tool below the recorder, whose calls are not
// recorded, or a function of the program that MPI calls back.
#pragma once

#include "base/flat_map.hpp"

namespace reprise::record {

class Callers {
 public:
  // Whether a call from this return address, within another one, is part of how that is carried
  // out. Bindings count as the program: what reaches them from within MPI is a callback.
  // REQUIRES: the function that returns there is the wrapper that runs on this thread.
  bool is_part_of_call(const void* address);

  // Whether an address lies beneath the program: in the MPI library, what that stands on, the
  // recorder or the C library.
  static bool is_beneath(const void* address);
  bool beneath(const void* address);

 private:
  FlatMap known_;    // address -> 0 or 1
  FlatMap beneath_;  // likewise
};

}  // namespace reprise::record
