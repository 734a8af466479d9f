/* A pipeline along the rows of a grid that the program splits off, without a call that shows
 * neighbors in it: places are ranks of the row. A send is completed one block later. */
#include "pattern.h"

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rows = lower_root_divisor(size), columns = size / rows;
  const int row = rank / columns, column = rank % columns;
  MPI_Comm line;
  MPI_Comm_split(MPI_COMM_WORLD, row, column, &line);
  for (int step = 0; step < 5; step++) {
    MPI_Request pending = MPI_REQUEST_NULL;
    for (int block = 0; block < 6; block++) {
      if (column > 0)
        MPI_Recv(in, 40, MPI_DOUBLE, column - 1, block, line, MPI_STATUS_IGNORE);
      if (column < columns - 1) {
        MPI_Request sent;
        MPI_Isend(out, 40, MPI_DOUBLE, column + 1, block, line, &sent);
        MPI_Wait(&pending, MPI_STATUS_IGNORE);
        pending = sent;
      }
    }
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}
