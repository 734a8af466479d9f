/* A ring whose messages are sent in partitions, ready in any order, and collectives that are set up
 * once and started in every step (MPI 4.0). */
#include "harness.h"

enum { kPartitions = 6 };

int main(int argc, char** argv) {
  int steps = 4, cells = 8, rank, size;
  long wrong = 0;
  MPI_Init(&argc, &argv);
  options(argc, argv, "--steps", &steps, 1, "--cells", &cells, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;

  const int n = kPartitions * cells;
  int* out = calloc((size_t)n, sizeof *out);
  int* in = calloc((size_t)n, sizeof *in);
  int first = 0;
  MPI_Request edge[2], sum, spread, barrier;
  long part = 0, total = 0;
  MPI_Psend_init(out, kPartitions, cells, MPI_INT, next, 3, MPI_COMM_WORLD, MPI_INFO_NULL,
                 &edge[0]);
  MPI_Precv_init(in, kPartitions, cells, MPI_INT, before, 3, MPI_COMM_WORLD, MPI_INFO_NULL,
                 &edge[1]);
  MPI_Allreduce_init(&part, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &sum);
  MPI_Bcast_init(&first, 1, MPI_INT, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &spread);
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &barrier);

  for (int step = 0; step < steps; step++) {
    MPI_Startall(2, edge);
    for (int i = 0; i < n; i++) out[i] = 1000 * rank + 10 * step + i % 10;
    int odd[] = {5, 3, 1}, has_come;
    MPI_Pready_list(3, odd, edge[0]);
    MPI_Pready(4, edge[0]);
    MPI_Pready_range(0, 0, edge[0]);
    MPI_Pready(2, edge[0]);
    do MPI_Parrived(edge[1], kPartitions - 1, &has_come);
    while (!has_come);
    MPI_Waitall(2, edge, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++) wrong += in[i] != 1000 * before + 10 * step + i % 10;

    part = in[0];
    MPI_Start(&sum);
    first = out[0];
    MPI_Start(&spread);
    MPI_Wait(&spread, MPI_STATUS_IGNORE);
    MPI_Wait(&sum, MPI_STATUS_IGNORE);
    wrong += total != 500L * size * (size - 1) + 10L * step * size;
    wrong += first != 1000 * (size - 1) + 10 * step;
    MPI_Start(&barrier);
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
  }

  /* Both ways at once, on a communicator that is still being made when others are. */
  MPI_Comm copy, again;
  MPI_Request made[2], both;
  int mine = rank, theirs = -1;
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &copy, &made[0]);
  MPI_Comm_idup(MPI_COMM_WORLD, &again, &made[1]);
  MPI_Waitall(2, made, MPI_STATUSES_IGNORE);
  MPI_Isendrecv(&mine, 1, MPI_INT, next, 1, &theirs, 1, MPI_INT, before, 1, copy, &both);
  MPI_Wait(&both, MPI_STATUS_IGNORE);
  wrong += theirs != before;
  MPI_Isendrecv_replace(&mine, 1, MPI_INT, next, 2, MPI_ANY_SOURCE, 2, again, &both);
  MPI_Wait(&both, MPI_STATUS_IGNORE);
  wrong += mine != before;
  MPI_Comm_free(&copy);
  MPI_Comm_free(&again);

  for (int i = 0; i < 2; i++) MPI_Request_free(&edge[i]);
  MPI_Request_free(&sum);
  MPI_Request_free(&spread);
  MPI_Request_free(&barrier);
  free(out);
  free(in);
  int status = verdict(wrong, "partitioned: %d ranks, %d steps", size, steps);
  MPI_Finalize();
  return status;
}
