/* A vector that the number of ranks does not divide: the first ranks get one element more than the
 * others.
 *
 * Class: block distributions with remainders; sizes are n / P, n / P + 1, the ceiling of n / P, and
 * what is left for the last rank. The vector is scattered, smoothed between neighboring blocks,
 * reversed by mirrored partners, and gathered.
 */
#include "compute.h"
#include "harness.h"

/* n / P elements each, and one more for the first n % P ranks. */
static int block_size(int n, int size, int rank) {
  return n / size + (rank < n % size);
}

static int block_start(int n, int size, int rank) {
  return n / size * rank + (rank < n % size ? rank : n % size);
}

/* The ceiling of n / P each, as long as there are any. */
static int ceiling_start(int n, int size, int rank) {
  int chunk = (n + size - 1) / size, start = chunk * rank;
  return start < n ? start : n;
}

static void layout(int n, int size, int (*start)(int, int, int), int* counts, int* starts) {
  for (int r = 0; r < size; r++) {
    starts[r] = start(n, size, r);
    counts[r] = start(n, size, r + 1) - starts[r];
  }
}

/* Adds the last element of every block to the first one of the next. A block may be empty if there
 * are few elements. */
static void smooth(int* block, int count, int rank, int size, int n) {
  int before = rank > 0 && count > 0 ? rank - 1 : MPI_PROC_NULL, from_before = 0;
  int behind = rank < size - 1 && block_size(n, size, rank + 1) > 0 ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(&block[count > 0 ? count - 1 : 0], 1, MPI_INT, behind, 0, &from_before, 1, MPI_INT,
               before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = count - 1; i > 0; i--) block[i] += block[i - 1];
  if (count > 0) block[0] += from_before;
  compute(1e-8 * count);
}

/* Swaps blocks with the rank at the mirrored place, whose block may be longer or shorter by one. */
static int swap_with_mirror(const int* block, int count, int* received, int room, int rank,
                            int size) {
  MPI_Status status;
  int arrived, mirror = size - 1 - rank;
  MPI_Sendrecv(block, count, MPI_INT, mirror, 1, received, room, MPI_INT, mirror, 1, MPI_COMM_WORLD,
               &status);
  MPI_Get_count(&status, MPI_INT, &arrived);
  return arrived;
}

static long one_round(int n, int step, int rank, int size) {
  int *table = calloc(2 * (size_t)size, sizeof *table), *counts = table, *starts = table + size;
  int* whole = calloc((size_t)n + 1, sizeof *whole);
  int* result = calloc((size_t)n + 1, sizeof *result);
  int count = block_size(n, size, rank), first = block_start(n, size, rank), room = n / size + 1;
  int* block = calloc((size_t)room, sizeof *block);
  int* mirrored = calloc((size_t)room, sizeof *mirrored);
  long wrong = 0;

  for (int i = 0; i < n; i++) whole[i] = i * i + step;
  layout(n, size, block_start, counts, starts);
  MPI_Scatterv(whole, counts, starts, MPI_INT, block, count, MPI_INT, step % size, MPI_COMM_WORLD);
  smooth(block, count, rank, size, n);
  int arrived = swap_with_mirror(block, count, mirrored, room, rank, size);
  int mirror_first = block_start(n, size, size - 1 - rank);
  wrong += arrived != block_size(n, size, size - 1 - rank);
  for (int i = 0; i < arrived; i++) {
    int k = mirror_first + i;
    wrong += mirrored[i] != whole[k] + (k > 0 ? whole[k - 1] : 0);
  }
  MPI_Gatherv(block, count, MPI_INT, result, counts, starts, MPI_INT, size - 1, MPI_COMM_WORLD);
  for (int k = 0; k < n && rank == size - 1; k++)
    wrong += result[k] != whole[k] + (k > 0 ? whole[k - 1] : 0);

  layout(n, size, ceiling_start, counts, starts);
  memset(result, 0, (size_t)n * sizeof *result);
  MPI_Allgatherv(whole + starts[rank], counts[rank], MPI_INT, result, counts, starts, MPI_INT,
                 MPI_COMM_WORLD);
  wrong += memcmp(whole, result, (size_t)n * sizeof *result) != 0;
  wrong += first + count != block_start(n, size, rank + 1);
  free(table);
  free(whole);
  free(result);
  free(block);
  free(mirrored);
  return wrong;
}

int main(int argc, char** argv) {
  int rank, size, steps = 5, n = 100;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--cells", &n, 1);
  compute_setup(rank, size);

  long wrong = 0;
  for (int step = 0; step < steps; step++) wrong += one_round(n + 7 * step, step, rank, size);
  int status = verdict(wrong, "integer_division: %d ranks, %d steps, %d elements to begin with",
                       size, steps, n);
  MPI_Finalize();
  return status;
}
