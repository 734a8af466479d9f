/* Linked into a program with -Wl,--wrap=MPI_Finalize: every rank says on stderr how long MPI_Finalize
 * took from when all ranks were there, and how much CPU time it used itself:
 *   finalize <rank> <ms> <CPU ms>
 */
#define MPICH_SKIP_MPICXX 1
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <stdio.h>
#include <time.h>

int __real_MPI_Finalize(void);

static double ms(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

int __wrap_MPI_Finalize(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Barrier(MPI_COMM_WORLD);
  const double begin = ms(CLOCK_MONOTONIC), cpu = ms(CLOCK_THREAD_CPUTIME_ID);
  const int result = __real_MPI_Finalize();
  fprintf(stderr, "finalize %d %.2f %.2f\n", rank, ms(CLOCK_MONOTONIC) - begin,
          ms(CLOCK_THREAD_CPUTIME_ID) - cpu);
  return result;
}
