/* The transposes of a spectral code, as in NPB FT: all-to-alls within the rows and the columns of a
 * grid of ranks (pencils) and over all ranks (slabs), on a volume that doubles in every step.
 *
 * Class: all-to-all whose messages grow from step to step and shrink with the number of ranks.
 * Every number tells which rank made it for which, and a transpose there and back has to yield what
 * was there before.
 */
#include "compute.h"
#include "harness.h"

#include <math.h>

static double stamp(int step, int from, int to, int i) {
  return ((step * 4096.0 + from) * 4096.0 + to) * 65536.0 + i;
}

/* Fills the blocks that go to the other ranks of `comm`. */
static void spectrum(MPI_Comm comm, int step, double* data, int count) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int to = 0; to < size; to++)
    for (int i = 0; i < count; i++) data[to * count + i] = stamp(step, rank, to, i);
  compute(2e-9 * count * size * log2(1.0 * count * size + 1));  // a Fourier transform
}

static long differences(MPI_Comm comm, int step, int transposed, const double* data, int count) {
  int rank, size;
  long wrong = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int other = 0; other < size; other++)
    for (int i = 0; i < count; i++)
      wrong += data[other * count + i] !=
               (transposed ? stamp(step, other, rank, i) : stamp(step, rank, other, i));
  return wrong;
}

/* Transposes a share of `volume` numbers within `comm`, and back. */
static long transform(MPI_Comm comm, int step, long volume) {
  int ranks, members;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_size(comm, &members);
  const int count = (int)(volume / ranks / members) + 1;
  double* here = malloc((size_t)count * (size_t)members * sizeof *here);
  double* there = malloc((size_t)count * (size_t)members * sizeof *there);
  long wrong = 0;

  spectrum(comm, step, here, count);
  MPI_Alltoall(here, count, MPI_DOUBLE, there, count, MPI_DOUBLE, comm);
  wrong += differences(comm, step, 1, there, count);
  MPI_Alltoall(there, count, MPI_DOUBLE, here, count, MPI_DOUBLE, comm);
  wrong += differences(comm, step, 0, here, count);
  free(here);
  free(there);
  return wrong;
}

int main(int argc, char** argv) {
  int rank, size, steps = 4, volume = 1024, grid[2] = {0, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--volume", &volume, 1, "--grid", grid, 2);
  require(steps <= 20, "alltoall: --steps doubles the volume each time, 20 must do");
  balanced_grid(size, 2, grid);
  compute_setup(rank, size);

  MPI_Comm row, column;
  MPI_Comm_split(MPI_COMM_WORLD, rank / grid[1], rank, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % grid[1], rank, &column);
  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    wrong += transform(row, step, (long)volume << step);
    wrong += transform(column, step, (long)volume << step);
    wrong += transform(MPI_COMM_WORLD, step, (long)volume << step);
  }

  int status = verdict(wrong, "alltoall: %d x %d ranks, %d to %ld numbers", grid[0], grid[1],
                       volume, (long)volume << (steps > 0 ? steps - 1 : 0));
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
  MPI_Finalize();
  return status;
}
