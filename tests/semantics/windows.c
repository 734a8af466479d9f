// Windows that come and go on communicators whose ranks stand in another order.
#include <mpi.h>

static void put_to(int target, MPI_Comm comm) {
  int memory[8] = {0}, one = 1;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, comm, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&one, 1, MPI_INT, target, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
}

//= rank 0: MPI_Win_create win=0 win_rank=0 win_size=3
//= rank 0: MPI_Put target=1 win=0
//= rank 0: MPI_Win_create win=1 win_rank=2 win_size=3
//= rank 0: MPI_Put target=1 win=1
//= rank 1: MPI_Put target=2 win=0
//= rank 1: MPI_Put target=0 win=1
//= rank 2: MPI_Put target=0 win=0
//= rank 2: MPI_Put target=2 win=1
//= losses: none
int main(int argc, char** argv) {
  int rank, size, reordered_rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm reordered;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reordered);
  MPI_Comm_rank(reordered, &reordered_rank);
  put_to((rank + 1) % size, MPI_COMM_WORLD);
  put_to((reordered_rank + 2) % size, reordered);  // of ranks 2, 1, 0 of the world: 2, 0, 1
  MPI_Comm_free(&reordered);
  MPI_Finalize();
  return 0;
}
