/* Lists of requests that are longer or shorter each time and in another order than they were started in, and names of files
   that differ each time. */
#include <mpi.h>
#include <stdio.h>

enum { MOST = 5, STEPS = 6 };

int main(int argc, char** argv) {
  int rank, sent = 0, received[MOST], done, index;
  MPI_Request started[MOST], turned[MOST];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < STEPS; step++) {
    const int n = 2 + (step * step + rank) % (MOST - 1);
    for (int k = 0; k < n; k++) MPI_Irecv(&received[k], 1, MPI_INT, rank, k, MPI_COMM_WORLD, &started[k]);
    for (int k = 0; k < n; k++) MPI_Send(&sent, 1, MPI_INT, rank, k, MPI_COMM_WORLD);
    for (int k = 0; k < n; k++) turned[k] = started[(k + 1) % n];
    if (step % 2 == 0) {
      do MPI_Testall(n, turned, &done, MPI_STATUSES_IGNORE);
      while (!done);
      continue;
    }
    for (int left = n; left > 0; left--) {
      do MPI_Testany(n, turned, &index, &done, MPI_STATUS_IGNORE);
      while (!done);
    }
  }
  for (int step = 8; step < 12; step++) {
    char name[32];
    MPI_File file;
    snprintf(name, sizeof name, "lists-%d.out", step);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
  }
  MPI_Finalize();
  return 0;
}
