/* Conway's game of life on a torus. Every tile starts with one glider; gliders leave through the
 * corners of the tiles.
 *
 * Class: nearest neighbors on a periodic Cartesian grid, blocking Sendrecv, one dimension after
 * the other, so that the corners travel along. A glider moves by one cell in both directions every
 * four generations: that is what is checked.
 */
#include "compute.h"
#include "harness.h"

static const char* const glider[] = {".#.", "..#", "###"};

static MPI_Comm make_torus(int* extents) {
  const int periodic[2] = {1, 1};
  MPI_Comm torus;
  MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periodic, 1, &torus);
  return torus;
}

static void exchange_rows(MPI_Comm torus, int n, unsigned char world[n + 2][n + 2]) {
  int up, down;
  MPI_Cart_shift(torus, 0, 1, &up, &down);
  MPI_Sendrecv(world[n], n + 2, MPI_UNSIGNED_CHAR, down, 0, world[0], n + 2, MPI_UNSIGNED_CHAR, up,
               0, torus, MPI_STATUS_IGNORE);
  MPI_Sendrecv(world[1], n + 2, MPI_UNSIGNED_CHAR, up, 1, world[n + 1], n + 2, MPI_UNSIGNED_CHAR,
               down, 1, torus, MPI_STATUS_IGNORE);
}

static void exchange_columns(MPI_Comm torus, MPI_Datatype column, int n,
                             unsigned char world[n + 2][n + 2]) {
  int left, right;
  MPI_Cart_shift(torus, 1, 1, &left, &right);
  MPI_Sendrecv(&world[1][n], 1, column, right, 2, &world[1][0], 1, column, left, 2, torus,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(&world[1][1], 1, column, left, 3, &world[1][n + 1], 1, column, right, 3, torus,
               MPI_STATUS_IGNORE);
}

static void live(int n, unsigned char world[n + 2][n + 2], unsigned char next[n + 2][n + 2]) {
  for (int y = 1; y <= n; y++)
    for (int x = 1; x <= n; x++) {
      int around = world[y - 1][x - 1] + world[y - 1][x] + world[y - 1][x + 1] + world[y][x - 1] +
                   world[y][x + 1] + world[y + 1][x - 1] + world[y + 1][x] + world[y + 1][x + 1];
      next[y][x] = around == 3 || (around == 2 && world[y][x]);
    }
  compute(3e-9 * n * n);
}

static int population(MPI_Comm torus, int n, unsigned char world[n + 2][n + 2]) {
  int mine = 0, all;
  for (int y = 1; y <= n; y++)
    for (int x = 1; x <= n; x++) mine += world[y][x];
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, torus);
  return all;
}

/* The tiles are alike, so a world shifted by any distance is a tile shifted round and round. */
static int expected(int n, int shift, int y, int x) {
  int from_y = ((y - shift) % n + n) % n, from_x = ((x - shift) % n + n) % n;
  return from_y < 3 && from_x < 3 && glider[from_y][from_x] == '#';
}

int main(int argc, char** argv) {
  int rank, size, steps = 20, n = 16, extents[2] = {0, 0}, every = 5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--cells", &n, 1, "--grid", extents, 2, "--every",
          &every, 1);
  require(n >= 8 && every > 0, "stencil2d_torus: --cells must be at least 8, --every positive");
  balanced_grid(size, 2, extents);
  compute_setup(rank, size);

  MPI_Comm torus = make_torus(extents);
  MPI_Datatype column;
  MPI_Type_vector(n, 1, n + 2, MPI_UNSIGNED_CHAR, &column);
  MPI_Type_commit(&column);

  unsigned char(*world)[n + 2] = calloc((size_t)n + 2, sizeof *world);
  unsigned char(*next)[n + 2] = calloc((size_t)n + 2, sizeof *next);
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) world[y + 1][x + 1] = (unsigned char)expected(n, 0, y, x);

  const int generations = (steps + 3) / 4 * 4;
  int alive = population(torus, n, world);
  for (int generation = 1; generation <= generations; generation++) {
    exchange_columns(torus, column, n, world);
    exchange_rows(torus, n, world);
    live(n, world, next);
    void* swap = world;
    world = next;
    next = swap;
    if (generation % every == 0) alive = population(torus, n, world);
  }

  long wrong = alive != 5 * size;
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) wrong += world[y + 1][x + 1] != expected(n, generations / 4, y, x);
  int status = verdict(wrong, "stencil2d_torus: %d x %d ranks, %d generations, %d alive",
                       extents[0], extents[1], generations, alive);
  MPI_Type_free(&column);
  MPI_Comm_free(&torus);
  free(world);
  free(next);
  MPI_Finalize();
  return status;
}
