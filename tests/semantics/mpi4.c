// Functions of MPI 4, where there are any: not recorded, but counted.
#include <mpi.h>

//= rank *: MPI_Barrier
//= losses: none
//= losses on mpich: 6 calls of MPI 4 that are not recorded
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
#if MPI_VERSION >= 4
  int in = 1, out = 0;
  MPI_Count size;
  MPI_Request request;
  MPI_Allreduce_c(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Isendrecv(&in, 1, MPI_INT, 0, 1, &out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Bcast_init(&in, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Request_free(&request);
  MPI_Type_size_c(MPI_INT, &size);  // an enquiry
#endif
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
