/* Two libraries and a program that know nothing of each other, each in a session of its own (MPI
 * 4.0): there is no MPI_Init and no MPI_COMM_WORLD. One library adds up over all ranks, the other
 * couples the lower half of the ranks with the upper half. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A communicator of all processes from a session. */
static MPI_Comm all_of(MPI_Session session, const char* tag) {
  MPI_Group group;
  MPI_Comm comm;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  return comm;
}

/* The sum over all ranks, by a library that comes and goes. */
static long sum(long value) {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Comm comm = all_of(session, "example/sum");
  long total;
  MPI_Allreduce(&value, &total, 1, MPI_LONG, MPI_SUM, comm);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  return total;
}

/* What the partner in the other half says; -1 where there is none. */
static int couple(MPI_Session session, int rank, int size, int value) {
  const int half = size / 2;
  if (half == 0 || rank >= 2 * half) return -1;
  MPI_Group all, lower, upper;
  MPI_Comm comm;
  int low[1][3] = {{0, half - 1, 1}}, high[1][3] = {{half, 2 * half - 1, 1}}, other = -1;
  const int is_low = rank < half;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
  MPI_Group_range_incl(all, 1, low, &lower);
  MPI_Group_range_incl(all, 1, high, &upper);
  MPI_Intercomm_create_from_groups(is_low ? lower : upper, 0, is_low ? upper : lower, 0,
                                   "example/couple", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Sendrecv(&value, 1, MPI_INT, rank % half, 5, &other, 1, MPI_INT, rank % half, 5, comm,
               MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm);
  MPI_Group_free(&all);
  MPI_Group_free(&lower);
  MPI_Group_free(&upper);
  return other;
}

int main(int argc, char** argv) {
  int steps = 4, rank, size, is_null;
  long wrong = 0;
  if (argc == 3 && strcmp(argv[1], "--steps") == 0) steps = atoi(argv[2]);
  if (argc != 1 && argc != 3) return fprintf(stderr, "options: --steps N\n"), 2;

  MPI_Session session, alone;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &alone);
  MPI_Comm ring = all_of(session, "example/ring");
  MPI_Comm_rank(ring, &rank);
  MPI_Comm_size(ring, &size);

  MPI_Group self;
  MPI_Comm mine;
  MPI_Group_from_session_pset(alone, "mpi://SELF", &self);
  MPI_Comm_create_from_group(self, "example/self", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &mine);
  MPI_Group_free(&self);

  for (int step = 0; step < steps; step++) {
    int sent[2] = {rank, step}, received[2] = {-1, -1}, copy = -1;
    MPI_Sendrecv(sent, 2, MPI_INT, (rank + 1) % size, step, received, 2, MPI_INT,
                 (rank + size - 1) % size, step, ring, MPI_STATUS_IGNORE);
    wrong += received[0] != (rank + size - 1) % size || received[1] != step;
    MPI_Sendrecv(&step, 1, MPI_INT, 0, 0, &copy, 1, MPI_INT, 0, 0, mine, MPI_STATUS_IGNORE);
    wrong += copy != step;
    wrong += sum(rank + step) != size * (size - 1L) / 2 + (long)size * step;
  }
  const int partner = couple(session, rank, size, 100 + rank), half = size / 2;
  if (half > 0 && rank < 2 * half) wrong += partner != 100 + (rank + half) % (2 * half);

  long total = 0;
  MPI_Reduce(&wrong, &total, 1, MPI_LONG, MPI_SUM, 0, ring);
  MPI_Bcast(&total, 1, MPI_LONG, 0, ring);
  if (rank == 0)
    printf("sessions: %d ranks, %d steps: %s\n", size, steps, total ? "WRONG" : "correct");
  MPI_Comm_free(&mine);
  MPI_Comm_free(&ring);
  MPI_Session_finalize(&alone);
  MPI_Session_finalize(&session);
  MPI_Initialized(&is_null); /* an enquiry, allowed at any time */
  return total != 0;
}
