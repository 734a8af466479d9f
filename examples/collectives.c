/* Every blocking collective that moves data, with and without MPI_IN_PLACE, with another root in
 * every step.
 *
 * Class: collectives: rooted and not, regular and with counts and displacements of their own for
 * every rank.
 */
#include "compute.h"
#include "harness.h"

enum { BLOCK = 3 };

static int rank, size, root;

static int value(int from, int i) {
  return 100 * from + i;
}

/* How much rank r contributes where everybody contributes differently, and where it stands, with a
 * gap behind each. */
static int amount(int r) {
  return 1 + r % BLOCK;
}

static int place(int r) {
  return (BLOCK + 1) * r;
}

static int* array(int count) {
  int* numbers = malloc((size_t)count * sizeof *numbers);
  for (int i = 0; i < count; i++) numbers[i] = -1;
  return numbers;
}

static int* table(int (*entry)(int)) {
  int* numbers = array(size);
  for (int r = 0; r < size; r++) numbers[r] = entry(r);
  return numbers;
}

static void fill(int* numbers, int count, int from) {
  for (int i = 0; i < count; i++) numbers[i] = value(from, i);
}

static long differences(const int* numbers, int count, int from) {
  long wrong = 0;
  for (int i = 0; i < count; i++) wrong += numbers[i] != value(from, i);
  return wrong;
}

static long broadcast(void) {
  int numbers[BLOCK];
  fill(numbers, BLOCK, rank);
  MPI_Bcast(numbers, BLOCK, MPI_INT, root, MPI_COMM_WORLD);
  return differences(numbers, BLOCK, root);
}

static long gather_and_scatter(int in_place) {
  int here = in_place && rank == root, mine[BLOCK], *all = array(BLOCK * size);
  long wrong = 0;
  fill(here ? all + BLOCK * rank : mine, BLOCK, rank);
  MPI_Gather(here ? MPI_IN_PLACE : mine, BLOCK, MPI_INT, all, BLOCK, MPI_INT, root, MPI_COMM_WORLD);
  for (int r = 0; r < size && rank == root; r++) wrong += differences(all + BLOCK * r, BLOCK, r);
  fill(mine, BLOCK, size);
  MPI_Scatter(all, BLOCK, MPI_INT, here ? MPI_IN_PLACE : mine, BLOCK, MPI_INT, root,
              MPI_COMM_WORLD);
  wrong += here ? 0 : differences(mine, BLOCK, rank);
  free(all);
  return wrong;
}

static long gatherv_and_scatterv(int in_place) {
  int here = in_place && rank == root, mine[BLOCK], *all = array(place(size));
  int *counts = table(amount), *starts = table(place);
  long wrong = 0;
  fill(here ? all + place(rank) : mine, amount(rank), rank);
  MPI_Gatherv(here ? MPI_IN_PLACE : mine, amount(rank), MPI_INT, all, counts, starts, MPI_INT, root,
              MPI_COMM_WORLD);
  for (int r = 0; r < size && rank == root; r++)
    wrong += differences(all + place(r), amount(r), r) + (all[place(r) + amount(r)] != -1);
  fill(mine, BLOCK, size);
  MPI_Scatterv(all, counts, starts, MPI_INT, here ? MPI_IN_PLACE : mine, amount(rank), MPI_INT,
               root, MPI_COMM_WORLD);
  wrong += here ? 0 : differences(mine, amount(rank), rank);
  free(all);
  free(counts);
  free(starts);
  return wrong;
}

static long allgathers(int in_place) {
  int mine[BLOCK], *all = array(place(size)), *counts = table(amount), *starts = table(place);
  long wrong = 0;
  fill(in_place ? all + BLOCK * rank : mine, BLOCK, rank);
  MPI_Allgather(in_place ? MPI_IN_PLACE : mine, BLOCK, MPI_INT, all, BLOCK, MPI_INT,
                MPI_COMM_WORLD);
  for (int r = 0; r < size; r++) wrong += differences(all + BLOCK * r, BLOCK, r);
  fill(in_place ? all + place(rank) : mine, amount(rank), rank);
  MPI_Allgatherv(in_place ? MPI_IN_PLACE : mine, amount(rank), MPI_INT, all, counts, starts,
                 MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; r++) wrong += differences(all + place(r), amount(r), r);
  free(all);
  free(counts);
  free(starts);
  return wrong;
}

static int shared_amount(int r) {
  return amount(rank + r);
}

static int shared_place(int r) {
  return BLOCK * r;
}

static int shared_place_in_bytes(int r) {
  return shared_place(r) * (int)sizeof(int);
}

/* The number i from one rank for another. */
static void address(int* numbers) {
  for (int i = 0; i < BLOCK * size; i++) numbers[i] = value(rank, i % BLOCK) + 7 * (i / BLOCK);
}

static long misdirected(const int* numbers, int whole_blocks) {
  long wrong = 0;
  for (int r = 0; r < size; r++)
    for (int i = 0; i < (whole_blocks ? BLOCK : shared_amount(r)); i++)
      wrong += numbers[BLOCK * r + i] != value(r, i) + 7 * rank;
  return wrong;
}

static long alltoalls(int in_place) {
  int *from = array(BLOCK * size), *to = array(BLOCK * size);
  int *counts = table(shared_amount), *starts = table(shared_place);
  int* bytes = table(shared_place_in_bytes);
  MPI_Datatype* types = malloc((size_t)size * sizeof *types);
  long wrong = 0;
  for (int r = 0; r < size; r++) types[r] = (rank + r) % 2 ? MPI_INT : MPI_UNSIGNED;
  address(in_place ? to : from);
  MPI_Alltoall(in_place ? MPI_IN_PLACE : from, BLOCK, MPI_INT, to, BLOCK, MPI_INT, MPI_COMM_WORLD);
  wrong += misdirected(to, 1);
  address(in_place ? to : from);
  MPI_Alltoallv(in_place ? MPI_IN_PLACE : from, counts, starts, MPI_INT, to, counts, starts,
                MPI_INT, MPI_COMM_WORLD);
  wrong += misdirected(to, 0);
  address(in_place ? to : from);
  MPI_Alltoallw(in_place ? MPI_IN_PLACE : from, counts, bytes, types, to, counts, bytes, types,
                MPI_COMM_WORLD);
  wrong += misdirected(to, 0);
  free(from);
  free(to);
  free(counts);
  free(starts);
  free(bytes);
  free(types);
  return wrong;
}

int main(int argc, char** argv) {
  int steps = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1);
  compute_setup(rank, size);

  static long (*const groups[])(int) = {gather_and_scatter, gatherv_and_scatterv, allgathers,
                                        alltoalls};
  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    root = (size - 1 + step) % size;
    wrong += broadcast();
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
      compute(1e-5);
      wrong += groups[g](0);
      wrong += groups[g](1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  int status = verdict(wrong, "collectives: %d ranks, %d steps", size, steps);
  MPI_Finalize();
  return status;
}
