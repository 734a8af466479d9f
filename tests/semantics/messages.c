// The recorder's own messages fail in MPI_Finalize: every rank writes what it has, and the command makes a trace of it.
#include <mpi.h>

int fail_messages;

//= rank *: MPI_Barrier comm=0
//= rank *: MPI_Finalize
//= losses: none
//= status: 1
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  fail_messages = 1;
  MPI_Finalize();
  return 0;
}
