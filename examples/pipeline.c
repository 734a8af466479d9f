/* Two ways to move a long message in chunks: down a chain in which every rank works on what passes
 * through, and round a ring until everybody has the sum.
 *
 * Class: pipelines on a line and on a ring, as in streaming codes and in the all-reduce of
 * machine-learning libraries.
 */
#include "compute.h"
#include "harness.h"

/* The first rank makes the chunks, the others change them; the last one has all that the ranks did
 * to them. */
static long chain(int rank, int size, int chunks, int length) {
  int *chunk = calloc((size_t)length, sizeof *chunk), *next = calloc((size_t)length, sizeof *next);
  long wrong = 0;
  MPI_Request incoming = MPI_REQUEST_NULL, outgoing = MPI_REQUEST_NULL;
  if (rank > 0) MPI_Irecv(next, length, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &incoming);
  for (int c = 0; c < chunks; c++) {
    MPI_Wait(&outgoing, MPI_STATUS_IGNORE);  // the chunk before has left
    if (rank == 0) {
      for (int i = 0; i < length; i++) chunk[i] = c + i;
    } else {
      MPI_Wait(&incoming, MPI_STATUS_IGNORE);
      int* swap = chunk;
      chunk = next;
      next = swap;
      if (c + 1 < chunks) MPI_Irecv(next, length, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &incoming);
    }
    for (int i = 0; i < length; i++) chunk[i] += rank;
    compute(1e-8 * length);
    if (rank < size - 1)
      MPI_Isend(chunk, length, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, &outgoing);
    else
      for (int i = 0; i < length; i++) wrong += chunk[i] != c + i + size * (size - 1) / 2;
  }
  MPI_Wait(&outgoing, MPI_STATUS_IGNORE);
  free(chunk);
  free(next);
  return wrong;
}

/* The part of n numbers that belongs to place k on the ring: [start, start of k + 1). */
static int part_start(int n, int size, int k) {
  return (int)((long)n * k / size);
}

/* Hands part k to the right while part k - 1 comes in from the left. */
static int pass_part(const int* numbers, int n, int k, int* incoming, int rank, int size) {
  int from = (k + size - 1) % size, start = part_start(n, size, k);
  int end = part_start(n, size, k + 1);
  int count = part_start(n, size, from + 1) - part_start(n, size, from);
  MPI_Sendrecv(numbers + start, end - start, MPI_INT, (rank + 1) % size, 1, incoming, count,
               MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return from;
}

/* Once round to add up the parts, once more to spread the sums. */
static long ring_sum(int rank, int size, int n) {
  int* numbers = calloc((size_t)n, sizeof *numbers);
  int* incoming = calloc((size_t)(n / size + 1), sizeof *incoming);
  long wrong = 0;
  for (int i = 0; i < n; i++) numbers[i] = rank * (i % 10);
  int k = rank;
  for (int hop = 1; hop < size; hop++) {
    k = pass_part(numbers, n, k, incoming, rank, size);
    int start = part_start(n, size, k), end = part_start(n, size, k + 1);
    for (int i = start; i < end; i++) numbers[i] += incoming[i - start];
    compute(1e-9 * (end - start));
  }
  for (int hop = 1; hop < size; hop++) {
    int from = (k + size - 1) % size;
    k = pass_part(numbers, n, k, numbers + part_start(n, size, from), rank, size);
  }
  for (int i = 0; i < n; i++) wrong += numbers[i] != size * (size - 1) / 2 * (i % 10);
  free(numbers);
  free(incoming);
  return wrong;
}

int main(int argc, char** argv) {
  int rank, size, steps = 3, chunks = 8, length = 250;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--chunks", &chunks, 1, "--cells", &length, 1);
  require(chunks > 0 && length > 0, "pipeline: --chunks and --cells must be positive");
  compute_setup(rank, size);

  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    wrong += chain(rank, size, chunks, length);
    wrong += ring_sum(rank, size, length * (step + 1));
  }
  int status = verdict(wrong, "pipeline: %d ranks, %d steps, %d chunks of %d numbers", size, steps,
                       chunks, length);
  MPI_Finalize();
  return status;
}
