// The calls that a trace may hold, generated from spec/mpi.spec.
#include "replay/arguments.hpp"

namespace reprise::replay {
namespace {

// In place of the program's own functions.
extern "C" {
void leave_alone(void*, void*, int*, MPI_Datatype*) {}
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

#include "replay.inc"

}  // namespace

const Player& player(trace::FunctionId function) {
  return kPlayers[static_cast<std::size_t>(function)];
}

}  // namespace reprise::replay
