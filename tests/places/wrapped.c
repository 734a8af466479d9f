/* Functions of one file that reach MPI: only check_sum() does nothing else. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CELLS 100
static double cells[CELLS];

__attribute__((noinline)) static double check_sum(double mine) {
  double sum = 0;
  if (MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS) {
    fprintf(stderr, "no sum\n");
    exit(1);
  }
  return sum;
}

/* Computes, although it makes one call for whoever calls it. */
__attribute__((noinline)) static double largest(void) {
  double mine = 0, all;
  for (int i = 0; i < CELLS; i++) mine = cells[i] > mine ? cells[i] : mine;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /* PLACE largest */
  return all;
}

/* Makes two calls. */
__attribute__((noinline)) static void trade(int peer) {
  MPI_Request request;
  MPI_Irecv(&cells[1], 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &request); /* PLACE trade */
  MPI_Send(&cells[0], 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);            /* PLACE trade */
  MPI_Wait(&request, MPI_STATUS_IGNORE);                                  /* PLACE trade */
}

__attribute__((noinline)) static void setup(int peer) {
  trade(peer);
  cells[0] = largest();
  cells[2] = check_sum(cells[0]); /* PLACE MPI_Allreduce setup via check_sum */
  cells[3] = cells[2];
}

__attribute__((noinline)) static void solve(int peer) {
  for (int i = 0; i < 10; i++) {
    trade(peer);
    cells[0] += largest();
    cells[2] += check_sum(cells[0]); /* PLACE MPI_Allreduce solve via check_sum */
    cells[4] += check_sum(1);        /* PLACE MPI_Allreduce solve via check_sum */
  }
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv); /* PLACE main */
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  setup(rank ^ 1);
  solve(rank ^ 1);
  MPI_Finalize(); /* PLACE main */
  return 0;
}
