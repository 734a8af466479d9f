/* A program that makes most of its calls through a layer, which is a library of its own. */
#include <mpi.h>

#include "layer.h"

static int table[64];

__attribute__((noinline)) static void share(int* parameters) {
  layer_broadcast(parameters, 4); /* PLACE MPI_Bcast share via layer_broadcast */
  parameters[0]++;
}

__attribute__((noinline)) static void step(int rank, int ranks, int* parameters) {
  if (rank == 0) {
    layer_send(parameters, 4, 1); /* PLACE MPI_Send step via layer_send > raw_send */
  } else if (rank == 1) {
    layer_receive(parameters, 4, 0); /* PLACE MPI_Recv step via layer_receive */
  }
  layer_gather(parameters, table, ranks); /* PLACE MPI_Allgatherv step via layer_gather */
  parameters[1] += table[0];
}

int main(int argc, char** argv) {
  int rank, ranks, parameters[4] = {0};
  MPI_Init(&argc, &argv); /* PLACE main */
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  share(parameters);
  for (int i = 0; i < 5; i++) step(rank, ranks, parameters);
  MPI_Barrier(MPI_COMM_WORLD); /* PLACE main */
  MPI_Finalize();              /* PLACE main */
  return 0;
}
