/* Parallel input and output: a matrix in one file, written and read by all ranks in every way:
 * collectively through a view of the own tile, independently at explicit places, without blocking,
 * in two halves, and through the shared pointer.
 *
 * Class: MPI-IO. The first argument names the file, by default one in the working directory; it is
 * deleted at the end.
 */
#include "compute.h"
#include "harness.h"

typedef struct {
  int rank, size;
  int grid[2], place[2];  // of ranks
  int ny, nx;             // of this rank's tile
  int* tile;
  const char* path;
} Matrix;

static int element(const Matrix* matrix, int step, int y, int x) {
  int row = matrix->place[0] * matrix->ny + y, column = matrix->place[1] * matrix->nx + x;
  return step + row * matrix->grid[1] * matrix->nx + column;
}

static void fill(Matrix* matrix, int step) {
  for (int y = 0; y < matrix->ny; y++)
    for (int x = 0; x < matrix->nx; x++)
      matrix->tile[y * matrix->nx + x] = element(matrix, step, y, x);
}

static long differences(Matrix* matrix, int step) {
  long wrong = 0;
  for (int i = 0; i < matrix->ny * matrix->nx; i++) {
    wrong += matrix->tile[i] != element(matrix, step, i / matrix->nx, i % matrix->nx);
    matrix->tile[i] = -1;
  }
  return wrong;
}

static MPI_File open_file(const Matrix* matrix, int mode) {
  MPI_File file = MPI_FILE_NULL;
  MPI_File_open(MPI_COMM_WORLD, matrix->path, mode, MPI_INFO_NULL, &file);
  require(file != MPI_FILE_NULL,
          "mpiio: the file cannot be opened; name another one as the first argument");
  return file;
}

static MPI_Datatype tile_type(const Matrix* matrix) {
  const int whole[2] = {matrix->grid[0] * matrix->ny, matrix->grid[1] * matrix->nx};
  const int part[2] = {matrix->ny, matrix->nx};
  const int from[2] = {matrix->place[0] * matrix->ny, matrix->place[1] * matrix->nx};
  MPI_Datatype type;
  MPI_Type_create_subarray(2, whole, part, from, MPI_ORDER_C, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

/* Everybody sees only its own tile of the file. */
static long collective(Matrix* matrix, int step) {
  const int count = matrix->ny * matrix->nx;
  MPI_Datatype type = tile_type(matrix);
  MPI_File file = open_file(matrix, MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_Offset whole = (MPI_Offset)sizeof(int) * count * matrix->size, length;
  long wrong = 0;
  fill(matrix, step);
  MPI_File_set_size(file, whole);
  MPI_File_set_view(file, 0, MPI_INT, type, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, matrix->tile, count, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_File_get_size(file, &length);
  wrong += length != whole;
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_read_all(file, matrix->tile, count, MPI_INT, MPI_STATUS_IGNORE);
  wrong += differences(matrix, step);
  MPI_File_read_at_all_begin(file, 0, matrix->tile, count, MPI_INT);
  compute(1e-5);
  MPI_File_read_at_all_end(file, matrix->tile, MPI_STATUS_IGNORE);
  wrong += differences(matrix, step);
  MPI_File_close(&file);
  MPI_Type_free(&type);
  return wrong;
}

/* Row by row, each rank on its own; odd steps without blocking. */
static long independent(Matrix* matrix, int step) {
  const int nx = matrix->nx, ny = matrix->ny;
  MPI_Request* requests = malloc((size_t)ny * sizeof *requests);
  MPI_File file = open_file(matrix, MPI_MODE_RDWR);
  fill(matrix, step + 1);
  for (int y = 0; y < ny; y++) {
    MPI_Offset offset = (MPI_Offset)sizeof(int) * (element(matrix, 0, y, 0));
    if (step % 2)
      MPI_File_iwrite_at(file, offset, matrix->tile + y * nx, nx, MPI_INT, &requests[y]);
    else
      MPI_File_write_at(file, offset, matrix->tile + y * nx, nx, MPI_INT, MPI_STATUS_IGNORE);
  }
  if (step % 2) MPI_Waitall(ny, requests, MPI_STATUSES_IGNORE);
  MPI_File_sync(file);
  for (int y = 0; y < ny; y++) {
    MPI_Offset offset = (MPI_Offset)sizeof(int) * (element(matrix, 0, y, 0));
    if (step % 2)
      MPI_File_iread_at(file, offset, matrix->tile + y * nx, nx, MPI_INT, &requests[y]);
    else
      MPI_File_read_at(file, offset, matrix->tile + y * nx, nx, MPI_INT, MPI_STATUS_IGNORE);
  }
  if (step % 2) MPI_Waitall(ny, requests, MPI_STATUSES_IGNORE);
  long wrong = differences(matrix, step + 1);
  MPI_File_close(&file);
  free(requests);
  return wrong;
}

/* A log: every rank appends as many lines as it has to say, in the order of the ranks. */
static long ordered(const Matrix* matrix, int step) {
  int lines[4] = {0}, count = 1 + matrix->rank % 4, before = 0, begin;
  MPI_File file = open_file(matrix, MPI_MODE_RDWR);
  for (int i = 0; i < count; i++) lines[i] = step + 1000 * matrix->rank + i;
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_write_ordered(file, lines, count, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Exscan(&count, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  begin = matrix->rank == 0 ? 0 : before;
  MPI_File_sync(file);
  memset(lines, 0, sizeof lines);
  MPI_File_seek(file, (MPI_Offset)sizeof(int) * begin, MPI_SEEK_SET);
  MPI_File_read(file, lines, count, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  long wrong = 0;
  for (int i = 0; i < count; i++) wrong += lines[i] != step + 1000 * matrix->rank + i;
  return wrong;
}

int main(int argc, char** argv) {
  int steps = 2, cells[2] = {4, 8}, named = argc > 1 && argv[1][0] != '-';
  Matrix matrix = {.path = named ? argv[1] : "mpiio.data"};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &matrix.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &matrix.size);
  options(argc - named, argv + named, "--steps", &steps, 1, "--cells", cells, 2);
  require(cells[0] > 0 && cells[1] > 0, "mpiio: --cells must be positive");
  balanced_grid(matrix.size, 2, matrix.grid);
  compute_setup(matrix.rank, matrix.size);

  matrix.place[0] = matrix.rank / matrix.grid[1];
  matrix.place[1] = matrix.rank % matrix.grid[1];
  matrix.ny = cells[0];
  matrix.nx = cells[1];
  matrix.tile = calloc((size_t)matrix.ny * (size_t)matrix.nx, sizeof *matrix.tile);
  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    wrong += collective(&matrix, step);
    wrong += independent(&matrix, step);
    wrong += ordered(&matrix, step);
  }
  if (matrix.rank == 0) MPI_File_delete(matrix.path, MPI_INFO_NULL);
  int status = verdict(wrong, "mpiio: %d ranks, %d steps", matrix.size, steps);
  free(matrix.tile);
  MPI_Finalize();
  return status;
}
