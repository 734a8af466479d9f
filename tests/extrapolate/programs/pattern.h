/* What the programs of this folder share: each shows one pattern of communication and computes
 * nothing. */
#ifndef PROGRAMS_PATTERN_H
#define PROGRAMS_PATTERN_H

#include <mpi.h>

enum { LARGEST = 1 << 16 };  // elements of a message

static int rank, size;
static double out[LARGEST], in[LARGEST];

static inline void begin(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/* What part `part` of `parts` has of `whole`: the first parts have the remainder. */
static inline int share(int whole, int parts, int part) {
  return whole / parts + (part < whole % parts);
}

/* The greatest divisor of `number` whose square is not larger. */
static inline int lower_root_divisor(int number) {
  int best = 1;
  for (int d = 1; d * d <= number; d++) best = number % d == 0 ? d : best;
  return best;
}

static inline int log2_of(int number) {
  int log = 0;
  while (number >> (log + 1) > 0) log++;
  return log;
}

#endif
