/* The program. */
static void chain(void) {
  if (rank > 0) {
    at(1); MPI_Irecv(IN(250, MPI_INT), rank - 1, 0, MPI_COMM_WORLD, request());  /* pipeline.c:16 */
  }
  for (int j = 0; j < 8; j++) {
    /* pipeline.c:18 */
    at(2); MPI_Wait(these(1, (int[]){rank < 3 ? (int[]){-1, 0, 0, 0, 0, 0, 0, 0}[j] : -1}), MPI_STATUS_IGNORE); over();
    if (rank > 0) {
      at(3); MPI_Wait(newest(1), MPI_STATUS_IGNORE); over();  /* pipeline.c:22 */
      if (j < 7) {
        at(4); MPI_Irecv(IN(250, MPI_INT), rank - 1, 0, MPI_COMM_WORLD, request());  /* pipeline.c:26 */
      }
    }
    if (rank < 3) {
      at(5); MPI_Isend(OUT(250, MPI_INT), rank + 1, 0, MPI_COMM_WORLD, request());  /* pipeline.c:31 */
    }
  }
  at(6); MPI_Wait(these(1, (int[]){rank == 3 ? -1 : 0}), MPI_STATUS_IGNORE); over();  /* pipeline.c:35 */
}

static void pass_part(void) {
  for (int j = 0; j < 3; j++) {
    at(7);  /* pipeline.c:51 */
    const int sendcount = rank % 2 == 0 ? next(&SENDCOUNT_2) : next(&SENDCOUNT);
    const int recvcount = rank % 2 == 0 ? next(&RECVCOUNT_2) : next(&RECVCOUNT);
    MPI_Sendrecv(OUT(sendcount, MPI_INT), (rank + 1) % RANKS, 1, IN(recvcount, MPI_INT), (rank + RANKS - 1) % RANKS, 1,
        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void pass_part_2(void) {
  for (int j = 0; j < 3; j++) {
    at(8);  /* pipeline.c:51 */
    const int sendcount = rank % 2 == 0 ? next(&SENDCOUNT_4) : next(&SENDCOUNT_3);
    const int recvcount = rank % 2 == 0 ? next(&RECVCOUNT_4) : next(&RECVCOUNT_3);
    MPI_Sendrecv(OUT(sendcount, MPI_INT), (rank + 1) % RANKS, 1, IN(recvcount, MPI_INT), (rank + RANKS - 1) % RANKS, 1,
        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void ring_sum(void) {
  pass_part();  /* pipeline.c:64 */
  pass_part_2();  /* pipeline.c:71 */
}

int main(int argc, char **argv) {
  begin(&benchmark, argc, argv);
  MPI_Init(NULL, NULL); start(); at(0);  /* pipeline.c:81 */
  for (int turn = 0; turn < iterations(3); turn++) {
    again(turn, 3);
    chain();  /* pipeline.c:90 */
    ring_sum();  /* pipeline.c:91 */
  }
  at(9); MPI_Allreduce(BOTH(1, MPI_LONG), MPI_SUM, MPI_COMM_WORLD);  /* verdict harness.h:96 */
  at(10); report(); MPI_Finalize();  /* pipeline.c:95 */
  return 0;
}
