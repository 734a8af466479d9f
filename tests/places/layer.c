/* A layer over MPI as solver libraries have one. */
#include "layer.h"

#include <mpi.h>
#include <stdlib.h>

static int errors;

static void check(int status) {
  if (status != MPI_SUCCESS) errors++;
}

void layer_broadcast(int* values, int n) {
  check(MPI_Bcast(values, n, MPI_INT, 0, MPI_COMM_WORLD));
}

__attribute__((noinline)) static void raw_send(const int* values, int n, int to) {
  check(MPI_Send(values, n, MPI_INT, to, 0, MPI_COMM_WORLD));
}

void layer_send(const int* values, int n, int to) {
  raw_send(values, n, to);
  check(MPI_SUCCESS);
  errors += n < 0;
}

void layer_receive(int* values, int n, int from) {
  check(MPI_Recv(values, n, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

/* Has loops, unlike most of the layer. */
void layer_gather(const int* mine, int* all, int ranks) {
  int* counts = (int*)malloc(2 * (unsigned)ranks * sizeof *counts);
  for (int i = 0; i < ranks; i++) {
    counts[i] = 1;
    counts[ranks + i] = i;
  }
  check(MPI_Allgatherv(mine, 1, MPI_INT, all, counts, counts + ranks, MPI_INT, MPI_COMM_WORLD));
  free(counts);
}
