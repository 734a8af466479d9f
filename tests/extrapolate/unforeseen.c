/* Messages whose sizes follow a law that is longer than what is sought: what pattern files are for. */
#include <mpi.h>

static char buffer[64];

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int size = (rank * rank * rank + 7) % 23 + 3 * (rank % 5) * (rank % 3);
  if (rank > 0) {
    MPI_Send(buffer, size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  } else {
    for (int i = 1; i < ranks; i++) MPI_Recv(buffer, 64, MPI_BYTE, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
