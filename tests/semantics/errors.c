// Completions that return an error and end requests all the same.
#include <mpi.h>

static int small, large[4];

// Tags 1 and 2 are longer than what they are received into: an error. What remains pending, and what is named
// afterwards, must be right.
//= rank 0: MPI_Wait request=0 matched_source=-
//= rank 0: MPI_Wait request=0
//= rank 0: MPI_Wait request=0 matched_source=-
//= rank 0: MPI_Waitall requests=[1,0] matched_source=[] matched_tag=[]
//= rank 0: MPI_Waitany requests=[0] index=0
//= losses: 3 calls that returned an error
int main(int argc, char** argv) {
  int rank;
  MPI_Request a, b, both[2];
  MPI_Status statuses[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    MPI_Send(large, 4, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Send(large, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    MPI_Send(large, 4, MPI_INT, 0, 2, MPI_COMM_WORLD);
    MPI_Send(large, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    MPI_Send(large, 4, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Irecv(&small, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &a);
    if (MPI_Wait(&a, MPI_STATUS_IGNORE) == MPI_SUCCESS || a != MPI_REQUEST_NULL) return 1;
    MPI_Irecv(&small, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &a);
    MPI_Wait(&a, MPI_STATUS_IGNORE);
    MPI_Irecv(&small, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &b);
    MPI_Wait(&b, MPI_STATUS_IGNORE);
    MPI_Irecv(large, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &both[0]);
    MPI_Irecv(&small, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &both[1]);
    if (MPI_Waitall(2, both, statuses) != MPI_ERR_IN_STATUS) return 1;
    MPI_Irecv(&small, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &a);
    int index;
    if (MPI_Waitany(1, &a, &index, MPI_STATUS_IGNORE) == MPI_SUCCESS) return 1;
  }
  MPI_Finalize();
  return 0;
}
