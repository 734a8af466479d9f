/* A function, called from two lines, that makes a communicator and a datatype and uses both; only some ranks are in the
   communicator. */
#include <mpi.h>

__attribute__((noinline)) static MPI_Comm make(int is_member, int length, MPI_Datatype* vector) {
  MPI_Comm comm;
  int sent[8] = {0}, received[8];
  MPI_Comm_split(MPI_COMM_WORLD, is_member ? 0 : MPI_UNDEFINED, 0, &comm);
  MPI_Type_contiguous(length, MPI_INT, vector);
  MPI_Type_commit(vector);
  if (comm != MPI_COMM_NULL) MPI_Bcast(sent, 1, *vector, 0, comm);
  MPI_Sendrecv(sent, 1, *vector, 0, 0, received, 8, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  return comm;
}

int main(int argc, char** argv) {
  int rank;
  MPI_Datatype few, many;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm first = make(rank < 2, 3, &few);
  if (first != MPI_COMM_NULL) MPI_Bcast(&rank, 1, MPI_INT, 0, first);
  MPI_Comm second = make(rank < 2, 8, &many);
  if (second != MPI_COMM_NULL) MPI_Barrier(second);
  MPI_Type_free(&few);
  MPI_Type_free(&many);
  MPI_Finalize();
  return 0;
}
