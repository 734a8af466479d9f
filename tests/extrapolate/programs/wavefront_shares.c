/* A sweep over the planes of a cube whose lines are shared out over a grid of ranks, then an
 * exchange of the faces with a halo of two on each side (as the relaxation of NPB LU).
 *
 * Counts: 5 times a share of 33; 10 times a share times the planes; twice a share and its halo. */
#include "pattern.h"

enum { CELLS = 33, PLANES = 31, STEPS = 3 };

static int rows, columns, row, column;

/* From the first corner to the last, or back. */
static void sweep(int sign) {
  const int wide = share(CELLS, columns, column), high = share(CELLS, rows, row);
  const int before_y = sign > 0 ? row > 0 : row + 1 < rows;
  const int before_x = sign > 0 ? column > 0 : column + 1 < columns;
  const int behind_y = sign > 0 ? row + 1 < rows : row > 0;
  const int behind_x = sign > 0 ? column + 1 < columns : column > 0;
  const int tag = sign > 0 ? 1 : 2;
  for (int plane = 1; plane < PLANES; plane++) {
    if (before_y)
      MPI_Recv(in, 5 * wide, MPI_DOUBLE, rank - sign * columns, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    if (before_x)
      MPI_Recv(in, 5 * high, MPI_DOUBLE, rank - sign, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (behind_y) MPI_Send(out, 5 * wide, MPI_DOUBLE, rank + sign * columns, tag, MPI_COMM_WORLD);
    if (behind_x) MPI_Send(out, 5 * high, MPI_DOUBLE, rank + sign, tag, MPI_COMM_WORLD);
  }
}

/* Faces of `count` elements to one neighbor, while those of the opposite one come in. */
static void shift(int to, int from, int count, int tag) {
  MPI_Request request;
  if (from >= 0) MPI_Irecv(in, count, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, &request);
  if (to >= 0) MPI_Send(out, count, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
  if (from >= 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void exchange_faces(void) {
  const int wide = share(CELLS, columns, column), high = share(CELLS, rows, row);
  const int north = row > 0 ? rank - columns : -1, south = row + 1 < rows ? rank + columns : -1;
  const int west = column > 0 ? rank - 1 : -1, east = column + 1 < columns ? rank + 1 : -1;
  shift(south, north, 10 * wide * PLANES, 3);
  shift(north, south, 10 * wide * PLANES, 4);
  shift(east, west, 10 * high * PLANES, 5);
  shift(west, east, 10 * high * PLANES, 6);
  shift(north, south, 2 * (wide + 2), 7);
  shift(west, east, 2 * (high + 2), 8);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  rows = lower_root_divisor(size);
  columns = size / rows;
  row = rank / columns;
  column = rank % columns;
  for (int step = 0; step < STEPS; step++) {
    sweep(1);
    sweep(-1);
    exchange_faces();
    MPI_Allreduce(out, in, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
