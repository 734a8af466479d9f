/* Multigrid V-cycles for Poisson's equation on a square, cut into stripes of rows. From level to
 * level the rows become half as long and half as many; when a rank is left with one, every second
 * rank hands its row over and drops out.
 *
 * Class: recursion over levels, each with its own message size, participants and distance to the
 * neighbors (NPB MG). Every V-cycle has to reduce the residual at least to a third.
 */
#include "compute.h"
#include "harness.h"

#include <math.h>

enum { MAX_LEVELS = 24 };

typedef struct {
  int n, rows;       // cells in a row, rows of this rank
  int stride;        // distance to the next rank that takes part
  int north, south;  // ranks; MPI_PROC_NULL beyond the border
  int joins;         // two ranks unite their rows before the next level
  double *u, *f;     // solution and right-hand side [rows + 2][n + 2]
  double* r;         // residual or correction [max(rows, 2)][n]
} Level;

static double* at(const Level* level, double* field, int y, int x) {
  return &field[y * (level->n + 2) + x];
}

/* Fetches the neighbors' rows. Beyond the walls u is the mirror image with the opposite sign, so
 * that it is 0 in between. */
static void fill_halo(const Level* level) {
  const int n = level->n, rows = level->rows;
  double* u = level->u;
  MPI_Sendrecv(at(level, u, 1, 0), n + 2, MPI_DOUBLE, level->north, 0, at(level, u, rows + 1, 0),
               n + 2, MPI_DOUBLE, level->south, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(at(level, u, rows, 0), n + 2, MPI_DOUBLE, level->south, 1, at(level, u, 0, 0), n + 2,
               MPI_DOUBLE, level->north, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int x = 1; x <= n; x++) {
    if (level->north == MPI_PROC_NULL) *at(level, u, 0, x) = -*at(level, u, 1, x);
    if (level->south == MPI_PROC_NULL) *at(level, u, rows + 1, x) = -*at(level, u, rows, x);
  }
  for (int y = 0; y <= rows + 1; y++) {
    *at(level, u, y, 0) = -*at(level, u, y, 1);
    *at(level, u, y, n + 1) = -*at(level, u, y, n);
  }
}

/* The residual f - A u; the cells are 1 / n wide. */
static void find_residual(const Level* level) {
  const int n = level->n;
  double* u = level->u;
  fill_halo(level);
  for (int y = 1; y <= level->rows; y++)
    for (int x = 1; x <= n; x++) {
      double around = *at(level, u, y - 1, x) + *at(level, u, y + 1, x) + *at(level, u, y, x - 1) +
                      *at(level, u, y, x + 1);
      level->r[(y - 1) * n + x - 1] =
          *at(level, level->f, y, x) - (4 * *at(level, u, y, x) - around) * n * n;
    }
  compute(4e-9 * level->rows * n);
}

static void smooth(const Level* level, int sweeps) {
  const int n = level->n;
  while (sweeps-- > 0) {
    find_residual(level);
    for (int y = 1; y <= level->rows; y++)
      for (int x = 1; x <= n; x++)
        *at(level, level->u, y, x) += 0.8 * level->r[(y - 1) * n + x - 1] / (4.0 * n * n);
  }
}

/* Four fine cells make a coarse one. */
static void restrict_residual(const Level* fine, const Level* coarse) {
  const double* r = fine->r;
  for (int y = 1; y <= coarse->rows; y++)
    for (int x = 1; x <= coarse->n; x++) {
      int i = (2 * y - 2) * fine->n + 2 * x - 2;
      *at(coarse, coarse->f, y, x) = (r[i] + r[i + 1] + r[i + fine->n] + r[i + fine->n + 1]) / 4;
    }
  memset(coarse->u, 0, (size_t)((coarse->rows + 2) * (coarse->n + 2)) * sizeof(double));
}

/* Bilinear interpolation of the coarse solution, into the fine level's r. */
static void interpolate(const Level* coarse, const Level* fine) {
  fill_halo(coarse);
  for (int j = 0; j < 2 * coarse->rows; j++)
    for (int i = 0; i < fine->n; i++) {
      int y = j / 2 + 1, x = i / 2 + 1, beyond_y = y + (j % 2 ? 1 : -1);
      int beyond_x = x + (i % 2 ? 1 : -1);
      fine->r[j * fine->n + i] =
          (9 * *at(coarse, coarse->u, y, x) + 3 * *at(coarse, coarse->u, beyond_y, x) +
           3 * *at(coarse, coarse->u, y, beyond_x) + *at(coarse, coarse->u, beyond_y, beyond_x)) /
          16;
    }
}

static void v_cycle(const Level* levels, int depth) {
  const Level *level = &levels[depth], *coarse = level + 1;
  int rank, tag = 10 + depth;
  if (level->n == 1) {  // one cell, whose four neighbors are its own negative
    *at(level, level->u, 1, 1) = *at(level, level->f, 1, 1) / 8;
    return;
  }
  smooth(level, 2);
  find_residual(level);

  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (level->joins && rank / level->stride % 2 == 1) {
    MPI_Send(level->r, level->n, MPI_DOUBLE, rank - level->stride, tag, MPI_COMM_WORLD);
    MPI_Recv(level->r, level->n, MPI_DOUBLE, rank - level->stride, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  } else {
    double* second = level->r + level->n;
    if (level->joins)
      MPI_Recv(second, level->n, MPI_DOUBLE, rank + level->stride, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    restrict_residual(level, coarse);
    v_cycle(levels, depth + 1);
    interpolate(coarse, level);
    if (level->joins)
      MPI_Send(second, level->n, MPI_DOUBLE, rank + level->stride, tag, MPI_COMM_WORLD);
  }
  for (int y = 1; y <= level->rows; y++)
    for (int x = 1; x <= level->n; x++)
      *at(level, level->u, y, x) += level->r[(y - 1) * level->n + x - 1];
  smooth(level, 2);
}

static double residual_norm(const Level* level) {
  double sum = 0;
  find_residual(level);
  for (int i = 0; i < level->rows * level->n; i++) sum += level->r[i] * level->r[i];
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sqrt(sum);
}

/* Sets up the levels in which this rank takes part; returns how many. */
static int make_levels(Level* levels, int rank, int size, int rows) {
  int n = rows * size, stride = 1, count = 0;
  while (n >= 1 && rank % stride == 0) {
    Level* level = &levels[count++];
    *level = (Level){.n = n, .rows = rows, .stride = stride, .joins = rows == 1 && n > 1};
    level->north = rank - stride >= 0 ? rank - stride : MPI_PROC_NULL;
    level->south = rank + stride < size ? rank + stride : MPI_PROC_NULL;
    level->u = calloc((size_t)(rows + 2) * (size_t)(n + 2), sizeof(double));
    level->f = calloc((size_t)(rows + 2) * (size_t)(n + 2), sizeof(double));
    level->r = calloc((size_t)(rows + 1) * (size_t)n, sizeof(double));
    if (rows > 1)
      rows /= 2;
    else
      stride *= 2;
    n /= 2;
  }
  return count;
}

int main(int argc, char** argv) {
  int rank, size, cycles = 3, rows = 4;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &cycles, 1, "--rows", &rows, 1);
  require((size & (size - 1)) == 0, "multigrid: the number of ranks must be a power of two");
  require(rows > 0 && (rows & (rows - 1)) == 0, "multigrid: --rows must be a power of two");
  compute_setup(rank, size);

  Level levels[MAX_LEVELS];
  const int count = make_levels(levels, rank, size, rows);
  for (int y = 1; y <= rows; y++)
    for (int x = 1; x <= levels->n; x++)
      *at(levels, levels->f, y, x) =
          random_unit(1, (uint64_t)(rank * rows + y) * (uint64_t)levels->n + (uint64_t)x) - 0.5;

  long wrong = 0;
  double norm = residual_norm(levels), start = norm;
  for (int cycle = 0; cycle < cycles; cycle++) {
    double before = norm;
    v_cycle(levels, 0);
    norm = residual_norm(levels);
    wrong += norm > before / 3 && norm > 1e-9 * start;
  }

  int status =
      verdict(wrong, "multigrid: %d ranks, %d cycles on %d x %d cells, residual from %.2e to %.2e",
              size, cycles, levels->n, levels->n, start, norm);
  for (int i = 0; i < count; i++) {
    free(levels[i].u);
    free(levels[i].f);
    free(levels[i].r);
  }
  MPI_Finalize();
  return status;
}
