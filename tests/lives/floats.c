/* The floating-point environment is the program's own. As an argument: "flags" prints those that are
   raised during the run and by its end; "traps" runs with traps on. Durations and sizes vary, so
   that the recorder has something to compute. */
#define _GNU_SOURCE
#include <fenv.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static volatile double sink;

static void compute(long n) {
  for (long i = 0; i < n; ++i) sink = sink * 0.5 + 1;
}

int main(int argc, char** argv) {
  static char buffer[4096];
  const int watched = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW;
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  feclearexcept(FE_ALL_EXCEPT);
  if (strcmp(argv[1], "traps") == 0) feenableexcept(watched);
  fesetround(FE_UPWARD);
  unsigned random = 7 + rank;
  for (int step = 0; step < 3000; ++step) {
    random = random * 1103515245u + 12345u;
    compute(random >> 24);
    if (step % 100 == 0) compute(100000);
    MPI_Sendrecv_replace(buffer, 1 + step * 7919 % 4000, MPI_CHAR, (rank + 1) % size, 0,
                         (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (step % 3 == 0) MPI_Barrier(MPI_COMM_WORLD);
  }
  const int during = fetestexcept(watched);
  MPI_Finalize();
  if (rank == 0) {
    printf("during %d, after %d, rounding %s\n", during, fetestexcept(watched),
           fegetround() == FE_UPWARD ? "kept" : "lost");
  }
  return 0;
}
