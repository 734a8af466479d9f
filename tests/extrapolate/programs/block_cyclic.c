/* A matrix of 500 x 500 numbers in blocks of 8 x 8, dealt out in turn to the rows and columns of a
 * grid of ranks (as ScaLAPACK): how many numbers a rank has is not a share of the whole. */
#include "pattern.h"

enum { N = 500, BLOCK = 8, STEPS = 4 };

/* Of `N` numbers in blocks, those of the `at`-th of `ranks` ranks. */
static int local_numbers(int at, int ranks) {
  const int blocks = N / BLOCK, even = blocks / ranks * BLOCK, extra = blocks % ranks;
  return even + (at < extra ? BLOCK : at == extra ? N % BLOCK : 0);
}

int main(int argc, char** argv) {
  MPI_Comm along_row, along_column;
  begin(&argc, &argv);
  const int rows = lower_root_divisor(size), columns = size / rows;
  const int row = rank / columns, column = rank % columns;
  const int high = local_numbers(row, rows), wide = local_numbers(column, columns);
  MPI_Comm_split(MPI_COMM_WORLD, row, column, &along_row);
  MPI_Comm_split(MPI_COMM_WORLD, column, row, &along_column);
  for (int step = 0; step < STEPS; step++) {
    /* A panel of a block's width along the rows, one of its height along the columns. */
    MPI_Bcast(out, high * BLOCK, MPI_DOUBLE, step % columns, along_row);
    MPI_Bcast(out, BLOCK * wide, MPI_DOUBLE, step % rows, along_column);
    MPI_Sendrecv(out, wide, MPI_DOUBLE, (row + 1) % rows * columns + column, 1, in, wide,
                 MPI_DOUBLE, (row + rows - 1) % rows * columns + column, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&along_row);
  MPI_Comm_free(&along_column);
  MPI_Finalize();
  return 0;
}
