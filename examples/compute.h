/* Emulated computation and reproducible random numbers, for C and C++.
 *
 * compute(seconds) stands for the work between two MPI calls: it sleeps for as long as that work
 * would take. A simulator that knows nanosleep() then simulates it exactly. The environment
 * describes the machine:
 *
 *   COMPUTE_SCALE      multiplies every duration; the default 0 leaves communication alone
 *   COMPUTE_IMBALANCE  the last rank takes 1 + imbalance times as long as rank 0, those between
 *                      in proportion
 *   COMPUTE_SLOW       rank 1 takes 1 + slow times as long as the others
 *   COMPUTE_GROUPS     the upper half of the ranks takes 1 + groups times as long as the lower
 *   COMPUTE_BURST      every tenth computation of a rank takes 1 + burst times as long
 *   COMPUTE_DRIFT      computations get longer steadily, on all ranks: after a hundred, they take
 *                      1 + drift times as long
 *   COMPUTE_MOVE       one rank at a time takes 1 + move times as long, for four computations, then
 *                      the next one does
 *   COMPUTE_LOCALITY   caches: a unit of work takes 1 + locality / (number of ranks) times as long
 *   COMPUTE_NOISE      relative standard deviation of the noise, at most 1/3 to keep it symmetric
 *   COMPUTE_SEED       another sequence of noise
 *   COMPUTE_SPIN       1 to keep the processor busy rather than to sleep; not in simulated time
 */
#ifndef EXAMPLES_COMPUTE_H
#define EXAMPLES_COMPUTE_H

#if !defined(_GNU_SOURCE) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L  // for nanosleep(): include this header first
#endif
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
#define COMPUTE_THREAD_LOCAL thread_local
#else
#define COMPUTE_THREAD_LOCAL _Thread_local
#endif

/* The i-th random number of the sequence `seed` (SplitMix64). It has no state: every rank can tell
 * what another one drew. */
static inline uint64_t random_bits(uint64_t seed, uint64_t i) {
  uint64_t z = (seed << 32 ^ seed >> 32) + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* In [0, 1). */
static inline double random_unit(uint64_t seed, uint64_t i) {
  return (double)(random_bits(seed, i) >> 11) / 9007199254740992.0;
}

/* In [0, n). */
static inline int random_below(uint64_t seed, uint64_t i, int n) {
  return (int)(random_bits(seed, i) % (uint64_t)n);
}

static double compute_factor, compute_noise, compute_burst, compute_drift, compute_move;
static unsigned compute_rank, compute_ranks = 1;
static uint64_t compute_seed;
static int compute_spin;

static inline double compute_setting(const char* name) {
  const char* text = getenv(name);
  return text ? atof(text) : 0;
}

/* To be called once, after MPI_Init. */
static inline void compute_setup(int rank, int size) {
  compute_rank = (unsigned)rank;
  compute_ranks = (unsigned)size;
  double position = size > 1 ? (double)rank / (size - 1) : 0;
  compute_factor = compute_setting("COMPUTE_SCALE") *
                   (1 + compute_setting("COMPUTE_IMBALANCE") * position) *
                   (1 + (rank == 1 ? compute_setting("COMPUTE_SLOW") : 0)) *
                   (1 + (2 * rank >= size ? compute_setting("COMPUTE_GROUPS") : 0)) *
                   (1 + compute_setting("COMPUTE_LOCALITY") / size);
  compute_noise = compute_setting("COMPUTE_NOISE");
  compute_burst = compute_setting("COMPUTE_BURST");
  compute_drift = compute_setting("COMPUTE_DRIFT");
  compute_move = compute_setting("COMPUTE_MOVE");
  compute_seed = random_bits((uint64_t)compute_setting("COMPUTE_SEED"), (uint64_t)rank);
  compute_spin = compute_setting("COMPUTE_SPIN") != 0;
}

/* One plus noise: three uniform numbers of [-1, 1] add up to a standard deviation of 1. */
static inline double compute_jitter(void) {
  static COMPUTE_THREAD_LOCAL uint64_t draws = 0;
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += 2 * random_unit(compute_seed, draws++) - 1;
  return 1 + compute_noise * sum;
}

/* How the load of a rank changes, by the number of computations before. */
static inline double compute_load(unsigned n) {
  const double move = n / 4 % compute_ranks == compute_rank ? compute_move : 0;
  const double burst = n % 10 == 4 ? compute_burst : 0;
  return (1 + compute_drift * n / 100) * (1 + move) * (1 + burst);
}

static inline void compute(double seconds) {
  static COMPUTE_THREAD_LOCAL unsigned computations = 0;
  struct timespec now, until, span;
  seconds *= compute_factor * compute_load(computations++);
  if (compute_noise > 0) seconds *= compute_jitter();
  if (seconds <= 0) return;
  span.tv_sec = (time_t)seconds;
  span.tv_nsec = (long)((seconds - (double)span.tv_sec) * 1e9);
  if (!compute_spin) {
    nanosleep(&span, NULL);
    return;
  }
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += span.tv_sec + (until.tv_nsec + span.tv_nsec) / 1000000000;
  until.tv_nsec = (until.tv_nsec + span.tv_nsec) % 1000000000;
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while (now.tv_sec < until.tv_sec || (now.tv_sec == until.tv_sec && now.tv_nsec < until.tv_nsec));
}

#endif
