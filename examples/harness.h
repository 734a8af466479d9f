/* What every example needs besides communication: options, conditions, grids and a verdict, for C
 * and C++. */
#ifndef EXAMPLES_HARNESS_H
#define EXAMPLES_HARNESS_H

#define MPICH_SKIP_MPICXX 1  // the C++ bindings, which MPI 3 removed
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
/* GCC takes constants such as MPICH's MPI_STATUSES_IGNORE and Open MPI's MPI_UNWEIGHTED for arrays
 * without elements. */
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wstringop-overread"
#endif

/* Ends every rank with exit status 2 unless `condition` holds; it must have the same value on every
 * rank. */
static inline void require(int condition, const char* message) {
  int rank;
  if (condition) return;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) fprintf(stderr, "%s\n", message);
  MPI_Finalize();
  exit(2);
}

static inline int parse_numbers(const char* text, int* values, int count) {
  for (int i = 0; i < count; i++) {
    char* end;
    long number = strtol(text, &end, 10);
    if (end == text || number < 0 || number > 1000000000 || *end != (i + 1 < count ? 'x' : '\0'))
      return 0;
    values[i] = (int)number;
    text = end + 1;
  }
  return 1;
}

/* Reads "--name value" pairs: options(argc, argv, "--steps", &steps, 1, "--grid", grid, 2). The
 * number behind the address says how many integers the value holds; they are joined by x, as in
 * --grid 4x2. */
#define options(...) read_options(__VA_ARGS__, (const char*)NULL)

static inline void read_options(int argc, char** argv, ...) {
  static const char* const shapes[] = {"", "N", "NxN", "NxNxN"};
  for (int i = 1; i < argc; i += 2) {
    char usage[500] = "options:";
    const char* name;
    int known = 0;
    va_list list;
    va_start(list, argv);
    while ((name = va_arg(list, const char*)) != NULL) {
      int* values = va_arg(list, int*);
      int count = va_arg(list, int);
      size_t used = strlen(usage);
      if (strcmp(name, argv[i]) == 0 && i + 1 < argc)
        known |= parse_numbers(argv[i + 1], values, count);
      snprintf(usage + used, sizeof usage - used, " %s %s", name, shapes[count]);
    }
    va_end(list);
    require(known, usage);
  }
}

static inline double power(int base, int exponent) {
  double product = 1;
  while (exponent-- > 0) product *= base;
  return product;
}

/* Unless the extents of a grid are given, arranges the ranks as evenly as possible, the longest
 * side first. Stands in for MPI_Dims_create, which does not have to be even (SimGrid makes 25 x 1
 * of 25 ranks). */
static inline void balanced_grid(int size, int dimensions, int* extents) {
  long places = 1;
  for (int d = 0; d < dimensions; d++) places *= extents[d];
  require(places == 0 || places == size, "--grid must have as many places as there are ranks");
  for (int d = dimensions; places == 0 && d > 0; d--) {
    for (int side = 1; power(side, d) <= size; side++)
      if (size % side == 0) extents[d - 1] = side;
    size /= extents[d - 1];
  }
}

/* Adds up what the ranks found wrong; rank 0 prints one line. Returns the exit status, the same on
 * every rank. */
__attribute__((format(printf, 2, 3))) static inline int verdict(long wrong, const char* format,
                                                                ...) {
  long total;
  int rank;
  MPI_Allreduce(&wrong, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf(total == 0 ? ": correct\n" : ": WRONG (%ld)\n", total);
  }
  return total != 0;
}

#endif
