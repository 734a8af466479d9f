/* A broadcast and a reduction along a binomial tree on any number of ranks:
 * the receive is at a distance of the lowest bit that is set, the sends at all below it. */
#include "pattern.h"

enum { COUNT = 40, STEPS = 3 };

static void broadcast(int root) {
  const int relative = (rank - root + size) % size;
  int mask = 1;
  while (mask < size && !(relative & mask)) mask <<= 1;
  if (mask < size)
    MPI_Recv(in, COUNT, MPI_DOUBLE, (rank - mask + size) % size, 1, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  for (mask >>= 1; mask > 0; mask >>= 1)
    if (relative + mask < size)
      MPI_Send(out, COUNT, MPI_DOUBLE, (rank + mask) % size, 1, MPI_COMM_WORLD);
}

static void reduce(int root) {
  const int relative = (rank - root + size) % size;
  for (int mask = 1; mask < size; mask <<= 1) {
    if (relative & mask) {
      MPI_Send(out, COUNT, MPI_DOUBLE, (rank - mask + size) % size, 2, MPI_COMM_WORLD);
      return;
    }
    if (relative + mask < size)
      MPI_Recv(in, COUNT, MPI_DOUBLE, (rank + mask) % size, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  for (int step = 0; step < STEPS; step++) {
    broadcast(0);
    reduce(0);
  }
  MPI_Finalize();
  return 0;
}
