/* The transposes of a three-dimensional FFT on 64 x 64 x 16 points: in slabs of planes while there
 * are no more ranks than planes, in pencils beyond (as NPB FT). A threshold between runs. */
#include "pattern.h"

enum { X = 64, Y = 64, PLANES = 16, STEPS = 4 };

int main(int argc, char** argv) {
  MPI_Comm along_rows, along_columns;
  begin(&argc, &argv);
  const int rows = size <= PLANES ? 1 : PLANES, columns = size / rows;
  MPI_Comm_split(MPI_COMM_WORLD, rank / columns, rank % columns, &along_rows);
  MPI_Comm_split(MPI_COMM_WORLD, rank % columns, rank / columns, &along_columns);
  for (int step = 0; step < STEPS; step++) {
    const int points = X * Y * PLANES / size;
    MPI_Alltoall(out, points / columns, MPI_DOUBLE, in, points / columns, MPI_DOUBLE, along_rows);
    if (rows > 1)
      MPI_Alltoall(out, points / rows, MPI_DOUBLE, in, points / rows, MPI_DOUBLE, along_columns);
    MPI_Reduce(out, in, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  MPI_Comm_free(&along_rows);
  MPI_Comm_free(&along_columns);
  MPI_Finalize();
  return 0;
}
