/* Hangs in the way that its argument names, after ROUNDS barriers (the second argument); the third is a folder in
   which each rank leaves its process number. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kLarge = 1 << 20 };
static char sent[kLarge], received[kLarge];

int main(int argc, char** argv) {
  int rank, ranks, flag = 0;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* way = argv[1];
  char name[4096];
  snprintf(name, sizeof name, "%s/pid-%d", argv[3], rank);
  FILE* file = fopen(name, "w");
  fprintf(file, "%d\n", (int)getpid());
  fclose(file);
  for (int i = 0; i < atoi(argv[2]); i++) MPI_Barrier(MPI_COMM_WORLD);
  const int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
  if (!strcmp(way, "ring")) { /* each sends before it receives, more than is buffered */
    MPI_Send(sent, kLarge, MPI_CHAR, next, 0, MPI_COMM_WORLD);
    MPI_Recv(received, kLarge, MPI_CHAR, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (!strcmp(way, "tags")) { /* a tag that nobody sends */
    MPI_Irecv(received, 1, MPI_CHAR, last, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, 1, MPI_CHAR, next, 8, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else if (!strcmp(way, "left")) { /* one has gone on to the end */
    if (rank == 1) MPI_Recv(received, 1, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (!strcmp(way, "polls")) { /* waits by hand, for who waits in a barrier */
    if (rank == 0) {
      MPI_Irecv(received, 1, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &requests[0]);
      while (!flag) {
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
        usleep(100);
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (!strcmp(way, "any")) { /* a message of any of two would do */
    MPI_Irecv(received, 1, MPI_CHAR, next, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(received + 1, 1, MPI_CHAR, (rank + 2) % ranks, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &flag, MPI_STATUS_IGNORE);
  } else if (!strcmp(way, "fence")) { /* one waits for a message of who waits for it at a window */
    MPI_Win window;
    MPI_Win_create(received, kLarge, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Recv(sent, 1, MPI_CHAR, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, window);
  } else if (!strcmp(way, "late")) { /* one never comes to the collective that the others wait for */
    while (rank == 1) pause();
    MPI_Iallreduce(sent, received, 1, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
