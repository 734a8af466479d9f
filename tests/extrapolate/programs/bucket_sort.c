/* Random keys are sorted by buckets, whose sizes depend on the keys; each rank gets buckets of
 * about as many keys as the others (as NPB IS). Displacements are the sums of the counts before. */
#include "pattern.h"

#include <stdlib.h>

enum { KEYS = 4096, BUCKETS = 512, STEPS = 3 };

int main(int argc, char** argv) {
  begin(&argc, &argv);
  int *send = calloc((size_t)size, sizeof(int)), *receive = calloc((size_t)size, sizeof(int));
  int *send_at = calloc((size_t)size, sizeof(int)), *receive_at = calloc((size_t)size, sizeof(int));
  int *keys = calloc(KEYS, sizeof(int)), *sorted = calloc(KEYS, sizeof(int));
  for (int step = 0; step < STEPS; step++) {
    int mine[BUCKETS] = {0}, all[BUCKETS], owner = 0, sum = 0, last = 0;
    for (int k = 0; k < KEYS / size; k++) {  // the sum of two random numbers: uneven buckets
      unsigned seed = (unsigned)(rank * (KEYS / size) + k) * 2654435761u + (unsigned)step;
      mine[(seed >> 24 & 0xff) + (seed >> 12 & 0xff)]++;
    }
    MPI_Allreduce(mine, all, BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++) send[r] = 0;
    for (int b = 0; b < BUCKETS; b++) {
      send[owner] += mine[b];
      sum += all[b];
      if (sum >= (owner + 1) * (KEYS / size) && owner + 1 < size) owner++;
    }
    MPI_Alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 1; r < size; r++) {
      send_at[r] = send_at[r - 1] + send[r - 1];
      receive_at[r] = receive_at[r - 1] + receive[r - 1];
    }
    MPI_Alltoallv(keys, send, send_at, MPI_INT, sorted, receive, receive_at, MPI_INT,
                  MPI_COMM_WORLD);
    /* Each rank tells the next one its last key. */
    if (rank > 0) MPI_Recv(&last, 1, MPI_INT, rank - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank + 1 < size) MPI_Send(&sum, 1, MPI_INT, rank + 1, 7, MPI_COMM_WORLD);
  }
  free(send);
  free(receive);
  free(send_at);
  free(receive_at);
  free(keys);
  free(sorted);
  MPI_Finalize();
  return 0;
}
