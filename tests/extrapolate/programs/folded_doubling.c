/* A sum over all ranks by recursive doubling. Where their number is no power of two, the first
 * ranks are folded in pairs before: even ones hand their part over and wait for the result. */
#include "pattern.h"

enum { COUNT = 16, STEPS = 3 };

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int power = 1 << log2_of(size), extra = size - power;
  for (int step = 0; step < STEPS; step++) {
    int number = rank < 2 * extra ? (rank % 2 == 0 ? -1 : rank / 2) : rank - extra;
    if (number < 0) {
      MPI_Send(out, COUNT, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD);
      MPI_Recv(in, COUNT, MPI_DOUBLE, rank + 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      continue;
    }
    if (rank < 2 * extra)
      MPI_Recv(in, COUNT, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int distance = 1; distance < power; distance *= 2) {
      int other = number ^ distance, peer = other < extra ? 2 * other + 1 : other + extra;
      MPI_Sendrecv(out, COUNT, MPI_DOUBLE, peer, 2, in, COUNT, MPI_DOUBLE, peer, 2, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    }
    if (rank < 2 * extra) MPI_Send(out, COUNT, MPI_DOUBLE, rank - 1, 3, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
