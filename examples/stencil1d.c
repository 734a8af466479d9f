/* 1-D heat equation. Every rank owns a stretch of a rod and trades its end cells with the ranks on
 * either side.
 *
 * Class: nearest neighbors on a line without wrap-around; the rod's ends talk to MPI_PROC_NULL. A
 * reduction now and then. The initial temperature is an eigenvector of the scheme, so the answer is
 * known in every cell.
 */
#include "compute.h"
#include "harness.h"

#include <math.h>

static const double conductivity = 0.25;

enum { LEFTWARD, RIGHTWARD };  // tags

static void exchange_ends(double* u, int cells, int rank, int size) {
  int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  MPI_Request requests[4];

  MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, RIGHTWARD, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&u[cells + 1], 1, MPI_DOUBLE, right, LEFTWARD, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&u[1], 1, MPI_DOUBLE, left, LEFTWARD, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&u[cells], 1, MPI_DOUBLE, right, RIGHTWARD, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void conduct(const double* u, double* next, int cells) {
  for (int i = 1; i <= cells; i++) next[i] = u[i] + conductivity * (u[i - 1] - 2 * u[i] + u[i + 1]);
  compute(2e-9 * cells);
}

static double total_heat(const double* u, int cells) {
  double mine = 0, all;
  for (int i = 1; i <= cells; i++) mine += u[i];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char** argv) {
  int rank, size, steps = 20, cells = 64, every = 5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--cells", &cells, 1, "--every", &every, 1);
  require(cells > 0 && every > 0, "stencil1d: --cells and --every must be positive");
  compute_setup(rank, size);

  const double pi = acos(-1), mode = pi / ((double)cells * size + 1);
  const double decay = 1 - 4 * conductivity * pow(sin(mode / 2), 2);
  double *u = calloc((size_t)cells + 2, sizeof *u), *next = calloc((size_t)cells + 2, sizeof *next);
  for (int i = 1; i <= cells; i++) u[i] = sin(mode * ((double)cells * rank + i));

  double heat = total_heat(u, cells);
  for (int step = 1; step <= steps; step++) {
    exchange_ends(u, cells, rank, size);
    conduct(u, next, cells);
    double* swap = u;
    u = next;
    next = swap;
    if (step % every == 0) heat = total_heat(u, cells);
  }

  long wrong = 0;
  for (int i = 1; i <= cells; i++)
    wrong += fabs(u[i] - pow(decay, steps) * sin(mode * ((double)cells * rank + i))) > 1e-9;
  int status = verdict(wrong, "stencil1d: %d ranks, %d steps, heat %.6f", size, steps, heat);
  free(u);
  free(next);
  MPI_Finalize();
  return status;
}
