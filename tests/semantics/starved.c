// One rank has no memory for what the recorder does when the run begins, or when it ends:
//   starved begin|end RANK LEFT ONCE
// LEFT allocations succeed before one fails, or, unless ONCE is 1, that one and all later ones.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int allocations_left = -1, fail_once;

static int rank_of_launcher(void) {
  const char* names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK"};
  for (int i = 0; i < 2; ++i) {
    if (getenv(names[i])) return atoi(getenv(names[i]));
  }
  return -1;
}

int main(int argc, char** argv) {
  int rank, right;
  const int left = argc > 4 && atoi(argv[2]) == rank_of_launcher() ? atoi(argv[3]) : -1;
  const int at_begin = argc > 1 && !strcmp(argv[1], "begin");
  fail_once = argc > 4 && atoi(argv[4]);
  if (at_begin) allocations_left = left;
  MPI_Init(&argc, &argv);
  const int after_begin = allocations_left;
  allocations_left = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &right);
  right = (rank + 1) % right;
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < 3 + (i > 2); ++k) {
      MPI_Sendrecv_replace(&rank, 1, MPI_INT, right, k, MPI_ANY_SOURCE, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (!at_begin) allocations_left = left;
  MPI_Finalize();
  if (left >= 0) printf("made %d\n", left - (at_begin ? after_begin : allocations_left));
  printf("done\n");
  return 0;
}
