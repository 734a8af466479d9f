/* Pipelined sweeps, as in NPB LU: plane after plane, a rank waits for its northern and western
 * neighbors, relaxes its tile and passes its southern and eastern edges on; then the same in the
 * opposite direction.
 *
 * Class: wavefront over a grid of ranks, many small messages, received with MPI_ANY_SOURCE (only
 * one rank uses the tag). Each number is one more than the larger of its two predecessors, so the
 * distance from the corner comes out.
 */
#include "compute.h"
#include "harness.h"

enum { SOUTHWARD, EASTWARD, NORTHWARD, WESTWARD };  // tags

typedef struct {
  int rows, columns, row, column;
  int ny, nx;
  int* value;  // [ny + 2][nx + 2], with a halo on all sides
} Tile;

static int* at(const Tile* tile, int y, int x) {
  return &tile->value[y * (tile->nx + 2) + x];
}

static void receive_line(int* line, int count, int tag) {
  MPI_Status status;
  MPI_Recv(line, count, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
}

/* Towards south and east if sign is 1, towards north and west if it is -1; outside the domain
 * everything is `base`. */
static void receive_edges(const Tile* tile, int sign, int base, int* line) {
  int y = sign > 0 ? 0 : tile->ny + 1, x = sign > 0 ? 0 : tile->nx + 1;
  if (tile->row != (sign > 0 ? 0 : tile->rows - 1))
    receive_line(at(tile, y, 1), tile->nx, sign > 0 ? SOUTHWARD : NORTHWARD);
  else
    for (int i = 1; i <= tile->nx; i++) *at(tile, y, i) = base;
  for (int i = 0; i < tile->ny; i++) line[i] = base;
  if (tile->column != (sign > 0 ? 0 : tile->columns - 1))
    receive_line(line, tile->ny, sign > 0 ? EASTWARD : WESTWARD);
  for (int i = 0; i < tile->ny; i++) *at(tile, i + 1, x) = line[i];
}

static void send_edges(const Tile* tile, int sign, int* line) {
  int rank = tile->row * tile->columns + tile->column;
  if (tile->row != (sign > 0 ? tile->rows - 1 : 0))
    MPI_Send(at(tile, sign > 0 ? tile->ny : 1, 1), tile->nx, MPI_INT, rank + sign * tile->columns,
             sign > 0 ? SOUTHWARD : NORTHWARD, MPI_COMM_WORLD);
  if (tile->column != (sign > 0 ? tile->columns - 1 : 0)) {
    for (int i = 0; i < tile->ny; i++) line[i] = *at(tile, i + 1, sign > 0 ? tile->nx : 1);
    MPI_Send(line, tile->ny, MPI_INT, rank + sign, sign > 0 ? EASTWARD : WESTWARD, MPI_COMM_WORLD);
  }
}

static void relax(const Tile* tile, int sign) {
  for (int j = 0; j < tile->ny; j++)
    for (int i = 0; i < tile->nx; i++) {
      int y = sign > 0 ? 1 + j : tile->ny - j, x = sign > 0 ? 1 + i : tile->nx - i;
      int above = *at(tile, y - sign, x), beside = *at(tile, y, x - sign);
      *at(tile, y, x) = 1 + (above > beside ? above : beside);
    }
  compute(5e-9 * tile->ny * tile->nx);
}

static long check(const Tile* tile, int sign, int base) {
  long wrong = 0;
  for (int y = 1; y <= tile->ny; y++)
    for (int x = 1; x <= tile->nx; x++) {
      int down = tile->row * tile->ny + y, right = tile->column * tile->nx + x;
      int distance = sign > 0
                         ? down + right - 1
                         : (tile->rows * tile->ny - down) + (tile->columns * tile->nx - right) + 1;
      wrong += *at(tile, y, x) != base + distance;
    }
  return wrong;
}

static long sweep(const Tile* tile, int planes, int sign, int base, int* line) {
  long wrong = 0;
  for (int plane = 0; plane < planes; plane++) {
    receive_edges(tile, sign, base + plane, line);
    relax(tile, sign);
    send_edges(tile, sign, line);
    wrong += check(tile, sign, base + plane);
  }
  return wrong;
}

int main(int argc, char** argv) {
  int rank, size, steps = 3, planes = 8, cells[2] = {6, 8}, grid[2] = {0, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--planes", &planes, 1, "--cells", cells, 2, "--grid",
          grid, 2);
  require(cells[0] > 0 && cells[1] > 0, "wavefront: --cells must be positive");
  balanced_grid(size, 2, grid);
  compute_setup(rank, size);

  Tile tile = {.rows = grid[0],
               .columns = grid[1],
               .row = rank / grid[1],
               .column = rank % grid[1],
               .ny = cells[0],
               .nx = cells[1]};
  tile.value = calloc((size_t)(tile.ny + 2) * (size_t)(tile.nx + 2), sizeof *tile.value);
  int* line = calloc((size_t)tile.ny, sizeof *line);
  long wrong = 0, norm = 0;
  for (int step = 0; step < steps; step++) {
    wrong += sweep(&tile, planes, 1, 1000 * step, line);
    wrong += sweep(&tile, planes, -1, 1000 * step, line);
    long mine = *at(&tile, 1, 1);
    MPI_Allreduce(&mine, &norm, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  }

  int status = verdict(wrong, "wavefront: %d x %d ranks, %d steps of %d planes, norm %ld", grid[0],
                       grid[1], steps, planes, norm);
  free(tile.value);
  free(line);
  MPI_Finalize();
  return status;
}
