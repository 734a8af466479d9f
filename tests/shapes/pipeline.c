/* Sweeps in which both ends leave one side out, so that ranks do different things in each iteration. */
#include <mpi.h>

static int rank, ranks, out, in;

__attribute__((noinline)) static void pipeline(void) {
  for (int block = 0; block < 6; block++) {
    for (int sweep = 0; sweep < 2; sweep++) {
      const int from = sweep == 0 ? rank - 1 : rank + 1, to = sweep == 0 ? rank + 1 : rank - 1;
      if (from >= 0 && from < ranks)
        MPI_Recv(&in, 1, MPI_INT, from, sweep, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (to >= 0 && to < ranks) MPI_Send(&out, 1, MPI_INT, to, sweep, MPI_COMM_WORLD);
    }
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  pipeline();
  MPI_Finalize();
  return 0;
}
