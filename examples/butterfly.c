/* The matrix-vector products of NPB CG: a matrix spread over a power-of-two grid of ranks, its rows
 * summed up by recursive doubling, the result brought back into place by exchanging it across the
 * diagonal of the grid.
 *
 * Class: butterfly (partner = rank xor 2^k) and transpose partners; on the diagonal a rank talks to
 * itself. The matrix is (1 - a) / n + a I: every product shrinks the deviation from the mean to the
 * part a, and that is checked.
 */
#include "compute.h"
#include "harness.h"

#include <math.h>

static const double shrink = 0.75;

typedef struct {
  int rows, columns, row, column;  // of ranks; columns is rows or twice as many
  int transposed;                  // the rank across the diagonal
  int stripe, piece;               // numbers in a row of the grid, and in a column of it
  int rank;
} Grid;

static Grid make_grid(int rank, int size, int piece) {
  Grid grid = {.rows = 1, .columns = 1, .rank = rank};
  while (grid.rows * grid.columns < size)
    *(grid.columns > grid.rows ? &grid.rows : &grid.columns) *= 2;
  int wide = grid.columns / grid.rows;  // 1 or 2
  grid.row = rank / grid.columns;
  grid.column = rank % grid.columns;
  grid.transposed = grid.column / wide * grid.columns + grid.row * wide + grid.column % wide;
  grid.piece = piece;
  grid.stripe = piece * wide;
  return grid;
}

/* Adds up `count` numbers over the ranks of a row, everybody with everybody, in log2(columns)
 * rounds. */
static void sum_along_row(const Grid* grid, double* numbers, double* scratch, int count) {
  for (int distance = 1; distance < grid->columns; distance *= 2) {
    int partner = grid->rank ^ distance;
    MPI_Request request;
    MPI_Irecv(scratch, count, MPI_DOUBLE, partner, distance, MPI_COMM_WORLD, &request);
    MPI_Send(numbers, count, MPI_DOUBLE, partner, distance, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++) numbers[i] += scratch[i];
  }
}

static void exchange_transposed(const Grid* grid, const double* stripe, double* piece) {
  MPI_Request request;
  const double* half = stripe + (grid->stripe > grid->piece ? grid->column % 2 * grid->piece : 0);
  MPI_Irecv(piece, grid->piece, MPI_DOUBLE, grid->transposed, 0, MPI_COMM_WORLD, &request);
  MPI_Send(half, grid->piece, MPI_DOUBLE, grid->transposed, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* This rank's block of the matrix times its piece of p: what it adds to the stripe of its row. */
static void multiply_block(const Grid* grid, const double* p, double* w) {
  const int n = grid->columns * grid->piece;
  double sum = 0;
  for (int i = 0; i < grid->piece; i++) sum += p[i];
  for (int i = 0; i < grid->stripe; i++) {
    int across =
        grid->row * grid->stripe + i - grid->column * grid->piece;  // where the diagonal is
    w[i] = (1 - shrink) / n * sum + (across >= 0 && across < grid->piece ? shrink * p[across] : 0);
  }
  compute(2e-9 * grid->stripe * grid->piece);
}

static double dot(const Grid* grid, const double* a, const double* b) {
  double sum = 0, scratch;
  for (int i = 0; i < grid->piece; i++) sum += a[i] * b[i];
  sum_along_row(grid, &sum, &scratch, 1);
  return sum;
}

int main(int argc, char** argv) {
  int rank, size, steps = 10, piece = 32;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--cells", &piece, 1);
  require((size & (size - 1)) == 0, "butterfly: the number of ranks must be a power of two");
  require(piece > 0, "butterfly: --cells must be positive");
  compute_setup(rank, size);

  const Grid grid = make_grid(rank, size, piece);
  double* p = calloc((size_t)piece, sizeof *p);
  double* w = calloc((size_t)grid.stripe, sizeof *w);
  double* scratch = calloc((size_t)grid.stripe, sizeof *scratch);
  for (int i = 0; i < piece; i++)  // mean 1, every second one less, every second one more
    p[i] = 1 + (i + grid.column * piece) % 2;

  double first = dot(&grid, p, p), norm = first;
  const int n = grid.columns * piece;
  double mean = n % 2 ? 1 + (double)(n / 2) / n : 1.5;
  for (int step = 0; step < steps; step++) {
    multiply_block(&grid, p, w);
    sum_along_row(&grid, w, scratch, grid.stripe);
    exchange_transposed(&grid, w, p);
    norm = dot(&grid, p, p);
  }

  long wrong = fabs(norm - (n * mean * mean + pow(shrink, 2 * steps) * (first - n * mean * mean))) >
               1e-9 * norm;
  for (int i = 0; i < piece; i++)
    wrong += fabs(p[i] - (mean + pow(shrink, steps) * (1 + (i + grid.column * piece) % 2 - mean))) >
             1e-9;
  int status = verdict(wrong, "butterfly: %d x %d ranks, %d steps, norm %.6f", grid.rows,
                       grid.columns, steps, norm);
  free(p);
  free(w);
  free(scratch);
  MPI_Finalize();
  return status;
}
