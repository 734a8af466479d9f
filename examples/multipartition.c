/* ADI on a multi-partitioned cube, as in NPB BT and SP. With q x q ranks the cube is cut into q x q
 * x q cells, and every rank owns q of them, one in each plane of each direction, so that all ranks
 * work at every stage of every sweep.
 *
 * Class: face exchanges, then sweeps whose partners are shifted along x, along y, and for z along a
 * diagonal. Here a sweep adds to every number the sum of its line. A field a(x) + b(y) + c(z) keeps
 * that form, and is checked.
 */
#include "compute.h"
#include "harness.h"

#include <math.h>

typedef struct {
  int q, n;              // cells per direction, numbers per cell and direction
  int i, j;              // place of this rank in the q x q grid
  uint32_t* value;       // [q][n][n][n]
  uint32_t* profile[3];  // [q n] each: a, b and c, what the field has to be
} Cube;

static int wrap(const Cube* cube, int number) {
  return (number + cube->q) % cube->q;
}

/* Cell c of rank (i, j) lies at (i + c, j - c, c) modulo q. */
static int coordinate(const Cube* cube, int c, int direction) {
  return direction == 0 ? wrap(cube, cube->i + c) : direction == 1 ? wrap(cube, cube->j - c) : c;
}

static int cell_in_plane(const Cube* cube, int direction, int plane) {
  return direction == 0   ? wrap(cube, plane - cube->i)
         : direction == 1 ? wrap(cube, cube->j - plane)
                          : plane;
}

/* The rank that owns the neighbors of all our cells in the positive (sign 1) or negative (-1)
 * direction. */
static int neighbor(const Cube* cube, int direction, int sign) {
  static const int di[3] = {1, 0, -1}, dj[3] = {0, 1, 1};
  return wrap(cube, cube->i + sign * di[direction]) +
         cube->q * wrap(cube, cube->j + sign * dj[direction]);
}

/* The k-th number of line (a, b) along a direction. */
static uint32_t* element(const Cube* cube, int c, int direction, int k, int a, int b) {
  int place[3], n = cube->n;
  place[direction] = k;
  place[(direction + 1) % 3] = a;
  place[(direction + 2) % 3] = b;
  return &cube->value[((c * n + place[2]) * n + place[1]) * n + place[0]];
}

/* What that number has to be; k may lie in the cell before or behind. */
static uint32_t expected(const Cube* cube, int c, int direction, int k, int a, int b) {
  int place[3];
  uint32_t sum = 0;
  place[direction] = k;
  place[(direction + 1) % 3] = a;
  place[(direction + 2) % 3] = b;
  for (int d = 0; d < 3; d++) sum += cube->profile[d][coordinate(cube, c, d) * cube->n + place[d]];
  return sum;
}

enum { PACK, CHECK };

/* Packs the faces on one side of all cells that have a neighbor there, or counts what is wrong in
 * the faces from there. */
static long visit_faces(const Cube* cube, int side, int action, uint32_t* face) {
  int direction = side / 2, last = side % 2 ? cube->q - 1 : 0, inner = side % 2 ? cube->n - 1 : 0;
  int outer = side % 2 ? cube->n : -1;
  long wrong = 0;
  for (int c = 0; c < cube->q; c++)
    for (int a = 0; a < cube->n && coordinate(cube, c, direction) != last; a++)
      for (int b = 0; b < cube->n; b++, face++)
        if (action == PACK)
          *face = *element(cube, c, direction, inner, a, b);
        else
          wrong += *face != expected(cube, c, direction, outer, a, b);
  return wrong;
}

static long copy_faces(const Cube* cube) {
  const int count = (cube->q - 1) * cube->n * cube->n;
  uint32_t* buffer = calloc((size_t)(12 * count + 1), sizeof *buffer);
  MPI_Request requests[12];
  long wrong = 0;
  for (int side = 0; side < 6; side++)
    MPI_Irecv(buffer + side * count, count, MPI_UINT32_T,
              neighbor(cube, side / 2, side % 2 ? 1 : -1), side ^ 1, MPI_COMM_WORLD,
              &requests[side]);
  for (int side = 0; side < 6; side++) {
    visit_faces(cube, side, PACK, buffer + (6 + side) * count);
    MPI_Isend(buffer + (6 + side) * count, count, MPI_UINT32_T,
              neighbor(cube, side / 2, side % 2 ? 1 : -1), side, MPI_COMM_WORLD,
              &requests[6 + side]);
  }
  MPI_Waitall(12, requests, MPI_STATUSES_IGNORE);
  for (int side = 0; side < 6; side++)
    wrong += visit_faces(cube, side, CHECK, buffer + side * count);
  free(buffer);
  return wrong;
}

/* Hands the lines of one cell to the next cell of a sweep, and waits for those that come in for the
 * next stage. */
static void pass_on(const Cube* cube, int direction, int sign, const uint32_t* out, uint32_t* in) {
  const int count = cube->n * cube->n;
  MPI_Request requests[2];
  MPI_Irecv(in, count, MPI_UINT32_T, neighbor(cube, direction, -sign), 10 + direction,
            MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, count, MPI_UINT32_T, neighbor(cube, direction, sign), 10 + direction,
            MPI_COMM_WORLD, &requests[1]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

/* Elimination forward sums up the lines plane by plane, substitution backward adds the sums to all
 * numbers of the lines. */
static void solve(Cube* cube, int direction) {
  const int n = cube->n, q = cube->q;
  uint32_t* line = calloc((size_t)(n * n), sizeof *line);
  uint32_t* next = calloc((size_t)(n * n), sizeof *next);
  for (int stage = 0; stage < 2 * q; stage++) {
    int forward = stage < q;
    int c = cell_in_plane(cube, direction, forward ? stage : 2 * q - 1 - stage);
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++)
        for (int k = 0; k < n; k++)
          if (forward)
            line[a * n + b] += *element(cube, c, direction, k, a, b);
          else
            *element(cube, c, direction, k, a, b) += line[a * n + b];
    compute(5e-9 * n * n * n);
    if (stage == q - 1 || stage == 2 * q - 1) continue;  // the sweep turns round, or ends
    pass_on(cube, direction, forward ? 1 : -1, line, next);
    uint32_t* swap = line;
    line = next;
    next = swap;
  }
  free(line);
  free(next);

  const int length = q * n;  // the same in closed form: a + A, and b and c (length + 1)-fold
  uint32_t sum = 0;
  for (int x = 0; x < length; x++) sum += cube->profile[direction][x];
  for (int x = 0; x < length; x++) {
    cube->profile[direction][x] += sum;
    cube->profile[(direction + 1) % 3][x] *= (uint32_t)length + 1;
    cube->profile[(direction + 2) % 3][x] *= (uint32_t)length + 1;
  }
}

static void fill(Cube* cube) {
  const int n = cube->n, length = cube->q * n;
  for (int d = 0; d < 3; d++) {
    cube->profile[d] = calloc((size_t)length, sizeof(uint32_t));
    for (int x = 0; x < length; x++)
      cube->profile[d][x] = (uint32_t)random_below(1 + (uint64_t)d, (uint64_t)x, 1000);
  }
  cube->value = calloc((size_t)(length * n * n), sizeof(uint32_t));
  for (int c = 0; c < cube->q; c++)
    for (int i = 0; i < n * n * n; i++)
      *element(cube, c, 0, i % n, i / n % n, i / n / n) =
          expected(cube, c, 0, i % n, i / n % n, i / n / n);
}

int main(int argc, char** argv) {
  int rank, size, steps = 4, n = 4;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--cells", &n, 1);
  Cube cube = {.q = (int)lround(sqrt(size)), .n = n};
  require(cube.q * cube.q == size, "multipartition: the number of ranks must be a square");
  require(n > 0, "multipartition: --cells must be positive");
  compute_setup(rank, size);

  cube.i = rank % cube.q;
  cube.j = rank / cube.q;
  fill(&cube);
  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    wrong += copy_faces(&cube);
    for (int direction = 0; direction < 3; direction++) solve(&cube, direction);
  }
  wrong += copy_faces(&cube);

  int status = verdict(wrong, "multipartition: %d x %d ranks, %d steps", cube.q, cube.q, steps);
  free(cube.value);
  for (int d = 0; d < 3; d++) free(cube.profile[d]);
  MPI_Finalize();
  return status;
}
