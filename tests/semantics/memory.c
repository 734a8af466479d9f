// The recorder has no memory for a while: the program does not notice, and the trace says what is missing.
#include <mpi.h>

int fail_allocations;

//= rank *: MPI_Barrier comm=1
//= losses: 10 calls for which memory ran out
int main(int argc, char** argv) {
  int sum = 0, one = 1, counts[512] = {0}, displacements[512] = {0};
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_SELF);
  fail_allocations = 1;
  // A call from a new place, with more in it than any before.
  MPI_Datatype type;
  MPI_Type_indexed(512, counts, displacements, MPI_INT, &type);
  fail_allocations = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  MPI_Barrier(MPI_COMM_SELF);
  MPI_Finalize();
  return sum == 2 ? 0 : 1;
}
