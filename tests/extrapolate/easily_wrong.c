/* Programs whose laws are easily found wrong: easily_wrong pairs|nodes|capped|converging. */
#include <mpi.h>
#include <string.h>

#define STEPS 4

static double out[64], in[64];

static void swap(int peer, int tag) {
  MPI_Sendrecv(out, 8, MPI_DOUBLE, peer, tag, in, 8, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

/* Pairs of neighbors, even and odd ones in turn; an odd number of ranks leaves one alone. */
static void pairs(int rank, int size) {
  for (int step = 0; step < STEPS; ++step) {
    const int other = rank % 2 == 0 ? rank + 1 : rank - 1, next = rank % 2 == 0 ? rank - 1 : rank + 1;
    if (other < size && rank % 2 == 0) MPI_Send(out, 4, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
    if (other < size && rank % 2 == 1) {
      MPI_Recv(in, 4, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (next >= 0 && next < size) swap(next, 2);
  }
}

/* Nodes of four ranks, the last of which is not always full, and their leaders. */
static void nodes(int rank) {
  MPI_Comm node, leaders;
  int place;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 4, rank, &node);
  MPI_Comm_rank(node, &place);
  MPI_Comm_split(MPI_COMM_WORLD, place == 0 ? 0 : MPI_UNDEFINED, rank, &leaders);
  for (int step = 0; step < STEPS; ++step) {
    MPI_Reduce(out, in, 8, MPI_DOUBLE, MPI_SUM, 0, node);
    if (place == 0) MPI_Allreduce(MPI_IN_PLACE, in, 8, MPI_DOUBLE, MPI_SUM, leaders);
    MPI_Bcast(in, 8, MPI_DOUBLE, 0, node);
  }
}

/* A share of a whole, and never more than fits into a buffer. */
static void capped(int rank, int size) {
  const int share = 512 / size, count = share < 60 ? share : 60;
  MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % size, 0, in, count, MPI_DOUBLE,
               (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* As many steps as it happens to take. */
static void converging(int size) {
  for (int step = 0; step < 3 + size * size % 7; ++step) {
    MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "pairs") == 0) pairs(rank, size);
  if (strcmp(what, "nodes") == 0) nodes(rank);
  if (strcmp(what, "capped") == 0) capped(rank, size);
  if (strcmp(what, "converging") == 0) converging(size);
  MPI_Finalize();
  return 0;
}
