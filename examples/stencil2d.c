/* 2-D heat equation with a 5-point stencil: every rank owns a tile and trades its four edges with
 * its neighbors.
 *
 * Class: nearest neighbors on a grid without wrap-around; corner, edge and inner ranks make
 * different calls. The initial temperature is an eigenvector of the scheme, so the answer is known
 * in every cell.
 */
#include "compute.h"
#include "harness.h"

#include <math.h>

static const double conductivity = 0.2;

typedef struct {
  int rows, columns;             // of ranks
  int row, column;               // of this rank
  int north, south, west, east;  // ranks; -1 beyond the edge
} Grid;

static Grid make_grid(int rank, const int* extents) {
  Grid grid = {.rows = extents[0], .columns = extents[1]};
  grid.row = rank / grid.columns;
  grid.column = rank % grid.columns;
  grid.north = grid.row > 0 ? rank - grid.columns : -1;
  grid.south = grid.row < grid.rows - 1 ? rank + grid.columns : -1;
  grid.west = grid.column > 0 ? rank - 1 : -1;
  grid.east = grid.column < grid.columns - 1 ? rank + 1 : -1;
  return grid;
}

/* Posts the receive and the send of one edge, if there is a neighbor. Returns how many requests
 * that made. */
static int trade(int neighbor, double* halo, const double* edge, int count,
                 MPI_Request* requests) {
  if (neighbor < 0) return 0;
  MPI_Irecv(halo, count, MPI_DOUBLE, neighbor, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(edge, count, MPI_DOUBLE, neighbor, 0, MPI_COMM_WORLD, &requests[1]);
  return 2;
}

static void exchange_edges(const Grid* grid, int ny, int nx, double u[ny + 2][nx + 2]) {
  enum { WEST, EAST };
  double edge[2][ny], halo[2][ny];
  MPI_Request requests[8];
  int pending = 0;

  for (int y = 0; y < ny; y++) {
    edge[WEST][y] = u[y + 1][1];
    edge[EAST][y] = u[y + 1][nx];
    halo[WEST][y] = halo[EAST][y] = 0;  // what stays at the border of the domain
  }
  pending += trade(grid->north, &u[0][1], &u[1][1], nx, requests + pending);
  pending += trade(grid->south, &u[ny + 1][1], &u[ny][1], nx, requests + pending);
  pending += trade(grid->west, halo[WEST], edge[WEST], ny, requests + pending);
  pending += trade(grid->east, halo[EAST], edge[EAST], ny, requests + pending);
  MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
  for (int y = 0; y < ny; y++) {
    u[y + 1][0] = halo[WEST][y];
    u[y + 1][nx + 1] = halo[EAST][y];
  }
}

static void conduct(int ny, int nx, double u[ny + 2][nx + 2], double next[ny + 2][nx + 2]) {
  for (int y = 1; y <= ny; y++)
    for (int x = 1; x <= nx; x++)
      next[y][x] = u[y][x] + conductivity * (u[y - 1][x] + u[y + 1][x] + u[y][x - 1] + u[y][x + 1] -
                                             4 * u[y][x]);
  compute(2e-9 * ny * nx);
}

static double hottest(int ny, int nx, double u[ny + 2][nx + 2]) {
  double mine = 0, all;
  for (int y = 1; y <= ny; y++)
    for (int x = 1; x <= nx; x++) mine = fmax(mine, u[y][x]);
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char** argv) {
  int rank, size, steps = 20, cells[2] = {16, 16}, extents[2] = {0, 0}, every = 5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--cells", cells, 2, "--grid", extents, 2, "--every",
          &every, 1);
  require(cells[0] > 0 && cells[1] > 0 && every > 0,
          "stencil2d: --cells and --every must be positive");
  balanced_grid(size, 2, extents);
  compute_setup(rank, size);

  const Grid grid = make_grid(rank, extents);
  const int ny = cells[0], nx = cells[1];
  const double pi = acos(-1), ky = pi / ((double)ny * grid.rows + 1);
  const double kx = pi / ((double)nx * grid.columns + 1);
  const double decay = 1 - 4 * conductivity * (pow(sin(ky / 2), 2) + pow(sin(kx / 2), 2));
  double(*u)[nx + 2] = calloc((size_t)ny + 2, sizeof *u);
  double(*next)[nx + 2] = calloc((size_t)ny + 2, sizeof *next);
  double(*start)[nx + 2] = calloc((size_t)ny + 2, sizeof *start);
  for (int y = 1; y <= ny; y++)
    for (int x = 1; x <= nx; x++)
      u[y][x] = start[y][x] =
          sin(ky * ((double)ny * grid.row + y)) * sin(kx * ((double)nx * grid.column + x));

  double peak = hottest(ny, nx, u);
  for (int step = 1; step <= steps; step++) {
    exchange_edges(&grid, ny, nx, u);
    conduct(ny, nx, u, next);
    void* swap = u;
    u = next;
    next = swap;
    if (step % every == 0) peak = hottest(ny, nx, u);
  }

  long wrong = 0;
  for (int y = 1; y <= ny; y++)
    for (int x = 1; x <= nx; x++) wrong += fabs(u[y][x] - pow(decay, steps) * start[y][x]) > 1e-9;
  int status = verdict(wrong, "stencil2d: %d x %d ranks, %d steps, peak %.6f", grid.rows,
                       grid.columns, steps, peak);
  free(u);
  free(next);
  free(start);
  MPI_Finalize();
  return status;
}
