/* Loops of each shape that is easily misread. shapes.txt is what `reprise show` says of them on
 * four ranks. */
#include <mpi.h>

#define SHAPE __attribute__((noinline)) static void

static int rank, ranks, out, in, many[8], sums[8];
static volatile int kinds[] = {1, 2, 3}; /* so that no compiler makes copies of the loop */

/* The first call of a pass is made every 7th time. */
SHAPE rare_first_call(void) {
  for (int step = 0; step < 21; step++) {
    if (step % 7 == 3) MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* Both branches end with the same call, which a compiler moves into each. */
SHAPE one_end_of_two_branches(void) {
  for (int step = 0; step < 20; step++) {
    if (step == 11) {
      MPI_Barrier(MPI_COMM_WORLD);
    } else {
      for (int k = 0; k < 4; k++) MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
}

/* Half of the ranks do first what the others do last. */
SHAPE complementary_ranks(void) {
  const int partner = rank ^ 1;
  for (int step = 0; step < 10; step++) {
    for (int turn = 0; turn < 2; turn++) {
      if (turn == rank % 2) {
        MPI_Send(&out, 1, MPI_INT, partner, 1, MPI_COMM_WORLD);
      } else {
        MPI_Recv(&in, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    }
  }
}

/* Loops that have nothing but a loop in them. */
SHAPE nested(void) {
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 5; j++) {
      for (int k = 0; k < 3; k++) MPI_Bcast(many, 1 + j, MPI_INT, 0, MPI_COMM_WORLD);
    }
  }
}

/* A loop over levels within one over axes. */
SHAPE levels_of_axes(void) {
  for (int axis = 0; axis < 3; axis++) {
    for (int level = 0; level < 4; level++) {
      MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % ranks, axis, &in, 1, MPI_INT,
                   (rank + ranks - 1) % ranks, axis, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Allreduce(many, sums, 1 << level, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
}

/* A level takes half of the passes of the one before it. */
SHAPE triangle(void) {
  for (int step = 0; step < 5; step++) {
    for (int passes = 8; passes > 0; passes /= 2) {
      for (int pass = 0; pass < passes; pass++) MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_WORLD);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
}

/* Values that come again in every pass, of which some are equal. */
SHAPE values_of_passes(void) {
  static char bytes[64];
  static const int sizes[2][3] = {{8, 16, 16}, {16, 32, 8}};
  for (int step = 0; step < 60; step++) {
    for (int k = 0; k < 3; k++) {
      MPI_Bcast(bytes, sizes[0][k], MPI_BYTE, 0, MPI_COMM_WORLD);
      MPI_Bcast(bytes, sizes[1][k], MPI_BYTE, 0, MPI_COMM_WORLD);
    }
  }
}

/* Each pass makes another of three calls. */
SHAPE one_of_three(void) {
  for (int step = 0; step < 12; step++) {
    for (int k = 0; k < 3; k++) {
      const int kind = kinds[k];
      MPI_Barrier(MPI_COMM_WORLD);
      if (kind == 2) MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_WORLD);
      if (kind == 3) MPI_Bcast(&out, 2, MPI_SHORT, 0, MPI_COMM_WORLD);
      if (kind == 1) MPI_Bcast(&out, 4, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
  }
}

/* Calls of different ranks, whose order nothing but the source tells. */
SHAPE apart(void) {
  if (rank == 2) MPI_Send(&out, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(&out, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&in, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Recv(&in, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Calls of one function on one line, in turn and one after the other. */
SHAPE one_line(void) {
  for (int step = 0; step < 12; step++) {
    MPI_Request r, s;
    // clang-format off
    if (step % 3 == 0) MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_WORLD); else MPI_Bcast(&out, 1, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Irecv(&in, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &r);
    MPI_Isend(&out, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &s);
    MPI_Wait(&r, MPI_STATUS_IGNORE); MPI_Wait(&s, MPI_STATUS_IGNORE);
    // clang-format on
  }
}

/* Functions that end with a call, which a compiler makes a jump: MPI is then called by no caller
 * of theirs that the stack knows. */
SHAPE exchange(int count) {
  MPI_Request requests[2];
  MPI_Irecv(many, count, MPI_INT, (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(sums, count, MPI_INT, (rank + 1) % ranks, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

SHAPE add_or_gather(int step) {
  if (step % 3 == 2) {
    MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  } else {
    MPI_Allgather(&out, 1, MPI_INT, many, 1, MPI_INT, MPI_COMM_WORLD);
  }
}

SHAPE last_call_of_a_function(void) {
  for (int step = 0; step < 9; step++) {
    exchange(8);
    MPI_Barrier(MPI_COMM_WORLD);
    exchange(4);
    add_or_gather(step);
  }
  exchange(2);
}

/* One line that calls functions by address, which do nothing but call the same one. */
typedef int (*Operation)(void);

__attribute__((noinline)) static int restriction(void) {
  exchange(3);
  return 1;
}

__attribute__((noinline)) static int interpolation(void) {
  exchange(5);
  return 2;
}

SHAPE apply(Operation operation) {
  out = operation();
  MPI_Barrier(MPI_COMM_WORLD);
}

SHAPE by_address(void) {
  static Operation volatile operations[] = {restriction, interpolation};
  apply(operations[0]);
  apply(operations[1]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  rare_first_call();
  one_end_of_two_branches();
  complementary_ranks();
  nested();
  levels_of_axes();
  triangle();
  values_of_passes();
  one_of_three();
  apart();
  one_line();
  last_call_of_a_function();
  by_address();
  MPI_Finalize();
  return 0;
}
