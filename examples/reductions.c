/* Every blocking reduction, with and without MPI_IN_PLACE, with another root in every step; sums, a
 * location, and an operation of our own that does not commute.
 *
 * Class: reductions to one rank, to all ranks, to a part for every rank, and prefixes over the
 * ranks before.
 */
#include "compute.h"
#include "harness.h"

enum { BLOCK = 3 };

static int rank, size, root;

static int value(int from, int i) {
  return 100 * from + i;
}

static int sum_up_to(int ranks, int i) {
  return 100 * (ranks * (ranks - 1) / 2) + ranks * i;
}

static void fill(int* numbers, int count, int from) {
  for (int i = 0; i < count; i++) numbers[i] = value(from, i);
}

static long differences(const int* sums, int count, int ranks, int first) {
  long wrong = 0;
  for (int i = 0; i < count; i++) wrong += sums[i] != sum_up_to(ranks, first + i);
  return wrong;
}

static long sums(int in_place) {
  int here = in_place && rank == root, mine[BLOCK], sum[BLOCK];
  long wrong = 0;
  fill(here ? sum : mine, BLOCK, rank);
  MPI_Reduce(here ? MPI_IN_PLACE : mine, sum, BLOCK, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  wrong += rank == root ? differences(sum, BLOCK, size, 0) : 0;
  fill(in_place ? sum : mine, BLOCK, rank);
  MPI_Allreduce(in_place ? MPI_IN_PLACE : mine, sum, BLOCK, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return wrong + differences(sum, BLOCK, size, 0);
}

static long prefixes(int in_place) {
  int mine[BLOCK], sum[BLOCK];
  long wrong = 0;
  fill(in_place ? sum : mine, BLOCK, rank);
  MPI_Scan(in_place ? MPI_IN_PLACE : mine, sum, BLOCK, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  wrong += differences(sum, BLOCK, rank + 1, 0);
  fill(in_place ? sum : mine, BLOCK, rank);
  MPI_Exscan(in_place ? MPI_IN_PLACE : mine, sum, BLOCK, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return wrong + (rank > 0 ? differences(sum, BLOCK, rank, 0) : 0);
}

/* Rank r keeps a block of the sums; first all blocks alike, then the length depends on the rank. */
static long parts(int in_place) {
  int* from = calloc((size_t)(BLOCK * size), sizeof *from);
  int* to = calloc((size_t)(BLOCK * size), sizeof *to);
  int *counts = calloc((size_t)size, sizeof *counts), before = 0;
  long wrong = 0;
  for (int r = 0; r < size; r++) counts[r] = 1 + r % BLOCK;
  for (int r = 0; r < rank; r++) before += counts[r];
  fill(in_place ? to : from, BLOCK * size, rank);
  MPI_Reduce_scatter_block(in_place ? MPI_IN_PLACE : from, to, BLOCK, MPI_INT, MPI_SUM,
                           MPI_COMM_WORLD);
  wrong += differences(to, BLOCK, size, BLOCK * rank);
  fill(in_place ? to : from, BLOCK * size, rank);
  MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : from, to, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  wrong += differences(to, counts[rank], size, before);
  free(from);
  free(to);
  free(counts);
  return wrong;
}

/* The smallest of some numbers that all differ, and whose it is. */
static long location(int in_place) {
  struct {
    double number;
    int owner;
  } mine = {(rank + size - root) % size - 0.5, rank}, lowest = mine;
  MPI_Allreduce(in_place ? MPI_IN_PLACE : &mine, &lowest, 1, MPI_DOUBLE_INT, MPI_MINLOC,
                MPI_COMM_WORLD);
  return lowest.owner != root || lowest.number > 0;
}

/* Pairs (a, b) stand for the map x -> a x + b, modulo 2^32. To apply one after the other is
 * associative, but does not commute. */
static void compose(void* first, void* second, int* count, MPI_Datatype* type) {
  const uint32_t* f = first;
  uint32_t* g = second;
  (void)type;
  for (int i = 0; i < 2 * *count; i += 2) {
    g[i + 1] += g[i] * f[i + 1];
    g[i] *= f[i];
  }
}

static long own_operation(int in_place) {
  uint32_t mine[2] = {3, (uint32_t)rank}, all[2] = {3, (uint32_t)rank}, expected = 0;
  MPI_Datatype pair;
  MPI_Op composition;
  MPI_Type_contiguous(2, MPI_UINT32_T, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(compose, 0, &composition);
  MPI_Allreduce(in_place ? MPI_IN_PLACE : mine, all, 1, pair, composition, MPI_COMM_WORLD);
  MPI_Op_free(&composition);
  MPI_Type_free(&pair);
  for (int r = 0; r < size; r++) expected = 3 * expected + (uint32_t)r;
  return all[1] != expected;
}

int main(int argc, char** argv) {
  int steps = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1);
  compute_setup(rank, size);

  static long (*const groups[])(int) = {sums, prefixes, parts, location, own_operation};
  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    root = (size - 1 + step) % size;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
      compute(1e-5);
      wrong += groups[g](0);
      wrong += groups[g](1);
    }
  }
  int status = verdict(wrong, "reductions: %d ranks, %d steps", size, steps);
  MPI_Finalize();
  return status;
}
