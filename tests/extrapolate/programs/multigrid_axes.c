/* V-cycles on a periodic cube of 32 x 32 x 32 cells over a grid of ranks, all powers of two (as NPB
 * MG). A level has half the cells of the one above in each direction; where an axis has fewer cells
 * than ranks, every second rank of it falls idle: on the way up it is given the faces of those that
 * went on.
 *
 * Levels of each axis: distances to the neighbors, who takes part, faces of what is left. */
#include "pattern.h"

enum { CELLS = 32, LEVELS = 5, CYCLES = 2 };

static int extent[3], place[3];
static int stride[LEVELS + 1][3], cells[LEVELS + 1][3];  // by level; cells 0: idle in that axis

/* Cells of an axis that the `number`-th rank of it has, of 2^level. */
static int owned(int level, int axis, int number) {
  return ((number + 1) << level) / extent[axis] - (number << level) / extent[axis];
}

static int neighbor(int axis, int distance) {
  int at[3] = {place[0], place[1], place[2]};
  at[axis] = (at[axis] + distance + extent[axis]) % extent[axis];
  return at[0] + extent[0] * (at[1] + extent[1] * at[2]);
}

static int takes_part(int level) {
  return cells[level][0] > 0 && cells[level][1] > 0 && cells[level][2] > 0;
}

static int face(int level, int axis) {
  return (cells[level][(axis + 1) % 3] + 2) * (cells[level][(axis + 2) % 3] + 2);
}

/* Both faces of each axis, to the neighbors that take part. */
static void exchange(int level) {
  MPI_Request requests[2];
  for (int axis = 0; axis < 3; axis++) {
    int count = face(level, axis), next = neighbor(axis, stride[level][axis]);
    int previous = neighbor(axis, -stride[level][axis]);
    if (extent[axis] == 1 || !takes_part(level)) continue;
    MPI_Irecv(in, count, MPI_DOUBLE, previous, 10 * axis, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in, count, MPI_DOUBLE, next, 10 * axis + 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(out, count, MPI_DOUBLE, next, 10 * axis, MPI_COMM_WORLD);
    MPI_Send(out, count, MPI_DOUBLE, previous, 10 * axis + 1, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
}

/* Those that are idle in the level below and in this one are not take a face from each side; those
 * that went on give them. */
static void wake(int level) {
  MPI_Request requests[2];
  for (int axis = 0; axis < 3; axis++) {
    int distance = stride[level][axis], count = face(level, axis);
    if (stride[level - 1][axis] == distance) continue;  // none falls idle below
    if (cells[level][axis] > 0 && cells[level - 1][axis] == 0) {
      MPI_Irecv(in, count, MPI_DOUBLE, neighbor(axis, -distance), 40 + axis, MPI_COMM_WORLD,
                &requests[0]);
      MPI_Irecv(in, count, MPI_DOUBLE, neighbor(axis, distance), 50 + axis, MPI_COMM_WORLD,
                &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else if (cells[level - 1][axis] > 0) {
      MPI_Send(out, count, MPI_DOUBLE, neighbor(axis, distance), 40 + axis, MPI_COMM_WORLD);
      MPI_Send(out, count, MPI_DOUBLE, neighbor(axis, -distance), 50 + axis, MPI_COMM_WORLD);
    }
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int log = log2_of(size);
  extent[0] = 1 << log / 3;
  extent[1] = 1 << (log - log / 3) / 2;
  extent[2] = size / (extent[0] * extent[1]);
  place[0] = rank % extent[0];
  place[1] = rank / extent[0] % extent[1];
  place[2] = rank / (extent[0] * extent[1]);
  for (int level = LEVELS; level >= 0; level--)
    for (int axis = 0; axis < 3; axis++) {
      int sparse = 1 << level < extent[axis];  // fewer cells than ranks
      cells[level][axis] = owned(level, axis, place[axis]);
      stride[level][axis] = sparse ? extent[axis] >> level : 1;
    }
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    for (int level = LEVELS; level > 1; level--) exchange(level);
    for (int level = 1; level <= LEVELS; level++) {
      int all_can = cells[level][0] > 0 && cells[level][1] > 0 && cells[level][2] > 0;
      exchange(level);
      if (level > 1 && all_can) wake(level);
    }
    MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
