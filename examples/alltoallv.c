/* A bucket sort, as in NPB IS: in every step all ranks draw new keys, agree on ranges of about the
 * same weight, tell each other how many keys will come, and send every key to the rank that owns
 * its range.
 *
 * Class: dynamic all-to-all, with counts that differ from pair to pair and from step to step.
 * Checked: no key is lost, all are in the right range, and the ranges of the ranks are in order.
 */
#include "compute.h"
#include "harness.h"

enum { BUCKETS = 256, KEYS_PER_BUCKET = 64 };

/* The sum of four uniform numbers, so that the buckets in the middle are fuller. */
static void draw_keys(int* keys, int count, uint64_t seed) {
  for (int i = 0; i < count; i++) {
    keys[i] = 0;
    for (uint64_t part = 0; part < 4; part++)
      keys[i] += random_below(seed, 4 * (uint64_t)i + part, BUCKETS * KEYS_PER_BUCKET / 4);
  }
}

/* Gives every rank a run of buckets with about the same number of keys: owner[bucket]. */
static void assign_buckets(const int* keys, int count, int ranks, int* owner) {
  long filled[BUCKETS] = {0}, total = 0, before = 0;
  for (int i = 0; i < count; i++) filled[keys[i] / KEYS_PER_BUCKET]++;
  MPI_Allreduce(MPI_IN_PLACE, filled, BUCKETS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  for (int b = 0; b < BUCKETS; b++) total += filled[b];
  for (int b = 0; b < BUCKETS; b++) {
    owner[b] = (int)(before * ranks / (total + 1));
    before += filled[b];
  }
}

/* Running totals of counts; returns the sum. */
static int displacements(const int* counts, int* starts, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    starts[i] = sum;
    sum += counts[i];
  }
  return sum;
}

/* Sends every key to the owner of its bucket; returns how many arrived, in a new array. */
static int redistribute(const int* keys, int count, int ranks, const int* owner, int** received) {
  int* table = calloc(5 * (size_t)ranks, sizeof *table);
  int *out = table, *out_start = out + ranks, *in = out_start + ranks, *in_start = in + ranks;
  int* next = in_start + ranks;
  int* sorted = malloc(((size_t)count + 1) * sizeof *sorted);
  for (int i = 0; i < count; i++) out[owner[keys[i] / KEYS_PER_BUCKET]]++;
  displacements(out, out_start, ranks);
  memcpy(next, out_start, (size_t)ranks * sizeof *next);
  for (int i = 0; i < count; i++) sorted[next[owner[keys[i] / KEYS_PER_BUCKET]]++] = keys[i];

  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
  int arriving = displacements(in, in_start, ranks);
  *received = malloc(((size_t)arriving + 1) * sizeof **received);
  MPI_Alltoallv(sorted, out, out_start, MPI_INT, *received, in, in_start, MPI_INT, MPI_COMM_WORLD);
  free(sorted);
  free(table);
  return arriving;
}

/* The largest key of the rank below must not be larger than our smallest one. */
static long check(const int* keys, int count, const int* owner, int rank, int size, long expected) {
  int highest = -1, lowest = BUCKETS * KEYS_PER_BUCKET, below = -1;
  long wrong = 0, total = 0, arrived = count;
  for (int i = 0; i < count; i++) {
    wrong += owner[keys[i] / KEYS_PER_BUCKET] != rank;
    highest = keys[i] > highest ? keys[i] : highest;
    lowest = keys[i] < lowest ? keys[i] : lowest;
  }
  MPI_Sendrecv(&highest, 1, MPI_INT, rank < size - 1 ? rank + 1 : MPI_PROC_NULL, 0, &below, 1,
               MPI_INT, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(&arrived, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return wrong + (below > lowest) + (total != expected);
}

int main(int argc, char** argv) {
  int rank, size, steps = 5, count = 1000, seed = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--keys", &count, 1, "--seed", &seed, 1);
  compute_setup(rank, size);

  int *keys = malloc(((size_t)count + 1) * sizeof *keys), *received, owner[BUCKETS];
  long wrong = 0, most = 0;
  for (int step = 0; step < steps; step++) {
    draw_keys(keys, count,
              random_bits((uint64_t)seed, (uint64_t)step * (uint64_t)size + (uint64_t)rank));
    assign_buckets(keys, count, size, owner);
    compute(4e-9 * count);
    int arrived = redistribute(keys, count, size, owner, &received);
    compute(4e-9 * arrived);
    wrong += check(received, arrived, owner, rank, size, (long)count * size);
    most = arrived > most ? arrived : most;
    free(received);
  }
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &most, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);

  int status = verdict(wrong, "alltoallv: %d ranks, %d steps, %d keys each, at most %ld received",
                       size, steps, count, most);
  free(keys);
  MPI_Finalize();
  return status;
}
