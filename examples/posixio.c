/* A stepper that writes its own checkpoints, with the calls of POSIX and no MPI-IO: each rank has a
 * log of its own, and all write their parts of one shared file, whose sizes and places depend on the
 * rank. At the end everything is read again and compared.
 *
 * Class: file access of the program itself. `reprise record --posix-io` records it.
 */
#define _GNU_SOURCE  // for preadv() and pwritev()
#include "compute.h"
#include "harness.h"

#include <fcntl.h>
#include <sys/uio.h>

typedef struct {
  int rank, size, cells;
  const char* path;
  char log[500];  // the name of the rank's own file
  double* state;  // [cells + rank]
} Run;

static size_t own_bytes(const Run* run) {
  return (size_t)(run->cells + run->rank) * sizeof(double);
}

/* Where the rank's part begins, behind a header and the parts of the ranks before. */
static off_t own_place(const Run* run) {
  long cells = 0;
  for (int r = 0; r < run->rank; r++) cells += run->cells + r;
  return (off_t)(2 * sizeof(int)) + (off_t)cells * (off_t)sizeof(double);
}

/* Rank 0 writes the header, everybody a part; the even ranks in one piece, the odd ones in two. */
static long save(const Run* run, int step) {
  long wrong = 0;
  int header[2] = {run->size, step};
  int file = open(run->path, O_RDWR | O_CREAT, 0600);
  if (file < 0) return 1;
  if (run->rank == 0) wrong += write(file, header, sizeof header) != (ssize_t)sizeof header;
  const size_t bytes = own_bytes(run);
  if (run->rank % 2 == 0) {
    wrong += pwrite(file, run->state, bytes, own_place(run)) != (ssize_t)bytes;
  } else {
    struct iovec pieces[2] = {{run->state, sizeof(double)},
                              {run->state + 1, bytes - sizeof(double)}};
    wrong += pwritev(file, pieces, 2, own_place(run)) != (ssize_t)bytes;
  }
  wrong += fsync(file) != 0;
  wrong += close(file) != 0;
  MPI_Barrier(MPI_COMM_WORLD);
  return wrong;
}

/* Every rank reads the header and its part again, and looks at how large the file is. */
static long restore(const Run* run, int step) {
  long wrong = 0;
  int header[2] = {0, 0};
  const size_t bytes = own_bytes(run);
  double* read_back = malloc(bytes);
  int file = open(run->path, O_RDONLY);
  if (file < 0 || !read_back) return 1;
  wrong += read(file, header, sizeof header) != (ssize_t)sizeof header;
  wrong += header[0] != run->size || header[1] != step;
  if (run->rank % 2 == 0) {
    wrong += lseek(file, own_place(run), SEEK_SET) != own_place(run);
    wrong += read(file, read_back, bytes) != (ssize_t)bytes;
  } else {
    struct iovec pieces[2] = {{read_back, bytes - sizeof(double)},
                              {read_back + bytes / sizeof(double) - 1, sizeof(double)}};
    wrong += preadv(file, pieces, 2, own_place(run)) != (ssize_t)bytes;
  }
  wrong += memcmp(read_back, run->state, bytes) != 0;
  long cells = 0;
  for (int r = 0; r < run->size; r++) cells += run->cells + r;
  const off_t whole = (off_t)(sizeof header) + (off_t)cells * (off_t)sizeof(double);
  wrong += lseek(file, 0, SEEK_END) != whole;
  wrong += read(file, read_back, bytes) != 0;  // nothing is left
  wrong += close(file) != 0;
  free(read_back);
  return wrong;
}

/* A line more in the rank's own file. */
static long note(const Run* run, int step) {
  char line[80];
  long wrong = 0;
  const int length = snprintf(line, sizeof line, "step %d on rank %d\n", step, run->rank);
  int file = open(run->log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0) return 1;
  wrong += write(file, line, (size_t)length) != length;
  wrong += fdatasync(file) != 0;
  return wrong + (close(file) != 0);
}

/* The log is read in one go, with more room than it needs. */
static long read_log(const Run* run, int steps) {
  char text[4096], *at = text;
  long wrong = 0;
  int file = open(run->log, O_RDONLY);
  if (file < 0) return 1;
  const ssize_t length = read(file, text, sizeof text - 1);
  text[length < 0 ? 0 : length] = '\0';
  for (int step = 0; step < steps; step++, at = at ? strchr(at, '\n') : at) {
    if (at && *at == '\n') at++;
    wrong += !at || atoi(at + 5) != step;
  }
  return wrong + (close(file) != 0);
}

int main(int argc, char** argv) {
  int steps = 4, cells = 64, named = argc > 1 && argv[1][0] != '-';
  Run run = {.path = named ? argv[1] : "posixio.data"};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &run.size);
  options(argc - named, argv + named, "--steps", &steps, 1, "--cells", &cells, 1);
  require(cells > 1 && steps > 0 && steps <= 100, "posixio: too few cells, or too many steps");
  compute_setup(run.rank, run.size);
  run.cells = cells;
  snprintf(run.log, sizeof run.log, "%s.log.%d", run.path, run.rank);
  run.state = calloc((size_t)(cells + run.rank), sizeof *run.state);
  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    for (int i = 0; i < cells + run.rank; i++)
      run.state[i] = random_unit((uint64_t)step, (uint64_t)(run.rank * 100000 + i));
    compute(1e-8 * cells);
    wrong += save(&run, step);
    wrong += restore(&run, step);
    wrong += note(&run, step);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  wrong += read_log(&run, steps);
  unlink(run.log);
  MPI_Barrier(MPI_COMM_WORLD);
  if (run.rank == 0) unlink(run.path);
  int status = verdict(wrong, "posixio: %d ranks, %d steps", run.size, steps);
  free(run.state);
  MPI_Finalize();
  return status;
}
