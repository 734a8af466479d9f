/* Communicators made of communicators: uneven splits, splits of splits down to single ranks,
 * groups, duplicates in a loop.
 *
 * Class: sub-communicators, in which the same call means other ranks, other sizes and other roots
 * on every rank.
 */
#include "compute.h"
#include "harness.h"

/* A sum over the world ranks of the members, and a ring through them; both tell whether the
 * communicator is what it seems. */
static long use(MPI_Comm comm, int world_rank) {
  int rank, size, sum, left = -1, from_zero = world_rank;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Allreduce(&world_rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  MPI_Sendrecv(&world_rank, 1, MPI_INT, (rank + 1) % size, 0, &left, 1, MPI_INT,
               (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
  MPI_Bcast(&from_zero, 1, MPI_INT, 0, comm);

  MPI_Group world, members;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(comm, &members);
  int expected = 0, expected_left = -1, expected_zero = -1;
  for (int r = 0; r < size; r++) {
    int in_world;
    MPI_Group_translate_ranks(members, 1, &r, world, &in_world);
    expected += in_world;
    expected_left = r == (rank + size - 1) % size ? in_world : expected_left;
    expected_zero = r == 0 ? in_world : expected_zero;
  }
  MPI_Group_free(&world);
  MPI_Group_free(&members);
  return (sum != expected) + (left != expected_left) + (from_zero != expected_zero);
}

/* One half, one third, and the rest; every fifth rank stays out. Within each the ranks are numbered
 * backwards. */
static long uneven_split(int rank, int size) {
  int part = rank < size / 2 ? 0 : rank < size / 2 + size / 3 ? 1 : 2;
  long wrong = 0;
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 5 == 4 ? MPI_UNDEFINED : part, -rank, &comm);
  if (comm != MPI_COMM_NULL) {
    wrong = use(comm, rank);
    MPI_Comm_free(&comm);
  }
  return wrong;
}

/* Splits into a larger lower and a smaller upper part, and so on until everybody is alone. */
static long split_down(MPI_Comm comm, int world_rank) {
  int rank, size;
  MPI_Comm part;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  long wrong = use(comm, world_rank);
  if (size == 1) return wrong;
  MPI_Comm_split(comm, rank < (2 * size + 2) / 3 && rank < size - 1, rank, &part);
  wrong += split_down(part, world_rank);
  MPI_Comm_free(&part);
  return wrong;
}

/* The even ranks from a range, the multiples of three by exclusion; the first made by its members
 * alone, the second by all. */
static long from_groups(int rank, int size) {
  MPI_Group world, even, odd, threes;
  MPI_Comm comm;
  int evens[3] = {0, (size - 1) / 2 * 2, 2}, *others = calloc((size_t)size, sizeof *others);
  int count = 0;
  long wrong = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_range_incl(world, 1, &evens, &even);
  MPI_Group_difference(world, even, &odd);
  if (rank % 2 == 0 || size > 1) {
    MPI_Comm_create_group(MPI_COMM_WORLD, rank % 2 ? odd : even, rank % 2, &comm);
    wrong += use(comm, rank);
    MPI_Comm_free(&comm);
  }

  for (int r = 0; r < size; r++)
    if (r % 3 != 0) others[count++] = r;
  MPI_Group_excl(world, count, others, &threes);
  MPI_Comm_create(MPI_COMM_WORLD, threes, &comm);
  if (comm != MPI_COMM_NULL) {
    wrong += use(comm, rank);
    MPI_Comm_free(&comm);
  }
  MPI_Group_free(&world);
  MPI_Group_free(&even);
  MPI_Group_free(&odd);
  MPI_Group_free(&threes);
  free(others);
  return wrong;
}

/* A library call that protects its messages with a communicator of its own, every time. */
static long library_call(MPI_Comm comm, int rank) {
  MPI_Comm own;
  MPI_Comm_dup(comm, &own);
  long wrong = use(own, rank);
  compute(1e-6);
  MPI_Comm_free(&own);
  return wrong;
}

/* Rows and columns of a grid, kept over all steps. */
static long rows_and_columns(int rank, int size, int steps) {
  int grid[2] = {0, 0};
  long wrong = 0;
  MPI_Comm row, column;
  balanced_grid(size, 2, grid);
  MPI_Comm_split(MPI_COMM_WORLD, rank / grid[1], rank, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % grid[1], rank, &column);
  for (int step = 0; step < steps; step++) {
    int root = step % grid[1], sum = rank, all;
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, root, row);
    MPI_Bcast(&sum, 1, MPI_INT, root, row);
    MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, column);
    wrong += all != size * (size - 1) / 2;
    wrong += library_call(step % 2 ? row : column, rank);
  }
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
  return wrong;
}

int main(int argc, char** argv) {
  int rank, size, steps = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1);
  compute_setup(rank, size);

  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    wrong += uneven_split(rank, size);
    wrong += library_call(MPI_COMM_WORLD, rank);
  }
  wrong += split_down(MPI_COMM_WORLD, rank);
  wrong += from_groups(rank, size);
  wrong += rows_and_columns(rank, size, steps);
  int status = verdict(wrong, "subcomms: %d ranks, %d steps", size, steps);
  MPI_Finalize();
  return status;
}
