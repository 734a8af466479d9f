// Vector collectives of sizes that never repeat: what rank `from` sends to rank `to` in a step is known to all.
#include <mpi.h>
#include <stdlib.h>

enum { MOST = 32, LARGEST = 50 };

static int ranks, rank;
static int to_all[MOST], to_starts[MOST], of_all[MOST], of_starts[MOST];
static char out[MOST * LARGEST], in[MOST * LARGEST];

static int size_of(int step, int from, int to) {
  unsigned long x = 88172645463325252ul + 7919ul * (unsigned)step + 104729ul * (unsigned)from + 1299709ul * (unsigned)to;
  for (int i = 0; i < 3; i++) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  return (int)(x % LARGEST);
}

static void start_at_totals(const int* counts, int* starts) {
  for (int i = 0, total = 0; i < ranks; total += counts[i++]) starts[i] = total;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int steps = argc > 1 ? atoi(argv[1]) : 5;
  for (int step = 0; step < steps; step++) {
    for (int r = 0; r < ranks; r++) {
      to_all[r] = size_of(step, rank, r);
      of_all[r] = size_of(step, r, rank);
    }
    start_at_totals(to_all, to_starts);
    start_at_totals(of_all, of_starts);
    MPI_Alltoallv(out, to_all, to_starts, MPI_CHAR, in, of_all, of_starts, MPI_CHAR, MPI_COMM_WORLD);

    for (int r = 0; r < ranks; r++) of_all[r] = size_of(step, r, 0);
    start_at_totals(of_all, of_starts);
    MPI_Gatherv(out, of_all[rank], MPI_CHAR, in, of_all, of_starts, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Scatterv(in, of_all, of_starts, MPI_CHAR, out, of_all[rank], MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(out, of_all[rank], MPI_CHAR, in, of_all, of_starts, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Reduce_scatter(out, in, of_all, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    // Not a vector collective: sizes stay as they are.
    MPI_Bcast(out, 3 + step % 2, MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
