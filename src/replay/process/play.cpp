// The calls that a trace may hold, generated from spec/mpi.spec.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <functional>
#include <numeric>

#include "replay/calls/arguments.hpp"

namespace reprise::replay {
namespace {

// In place of the program's own functions.
extern "C" {
void leave_alone(void*, void*, int*, MPI_Datatype*) {}
[[maybe_unused]] void leave_alone_large(void*, void*, MPI_Count*, MPI_Datatype*) {}
int query_nothing(void*, [[maybe_unused]] MPI_Status* status) {
#ifndef SMPI_H
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
#endif
  return MPI_SUCCESS;
}
int free_nothing(void*) { return MPI_SUCCESS; }
int cancel_nothing(void*, int) { return MPI_SUCCESS; }
}

#ifdef SMPI_H
// To SimGrid a subarray is as wide as an element, and a resized type no wider than its extent.
int subarray(Arguments& a, int n, const int* sizes, const int* subsizes, const int* starts,
             int order, MPI_Datatype old, MPI_Datatype* type) {
  a.widen(std::accumulate(sizes, sizes + n, std::int64_t{1}, std::multiplies<>()), old);
  return MPI_Type_create_subarray(n, sizes, subsizes, starts, order, old, type);
}
int resized(Arguments& a, MPI_Datatype old, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* type) {
  a.widen(1, old);
  return MPI_Type_create_resized(old, lower, extent, type);
}
#define MPI_Type_create_subarray(...) subarray(a, __VA_ARGS__)
#define MPI_Type_create_resized(...) resized(a, __VA_ARGS__)
#endif

#include "replay.inc"

}  // namespace

const Player& player(trace::FunctionId function) {
  return kPlayers[static_cast<std::size_t>(function)];
}

}  // namespace reprise::replay
