/* 3-D heat equation with a 7-point stencil; the six faces of a block are subarray datatypes.
 *
 * Class: nearest neighbors in a box without wrap-around; the faces differ in size and in memory
 * layout. The initial temperature is an eigenvector of the scheme, so the answer is known in every
 * cell.
 */
#include "compute.h"
#include "harness.h"

#include <math.h>

static const double conductivity = 0.15;

typedef struct {
  int lower, upper;  // ranks; MPI_PROC_NULL beyond the border
  MPI_Datatype first, last, before,
      behind;  // the outermost own layers, and the halo on either side of them
} Axis;

typedef struct {
  int nz, ny, nx;
} Extents;

static size_t at(const Extents* n, int z, int y, int x) {
  return ((size_t)z * (size_t)(n->ny + 2) + (size_t)y) * (size_t)(n->nx + 2) + (size_t)x;
}

/* The layer number `position` across an axis, without the halo of the other two. */
static MPI_Datatype layer(const Extents* n, int axis, int position) {
  int whole[3] = {n->nz + 2, n->ny + 2, n->nx + 2}, part[3] = {n->nz, n->ny, n->nx};
  int from[3] = {1, 1, 1};
  MPI_Datatype type;
  part[axis] = 1;
  from[axis] = position;
  MPI_Type_create_subarray(3, whole, part, from, MPI_ORDER_C, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

static Axis make_axis(MPI_Comm box, const Extents* n, int axis) {
  int cells[3] = {n->nz, n->ny, n->nx};
  Axis result = {.before = layer(n, axis, 0),
                 .first = layer(n, axis, 1),
                 .last = layer(n, axis, cells[axis]),
                 .behind = layer(n, axis, cells[axis] + 1)};
  MPI_Cart_shift(box, axis, 1, &result.lower, &result.upper);
  return result;
}

static void free_axis(Axis* axis) {
  MPI_Type_free(&axis->before);
  MPI_Type_free(&axis->first);
  MPI_Type_free(&axis->last);
  MPI_Type_free(&axis->behind);
}

static void exchange_faces(MPI_Comm box, const Axis* axes, double* u) {
  MPI_Request requests[12];
  for (int a = 0; a < 3; a++) {
    MPI_Irecv(u, 1, axes[a].before, axes[a].lower, 2 * a, box, &requests[4 * a]);
    MPI_Irecv(u, 1, axes[a].behind, axes[a].upper, 2 * a + 1, box, &requests[4 * a + 1]);
  }
  for (int a = 0; a < 3; a++) {
    MPI_Isend(u, 1, axes[a].last, axes[a].upper, 2 * a, box, &requests[4 * a + 2]);
    MPI_Isend(u, 1, axes[a].first, axes[a].lower, 2 * a + 1, box, &requests[4 * a + 3]);
  }
  MPI_Waitall(12, requests, MPI_STATUSES_IGNORE);
}

static void conduct(const Extents* n, const double* u, double* next) {
  for (int z = 1; z <= n->nz; z++)
    for (int y = 1; y <= n->ny; y++)
      for (int x = 1; x <= n->nx; x++) {
        double around = u[at(n, z - 1, y, x)] + u[at(n, z + 1, y, x)] + u[at(n, z, y - 1, x)] +
                        u[at(n, z, y + 1, x)] + u[at(n, z, y, x - 1)] + u[at(n, z, y, x + 1)];
        next[at(n, z, y, x)] = (1 - 6 * conductivity) * u[at(n, z, y, x)] + conductivity * around;
      }
  compute(3e-9 * n->nz * n->ny * n->nx);
}

/* The eigenvector, from the cell's place in the whole box; `k` holds the wave numbers. */
static double wave(const Extents* n, const int* place, const double* k, int z, int y, int x) {
  return sin(k[0] * ((double)n->nz * place[0] + z)) * sin(k[1] * ((double)n->ny * place[1] + y)) *
         sin(k[2] * ((double)n->nx * place[2] + x));
}

int main(int argc, char** argv) {
  int rank, size, steps = 20, cells[3] = {4, 6, 8}, grid[3] = {0, 0, 0}, place[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--cells", cells, 3, "--grid", grid, 3);
  require(cells[0] > 0 && cells[1] > 0 && cells[2] > 0, "stencil3d: --cells must be positive");
  balanced_grid(size, 3, grid);
  compute_setup(rank, size);

  MPI_Comm box;
  MPI_Cart_create(MPI_COMM_WORLD, 3, grid, (const int[]){0, 0, 0}, 0, &box);
  MPI_Cart_coords(box, rank, 3, place);

  const Extents n = {cells[0], cells[1], cells[2]};
  Axis axes[3];
  double k[3], decay = 1;
  for (int a = 0; a < 3; a++) {
    axes[a] = make_axis(box, &n, a);
    k[a] = acos(-1) / ((double)cells[a] * grid[a] + 1);
    decay -= 4 * conductivity * pow(sin(k[a] / 2), 2);
  }
  size_t volume = at(&n, n.nz + 2, 0, 0);
  double *u = calloc(volume, sizeof *u), *next = calloc(volume, sizeof *next);
  for (int z = 1; z <= n.nz; z++)
    for (int y = 1; y <= n.ny; y++)
      for (int x = 1; x <= n.nx; x++) u[at(&n, z, y, x)] = wave(&n, place, k, z, y, x);

  for (int step = 0; step < steps; step++) {
    exchange_faces(box, axes, u);
    conduct(&n, u, next);
    double* swap = u;
    u = next;
    next = swap;
  }

  long wrong = 0;
  for (int z = 1; z <= n.nz; z++)
    for (int y = 1; y <= n.ny; y++)
      for (int x = 1; x <= n.nx; x++)
        wrong += fabs(u[at(&n, z, y, x)] - pow(decay, steps) * wave(&n, place, k, z, y, x)) > 1e-9;
  int status =
      verdict(wrong, "stencil3d: %d x %d x %d ranks, %d steps", grid[0], grid[1], grid[2], steps);
  for (int a = 0; a < 3; a++) free_axis(&axes[a]);
  MPI_Comm_free(&box);
  free(u);
  free(next);
  MPI_Finalize();
  return status;
}
