/* Every rank sends to all that come after it, and receives from all before. It is all that the
 * program does. */
#include "pattern.h"

enum { COUNT = 12 };

int main(int argc, char** argv) {
  begin(&argc, &argv);
  for (int from = 0; from < rank; from++)
    MPI_Recv(in, COUNT, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int to = rank + 1; to < size; to++) MPI_Send(out, COUNT, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
