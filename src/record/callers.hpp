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

 private:
  FlatMap known_;  // address -> 0 or 1
};

}  // namespace reprise::record
