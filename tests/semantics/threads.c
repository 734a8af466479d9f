// What one thread makes and another uses: communicators, and requests that change hands.
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static MPI_Comm dup;
static MPI_Request handed[3];
static int rank, size, data[3];

// Named by the thread that made them and how many that thread had made before.
//= rank 0 thread 1: MPI_Send dest=2
//= rank 0 thread 1: MPI_Wait request=thread0/1
//= rank 0 thread 1: MPI_Wait request=thread0/2
//= rank 2 thread 1: MPI_Send dest=1
static void* second_thread(void* unused) {
  int value = rank;
  // Rank 0 sends to 2, 1 to 0, 2 to 1.
  MPI_Send(&value, 1, MPI_INT, (rank + 2) % size, 7, dup);
  MPI_Wait(&handed[1], MPI_STATUS_IGNORE);
  MPI_Wait(&handed[2], MPI_STATUS_IGNORE);
  return unused;
}

// Its two younger requests count still: it cannot know when the other thread is done with them.
//= rank 0: MPI_Irecv tag=0
//= rank 0: MPI_Irecv tag=1
//= rank 0: MPI_Irecv tag=2
//= rank 0: MPI_Recv source=1
//= rank 0: MPI_Wait request=2
//= rank 0: MPI_Irecv tag=3
//= rank 0: MPI_Waitall requests=[0]
//= losses: none
int main(int argc, char** argv) {
  int provided, value, values[3];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  for (int i = 0; i < 3; ++i)
    MPI_Irecv(&data[i], 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &handed[i]);
  pthread_t thread;
  pthread_create(&thread, NULL, second_thread, NULL);
  for (int i = 0; i < 3; ++i) {
    values[i] = i;
    MPI_Send(&values[i], 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD);
  }
  MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 7, dup, MPI_STATUS_IGNORE);
  pthread_join(thread, NULL);
  MPI_Wait(&handed[0], MPI_STATUS_IGNORE);
  // Nothing older is pending now: they are forgotten.
  MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &handed[0]);
  MPI_Waitall(1, handed, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&dup);
  MPI_Finalize();
  return 0;
}
