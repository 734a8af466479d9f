/* A standing wave on a membrane: the halo exchange is set up once as persistent requests and
 * started in every step.
 *
 * Class: nearest neighbors on a grid without wrap-around with MPI_Send_init, MPI_Recv_init and
 * MPI_Startall. The membrane swings in an eigenmode, so its displacement is known at every step.
 */
#include "compute.h"
#include "harness.h"

#include <math.h>

static const double speed = 0.5;  // squared, in cells per step

enum { NORTH, SOUTH, WEST, EAST, SIDES };

typedef struct {
  MPI_Comm comm;
  MPI_Request requests[2 * SIDES];
  double *edge[SIDES], *halo[SIDES];
  int length[SIDES];
} Border;

static void open_border(Border* border, MPI_Comm comm, int ny, int nx) {
  int peer[SIDES];
  MPI_Comm_dup(comm, &border->comm);
  MPI_Cart_shift(border->comm, 0, 1, &peer[NORTH], &peer[SOUTH]);
  MPI_Cart_shift(border->comm, 1, 1, &peer[WEST], &peer[EAST]);
  for (int s = 0; s < SIDES; s++) {
    int opposite = s ^ 1, length = s == NORTH || s == SOUTH ? nx : ny;
    border->length[s] = length;
    border->edge[s] = calloc((size_t)length, sizeof(double));
    border->halo[s] = calloc((size_t)length, sizeof(double));
    MPI_Recv_init(border->halo[s], length, MPI_DOUBLE, peer[s], opposite, border->comm,
                  &border->requests[2 * s]);
    MPI_Send_init(border->edge[s], length, MPI_DOUBLE, peer[s], s, border->comm,
                  &border->requests[2 * s + 1]);
  }
}

static void close_border(Border* border) {
  for (int i = 0; i < 2 * SIDES; i++) MPI_Request_free(&border->requests[i]);
  for (int s = 0; s < SIDES; s++) {
    free(border->edge[s]);
    free(border->halo[s]);
  }
  MPI_Comm_free(&border->comm);
}

/* The i-th cell along a side: of the tile's own outermost line, or of the halo beyond it. */
static double* cell(int side, int i, int beyond, int ny, int nx, double u[ny + 2][nx + 2]) {
  switch (side) {
    case NORTH: return &u[1 - beyond][i + 1];
    case SOUTH: return &u[ny + beyond][i + 1];
    case WEST: return &u[i + 1][1 - beyond];
    default: return &u[i + 1][nx + beyond];
  }
}

static void cross_border(Border* border, int ny, int nx, double u[ny + 2][nx + 2]) {
  for (int s = 0; s < SIDES; s++)
    for (int i = 0; i < border->length[s]; i++) border->edge[s][i] = *cell(s, i, 0, ny, nx, u);
  MPI_Startall(2 * SIDES, border->requests);
  MPI_Waitall(2 * SIDES, border->requests, MPI_STATUSES_IGNORE);
  for (int s = 0; s < SIDES; s++)
    for (int i = 0; i < border->length[s]; i++) *cell(s, i, 1, ny, nx, u) = border->halo[s][i];
}

/* Overwrites the state before last with the next one. */
static void swing(int ny, int nx, double u[ny + 2][nx + 2], double other[ny + 2][nx + 2]) {
  for (int y = 1; y <= ny; y++)
    for (int x = 1; x <= nx; x++) {
      double curvature = u[y - 1][x] + u[y + 1][x] + u[y][x - 1] + u[y][x + 1] - 4 * u[y][x];
      other[y][x] = 2 * u[y][x] - other[y][x] + speed * curvature;
    }
  compute(3e-9 * ny * nx);
}

int main(int argc, char** argv) {
  int rank, size, steps = 20, cells[2] = {16, 16}, grid[2] = {0, 0}, place[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--cells", cells, 2, "--grid", grid, 2);
  require(cells[0] > 0 && cells[1] > 0, "persistent: --cells must be positive");
  balanced_grid(size, 2, grid);
  compute_setup(rank, size);

  MPI_Comm sheet;
  MPI_Cart_create(MPI_COMM_WORLD, 2, grid, (const int[]){0, 0}, 0, &sheet);
  MPI_Cart_coords(sheet, rank, 2, place);

  const int ny = cells[0], nx = cells[1];
  const double pi = acos(-1), ky = pi / ((double)ny * grid[0] + 1);
  const double kx = pi / ((double)nx * grid[1] + 1);
  const double angle =
      acos(1 - 2 * speed * (pow(sin(ky / 2), 2) + pow(sin(kx / 2), 2)));  // of the swing, per step
  double(*u)[nx + 2] = calloc((size_t)ny + 2, sizeof *u);
  double(*other)[nx + 2] = calloc((size_t)ny + 2, sizeof *other);
  double(*mode)[nx + 2] = calloc((size_t)ny + 2, sizeof *mode);
  for (int y = 1; y <= ny; y++)
    for (int x = 1; x <= nx; x++) {
      mode[y][x] = sin(ky * ((double)ny * place[0] + y)) * sin(kx * ((double)nx * place[1] + x));
      u[y][x] = mode[y][x];
      other[y][x] = cos(angle) * mode[y][x];
    }

  Border border;
  open_border(&border, sheet, ny, nx);
  for (int step = 0; step < steps; step++) {
    cross_border(&border, ny, nx, u);
    swing(ny, nx, u, other);
    void* swap = u;
    u = other;
    other = swap;
  }
  close_border(&border);

  long wrong = 0;
  for (int y = 1; y <= ny; y++)
    for (int x = 1; x <= nx; x++) wrong += fabs(u[y][x] - cos(steps * angle) * mode[y][x]) > 1e-8;
  int status = verdict(wrong, "persistent: %d x %d ranks, %d steps", grid[0], grid[1], steps);
  MPI_Comm_free(&sheet);
  free(u);
  free(other);
  free(mode);
  MPI_Finalize();
  return status;
}
