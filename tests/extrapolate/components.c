/* Programs made of several: each part of the ranks has a communicator and a pattern of its own.
 *
 *   components thirds    a ring on a third of the ranks, a grid on the others
 *   components servers   the same, and every eighth rank serves files
 *   components uneven    one half, one third and the rest, each numbered backwards, without every
 *                        fifth rank; rings
 *   components leaders   groups of four ranks, of which the first talk to each other
 *   components halves    halves of halves, as a parallel quicksort makes them, down to single ranks;
 *                        then a communicator of all
 */
#include <mpi.h>
#include <string.h>

enum { kRing, kGrid, kServer };

static void ring(MPI_Comm comm, int count) {
  int rank, size;
  double out[8] = {0}, in[8];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % size, 1, in, count, MPI_DOUBLE,
               (rank + size - 1) % size, 1, comm, MPI_STATUS_IGNORE);
  MPI_Bcast(out, count, MPI_DOUBLE, size - 1, comm);
}

/* The four neighbors on the squarest grid there is; without some at its borders. */
static void grid(MPI_Comm comm) {
  int rank, size, rows = 1;
  double out[4] = {0}, in[4];
  MPI_Request requests[8];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int d = 1; d * d <= size; d++) rows = size % d == 0 ? d : rows;
  int columns = size / rows, x = rank % columns, y = rank / columns;
  int near[4] = {y > 0 ? rank - columns : MPI_PROC_NULL,
                 y + 1 < rows ? rank + columns : MPI_PROC_NULL, x > 0 ? rank - 1 : MPI_PROC_NULL,
                 x + 1 < columns ? rank + 1 : MPI_PROC_NULL};
  for (int d = 0; d < 4; d++) MPI_Irecv(in + d, 1, MPI_DOUBLE, near[d], 2, comm, &requests[d]);
  for (int d = 0; d < 4; d++) MPI_Isend(out + d, 1, MPI_DOUBLE, near[d], 2, comm, &requests[4 + d]);
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

/* The first ranks of the two components exchange what the others need. */
static void couple(int servers, int rank, int size) {
  int kind = servers && rank % 8 == 7 ? kServer : rank < size / 3 ? kRing : kGrid;
  double value = 0;
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, kind, rank, &comm);
  for (int step = 0; step < 10; step++) {
    if (kind == kRing) ring(comm, 4);
    if (kind == kGrid) grid(comm);
    if (kind == kServer) MPI_Barrier(comm);
    if (rank == 0) MPI_Send(&value, 1, MPI_DOUBLE, size - 1, 3, MPI_COMM_WORLD);
    if (rank == size - 1) MPI_Recv(&value, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&comm);
}

static void uneven(int rank, int size) {
  int part = rank < size / 2 ? 0 : rank < size / 2 + size / 3 ? 1 : 2;
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 5 == 4 ? MPI_UNDEFINED : part, -rank, &comm);
  if (comm == MPI_COMM_NULL) return;
  for (int step = 0; step < 5; step++) ring(comm, 2);
  MPI_Comm_free(&comm);
}

static void leaders(int rank) {
  MPI_Comm node, first;
  int place;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 4, rank, &node);
  MPI_Comm_rank(node, &place);
  MPI_Comm_split(MPI_COMM_WORLD, place == 0 ? 0 : MPI_UNDEFINED, rank, &first);
  for (int step = 0; step < 5; step++) {
    double value = 0, sum;
    MPI_Reduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, node);
    if (first != MPI_COMM_NULL) ring(first, 1);
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, node);
  }
  if (first != MPI_COMM_NULL) MPI_Comm_free(&first);
  MPI_Comm_free(&node);
}

static void halves(void) {
  MPI_Comm comm, half, all;
  int size;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (MPI_Comm_size(comm, &size); size > 1; MPI_Comm_size(comm, &size)) {
    int rank;
    double pivot = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Bcast(&pivot, 1, MPI_DOUBLE, size / 2, comm);
    ring(comm, 2);
    MPI_Comm_split(comm, rank >= (size + 1) / 2, 0, &half);
    MPI_Comm_free(&comm);
    comm = half;
  }
  MPI_Comm_free(&comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  ring(all, 1);
  MPI_Comm_free(&all);
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "uneven") == 0)
    uneven(rank, size);
  else if (strcmp(what, "leaders") == 0)
    leaders(rank);
  else if (strcmp(what, "halves") == 0)
    halves();
  else
    couple(strcmp(what, "servers") == 0, rank, size);
  MPI_Finalize();
  return 0;
}
