/* A barrier by dissemination: in round k a rank tells the one 2^k further, modulo their number. It
 * is all that the program does. */
#include "pattern.h"

int main(int argc, char** argv) {
  begin(&argc, &argv);
  for (int distance = 1; distance < size; distance *= 2)
    MPI_Sendrecv(out, 1, MPI_DOUBLE, (rank + distance) % size, 1, in, 1, MPI_DOUBLE,
                 (rank - distance + size) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
