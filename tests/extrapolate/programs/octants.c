/* Sweeps from the eight corners of a cube over a grid of ranks, in blocks of planes and angles (as
 * Sweep3D). Tags say the octant. In every second octant the column of ranks that a sweep reaches
 * last hands nothing on along itself. */
#include "pattern.h"

enum { CELLS = 50, BLOCKS = 5, ANGLES = 2, STEPS = 2 };

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rows = lower_root_divisor(size), columns = size / rows;
  const int row = rank / columns, column = rank % columns;
  const int wide = share(CELLS, columns, column), high = share(CELLS, rows, row);
  for (int step = 0; step < STEPS; step++) {
    for (int octant = 1; octant <= 8; octant++) {
      const int east = octant > 4, south = octant % 4 == 0 || octant % 4 == 3;
      const int before_x = east ? column > 0 : column + 1 < columns;
      const int behind_x = east ? column + 1 < columns : column > 0;
      const int before_y = south ? row > 0 : row + 1 < rows;
      const int behind_y = south ? row + 1 < rows : row > 0;
      const int x = east ? 1 : -1, y = south ? columns : -columns;
      const int is_skipped = octant % 2 == 0 && (east ? column + 1 == columns : column == 0);
      for (int angle = 0; angle < ANGLES; angle++)
        for (int block = 0; block < BLOCKS; block++) {
          if (before_x)
            MPI_Recv(in, 30 * high, MPI_DOUBLE, rank - x, 1000 * octant, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
          if (before_y && !is_skipped)
            MPI_Recv(in, 30 * wide, MPI_DOUBLE, rank - y, 2000 * octant, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
          if (behind_x)
            MPI_Send(out, 30 * high, MPI_DOUBLE, rank + x, 1000 * octant, MPI_COMM_WORLD);
          if (behind_y && !is_skipped)
            MPI_Send(out, 30 * wide, MPI_DOUBLE, rank + y, 2000 * octant, MPI_COMM_WORLD);
        }
    }
    MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
