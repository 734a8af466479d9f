/* A master and workers, each with functions of one file that send and receive; compilers put all of them into main. */
#include <mpi.h>

enum { kWork = 1, kStop = 2, kResult = 3, kAll = 20 };

static void my_send(int* buffer, int n, int to, int tag) { MPI_Send(buffer, n, MPI_INT, to, tag, MPI_COMM_WORLD); }

static void my_receive(int* buffer, int n, int from, int tag, MPI_Status* status) {
  MPI_Recv(buffer, n, MPI_INT, from, tag, MPI_COMM_WORLD, status);
}

static void master(int ranks) {
  int next = 0, active = 0, result[2];
  for (int w = 1; w < ranks; w++) {
    my_send(&next, 1, w, kWork); /* PLACE master via my_send */
    next++, active++;
  }
  while (active) {
    MPI_Status status;
    my_receive(result, 2, MPI_ANY_SOURCE, kResult, &status); /* PLACE master via my_receive */
    if (next < kAll) {
      my_send(&next, 1, status.MPI_SOURCE, kWork); /* PLACE master via my_send */
      next++;
    } else {
      my_send(&next, 1, status.MPI_SOURCE, kStop); /* PLACE master via my_send */
      active--;
    }
  }
}

static void worker(void) {
  for (;;) {
    int job, result[2];
    MPI_Status status;
    my_receive(&job, 1, 0, MPI_ANY_TAG, &status); /* PLACE worker via my_receive */
    if (status.MPI_TAG == kStop) break;
    result[0] = job, result[1] = job * job;
    my_send(result, 2, 0, kResult); /* PLACE worker via my_send */
  }
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv); /* PLACE main */
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) master(ranks);
  else worker();
  MPI_Barrier(MPI_COMM_WORLD); /* PLACE main */
  MPI_Finalize();              /* PLACE main */
  return 0;
}
