/* 2-D diffusion with a 9-point stencil: the corner cells go to the diagonal neighbors in messages
 * of their own.
 *
 * Class: eight neighbors on a grid without wrap-around, long edge messages beside corners of one
 * cell. The initial concentration is an eigenvector of the scheme, so the answer is known in every
 * cell.
 */
#include "compute.h"
#include "harness.h"

#include <math.h>

enum { DIRECTIONS = 9 };  // dy, dx in row-major order; the one in the middle is the tile itself

typedef struct {
  int peer[DIRECTIONS];            // ranks; MPI_PROC_NULL beyond the border
  MPI_Datatype shape[DIRECTIONS];  // of what is sent that way and received from there
} Halo;

static int offset(int direction, int axis) {
  return (axis == 0 ? direction / 3 : direction % 3) - 1;
}

static Halo make_halo(int row, int column, const int* extents, int ny, int nx) {
  Halo halo;
  for (int d = 0; d < DIRECTIONS; d++) {
    int dy = offset(d, 0), dx = offset(d, 1);
    int inside =
        row + dy >= 0 && row + dy < extents[0] && column + dx >= 0 && column + dx < extents[1];
    halo.peer[d] = inside ? (row + dy) * extents[1] + column + dx : MPI_PROC_NULL;
    MPI_Type_vector(dy ? 1 : ny, dx ? 1 : nx, nx + 2, MPI_DOUBLE, &halo.shape[d]);
    MPI_Type_commit(&halo.shape[d]);
  }
  return halo;
}

static void free_halo(Halo* halo) {
  for (int d = 0; d < DIRECTIONS; d++) MPI_Type_free(&halo->shape[d]);
}

/* Where the strip that faces direction `delta` begins, on the tile's own side of the border or
 * beyond it. */
static int start(int delta, int cells, int beyond) {
  return delta < 0 ? 1 - beyond : delta > 0 ? cells + beyond : 1;
}

static void exchange(const Halo* halo, int ny, int nx, double u[ny + 2][nx + 2]) {
  MPI_Request requests[2 * DIRECTIONS];
  int pending = 0;
  for (int d = 0; d < DIRECTIONS; d++) {
    int dy = offset(d, 0), dx = offset(d, 1);
    if ((dy == 0 && dx == 0) || halo->peer[d] == MPI_PROC_NULL) continue;
    MPI_Irecv(&u[start(dy, ny, 1)][start(dx, nx, 1)], 1, halo->shape[d], halo->peer[d],
              DIRECTIONS - 1 - d, MPI_COMM_WORLD, &requests[pending++]);
    MPI_Isend(&u[start(dy, ny, 0)][start(dx, nx, 0)], 1, halo->shape[d], halo->peer[d], d,
              MPI_COMM_WORLD, &requests[pending++]);
  }
  MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
}

/* Weights 1 2 1 in both directions, over 16. */
static void diffuse(int ny, int nx, double u[ny + 2][nx + 2], double next[ny + 2][nx + 2]) {
  for (int y = 1; y <= ny; y++)
    for (int x = 1; x <= nx; x++) {
      double edges = u[y - 1][x] + u[y + 1][x] + u[y][x - 1] + u[y][x + 1];
      double corners = u[y - 1][x - 1] + u[y - 1][x + 1] + u[y + 1][x - 1] + u[y + 1][x + 1];
      next[y][x] = (4 * u[y][x] + 2 * edges + corners) / 16;
    }
  compute(4e-9 * ny * nx);
}

int main(int argc, char** argv) {
  int rank, size, steps = 20, cells[2] = {16, 16}, extents[2] = {0, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--cells", cells, 2, "--grid", extents, 2);
  require(cells[0] > 0 && cells[1] > 0, "stencil2d_diag: --cells must be positive");
  balanced_grid(size, 2, extents);
  compute_setup(rank, size);

  const int ny = cells[0], nx = cells[1], row = rank / extents[1], column = rank % extents[1];
  const double pi = acos(-1), ky = pi / ((double)ny * extents[0] + 1);
  const double kx = pi / ((double)nx * extents[1] + 1);
  const double decay = (1 + cos(ky)) / 2 * (1 + cos(kx)) / 2;
  double(*u)[nx + 2] = calloc((size_t)ny + 2, sizeof *u);
  double(*next)[nx + 2] = calloc((size_t)ny + 2, sizeof *next);
  for (int y = 1; y <= ny; y++)
    for (int x = 1; x <= nx; x++)
      u[y][x] = sin(ky * ((double)ny * row + y)) * sin(kx * ((double)nx * column + x));

  Halo halo = make_halo(row, column, extents, ny, nx);
  for (int step = 0; step < steps; step++) {
    exchange(&halo, ny, nx, u);
    diffuse(ny, nx, u, next);
    void* swap = u;
    u = next;
    next = swap;
  }
  free_halo(&halo);

  long wrong = 0;
  for (int y = 1; y <= ny; y++)
    for (int x = 1; x <= nx; x++) {
      double first = sin(ky * ((double)ny * row + y)) * sin(kx * ((double)nx * column + x));
      wrong += fabs(u[y][x] - pow(decay, steps) * first) > 1e-9;
    }
  int status =
      verdict(wrong, "stencil2d_diag: %d x %d ranks, %d steps", extents[0], extents[1], steps);
  free(u);
  free(next);
  MPI_Finalize();
  return status;
}
