/* A reduction up and a broadcast down a tree in which rank r has the children 4 r + 1 to 4 r + 4.
 */
#include "pattern.h"

enum { ARITY = 4, COUNT = 40, STEPS = 3 };

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int parent = (rank - 1) / ARITY, first = ARITY * rank + 1;
  for (int step = 0; step < STEPS; step++) {
    for (int child = first; child < first + ARITY && child < size; child++)
      MPI_Recv(in, COUNT, MPI_DOUBLE, child, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > 0) {
      MPI_Send(out, COUNT, MPI_DOUBLE, parent, 1, MPI_COMM_WORLD);
      MPI_Recv(in, COUNT, MPI_DOUBLE, parent, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int child = first; child < first + ARITY && child < size; child++)
      MPI_Send(out, COUNT, MPI_DOUBLE, child, 2, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
