/* A program for tests of imports: functions with names of their own, a grid of communicators, messages to nobody, and
 * each way to complete requests. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 6, WORDS = 16 };
static int rank, size;

void exchange(MPI_Comm row, int n) {
  int me, in[2][WORDS], out[WORDS] = {0};
  MPI_Request requests[4];
  MPI_Status statuses[4];
  MPI_Comm_rank(row, &me);
  const int left = me > 0 ? me - 1 : MPI_PROC_NULL, right = me + 1 < n ? me + 1 : MPI_PROC_NULL;
  MPI_Irecv(in[0], WORDS, MPI_INT, left, 1, row, &requests[0]);
  MPI_Irecv(in[1], WORDS, MPI_INT, right, 1, row, &requests[1]);
  MPI_Isend(out, WORDS, MPI_INT, right, 1, row, &requests[2]);
  MPI_Isend(out, WORDS, MPI_INT, left, 1, row, &requests[3]);
  MPI_Waitall(4, requests, statuses);
}

void pass_on(MPI_Comm column) {
  int me, n, token = 1, index;
  MPI_Request requests[2];
  MPI_Comm_rank(column, &me);
  MPI_Comm_size(column, &n);
  MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, column, &requests[0]);
  MPI_Isend(&me, 1, MPI_INT, (me + 1) % n, 7, column, &requests[1]);
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[1 - index], MPI_STATUS_IGNORE);
}

double reduce(MPI_Comm column) {
  double one = 1, sum = 0, all = 0;
  MPI_Request request;
  MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, column);
  MPI_Iallreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Bcast(&all, 1, MPI_DOUBLE, 0, column);
  MPI_Reduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, size - 1, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm row, column, twin;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
  MPI_Comm_dup(row, &twin);
  double all = 0;
  for (int step = 0; step < STEPS; ++step) {
    exchange(twin, 2);
    pass_on(column);
    all = reduce(column);
  }
  MPI_Comm_free(&twin);
  if (rank == 0) printf("calls: %s\n", all == size * (size / 2) ? "correct" : "wrong");
  MPI_Finalize();
  return 0;
}
