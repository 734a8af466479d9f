/* An implicit time stepper: every time step iterates until it has converged, every few time steps
 * the state is gathered into a checkpoint. Then the run is repeated from the last checkpoint and
 * has to end in exactly the same state.
 *
 * Class: trip counts that depend on the data (an Allreduce decides), and a rare gather and scatter
 * in between.
 */
#include "compute.h"
#include "harness.h"

#include <math.h>

static const double stiffness = 2;

typedef struct {
  int rank, size, cells;
  double* state;       // [cells + 2], with a halo
  double *old, *next;  // likewise
  double* whole;       // [size cells], the checkpoint; on rank 0
  int saved_at;        // the time step with which to go on
  int iterations;      // all in all
} Run;

/* Energy comes in more or less from time to time, so that some time steps are harder than others.
 */
static double source(int step, int place) {
  return random_unit(1, (uint64_t)step) < 0.3 ? random_unit((uint64_t)step + 2, (uint64_t)place)
                                              : 0;
}

static void exchange_ends(const Run* run, double* u) {
  int left = run->rank > 0 ? run->rank - 1 : MPI_PROC_NULL;
  int right = run->rank < run->size - 1 ? run->rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[run->cells + 1], 1, MPI_DOUBLE, right, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&u[run->cells], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* One Jacobi iteration; returns by how much the state changed at most, anywhere. */
static double iterate(Run* run) {
  double change = 0;
  exchange_ends(run, run->state);
  for (int i = 1; i <= run->cells; i++) {
    run->next[i] =
        (run->old[i] + stiffness * (run->state[i - 1] + run->state[i + 1])) / (1 + 2 * stiffness);
    change = fmax(change, fabs(run->next[i] - run->state[i]));
  }
  double* swap = run->state;
  run->state = run->next;
  run->next = swap;
  compute(4e-9 * run->cells);
  MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return change;
}

static void time_step(Run* run, int step) {
  for (int i = 1; i <= run->cells; i++)
    run->old[i] = run->state[i] + source(step, run->rank * run->cells + i);
  do run->iterations++;
  while (iterate(run) > 1e-2);
}

static void save(Run* run, int step) {
  MPI_Gather(run->state + 1, run->cells, MPI_DOUBLE, run->whole, run->cells, MPI_DOUBLE, 0,
             MPI_COMM_WORLD);
  run->saved_at = step;
}

static void restore(Run* run) {
  MPI_Scatter(run->whole, run->cells, MPI_DOUBLE, run->state + 1, run->cells, MPI_DOUBLE, 0,
              MPI_COMM_WORLD);
}

static double* numbers(int count) {
  return calloc((size_t)count + 2, sizeof(double));
}

int main(int argc, char** argv) {
  int steps = 10, every = 4;
  Run run = {.cells = 32};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &run.size);
  options(argc, argv, "--steps", &steps, 1, "--cells", &run.cells, 1, "--every", &every, 1);
  require(run.cells > 0 && every > 0, "checkpoint: --cells and --every must be positive");
  compute_setup(run.rank, run.size);

  run.state = numbers(run.cells);
  run.old = numbers(run.cells);
  run.next = numbers(run.cells);
  run.whole = run.rank == 0 ? numbers(run.cells * run.size) : NULL;
  for (int step = 0; step < steps; step++) {
    if (step % every == 0) save(&run, step);
    time_step(&run, step);
  }

  double* result = numbers(run.cells);
  int iterations = run.iterations;
  memcpy(result, run.state, (size_t)(run.cells + 2) * sizeof *result);
  restore(&run);
  for (int step = run.saved_at; step < steps; step++) time_step(&run, step);

  long wrong = 0;
  for (int i = 1; i <= run.cells; i++) wrong += run.state[i] != result[i];
  int status = verdict(wrong, "checkpoint: %d ranks, %d time steps, %d iterations, resumed at %d",
                       run.size, steps, iterations, run.saved_at);
  free(run.state);
  free(run.old);
  free(run.next);
  free(run.whole);
  free(result);
  MPI_Finalize();
  return status;
}
