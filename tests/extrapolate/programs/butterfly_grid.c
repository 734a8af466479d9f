/* Recursive doubling along the rows of a grid with 2^ceil(log2(P) / 2) columns, then along its
 * columns, and an exchange across the diagonal (as NPB CG). On odd powers of two the grid is twice
 * as wide as high. */
#include "pattern.h"

enum { BLOCK = 24, STEPS = 5 };

static void swap(int peer, int count, int tag) {
  MPI_Request request;
  MPI_Irecv(in, count, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, &request);
  MPI_Send(out, count, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int columns = 1 << (log2_of(size) + 1) / 2, rows = size / columns, wide = columns / rows;
  const int row = rank / columns, column = rank % columns;
  const int across = column / wide * columns + row * wide + column % wide;
  for (int step = 0; step < STEPS; step++) {
    for (int distance = columns / 2; distance > 0; distance /= 2)
      swap(row * columns + (column ^ distance), BLOCK * wide, 1);
    for (int distance = rows / 2; distance > 0; distance /= 2)
      swap((row ^ distance) * columns + column, BLOCK, 2);
    swap(across, BLOCK, 3);
  }
  MPI_Finalize();
  return 0;
}
