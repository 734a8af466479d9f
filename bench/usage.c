/* Preloaded before the recorder by cost.py: every process that ends MPI leaves a file in the folder
 * of USAGE_FOLDER, named by its process id:
 *   <CPU time [ms]> <CPU time within MPI_Finalize [ms]> <highest resident memory [kB]>
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double g_finalize;
static int g_is_rank;

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

int MPI_Finalize(void) {
  int (*real)(void) = (int (*)(void))dlsym(RTLD_NEXT, "MPI_Finalize");
  const double begin = cpu();
  const int result = real();
  g_finalize = cpu() - begin;
  g_is_rank = 1;
  return result;
}

void mpi_finalize_(int* error) {
  void (*real)(int*) = (void (*)(int*))dlsym(RTLD_NEXT, "mpi_finalize_");
  const double begin = cpu();
  real(error);
  g_finalize = cpu() - begin;
  g_is_rank = 1;
}

__attribute__((destructor)) static void leave_usage(void) {
  const char* folder = getenv("USAGE_FOLDER");
  if (!folder || !g_is_rank) return;
  char path[4096];
  snprintf(path, sizeof path, "%s/%d", folder, (int)getpid());
  FILE* file = fopen(path, "w");
  if (!file) return;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  fprintf(file, "%.3f %.3f %ld\n", cpu(), g_finalize, usage.ru_maxrss);
  fclose(file);
}
