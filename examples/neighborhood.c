/* Halo exchange by neighborhood collectives on a Cartesian grid that wraps around in one dimension
 * only.
 *
 * Class: all ten neighborhood collectives; beyond the open ends the neighbor is MPI_PROC_NULL,
 * whose block stays untouched.
 */
#include "compute.h"
#include "harness.h"

enum { SIDES = 4, BLOCK = 3 };  // sides: lower and upper end of dimension 0, then of dimension 1

typedef struct {
  MPI_Comm comm;
  int rank, peer[SIDES];
  int counts[SIDES], starts[SIDES];
  MPI_Aint bytes[SIDES];
  MPI_Datatype types[SIDES];
  int out[SIDES * BLOCK], in[SIDES * BLOCK];
} Halo;

static Halo make_halo(int size) {
  int extents[2] = {0, 0};
  Halo halo;
  balanced_grid(size, 2, extents);
  int wraps[2] = {extents[0] > 2, 0};  // with one or two ranks the same one would be on either side
  MPI_Cart_create(MPI_COMM_WORLD, 2, extents, wraps, 0, &halo.comm);
  MPI_Comm_rank(halo.comm, &halo.rank);
  for (int d = 0; d < 2; d++)
    MPI_Cart_shift(halo.comm, d, 1, &halo.peer[2 * d], &halo.peer[2 * d + 1]);
  for (int s = 0; s < SIDES; s++) {
    halo.counts[s] = 1 + s / 2;  // one number up and down, two left and right
    halo.starts[s] = BLOCK * s;
    halo.bytes[s] = BLOCK * s * (MPI_Aint)sizeof(int);
    halo.types[s] = MPI_INT;
  }
  return halo;
}

static int stamp(int step, int from, int side, int i) {
  return ((step * 1000 + from) * SIDES + side) * BLOCK + i;
}

static void prepare(Halo* halo, int step, int same_for_all) {
  for (int k = 0; k < SIDES * BLOCK; k++) {
    halo->out[k] = stamp(step, halo->rank, same_for_all ? 0 : k / BLOCK, k % BLOCK);
    halo->in[k] = -1;
  }
}

/* What came from side s was sent towards the opposite side, unless it was the same for everybody.
 */
static long check(const Halo* halo, int step, int same_for_all, int whole_blocks) {
  long wrong = 0;
  for (int s = 0; s < SIDES; s++)
    for (int i = 0; i < BLOCK; i++) {
      int sent = halo->peer[s] != MPI_PROC_NULL && (whole_blocks || i < halo->counts[s]);
      int expected = sent ? stamp(step, halo->peer[s], same_for_all ? 0 : s ^ 1, i) : -1;
      wrong += halo->in[BLOCK * s + i] != expected;
    }
  return wrong;
}

static void finish(MPI_Request* request) {
  compute(2e-6);
  MPI_Wait(request, MPI_STATUS_IGNORE);
}

static long allgathers(Halo* halo, int step, int nonblocking) {
  MPI_Request request;
  prepare(halo, step, 1);
  if (nonblocking) {
    MPI_Ineighbor_allgather(halo->out, BLOCK, MPI_INT, halo->in, BLOCK, MPI_INT, halo->comm,
                            &request);
    finish(&request);
  } else {
    MPI_Neighbor_allgather(halo->out, BLOCK, MPI_INT, halo->in, BLOCK, MPI_INT, halo->comm);
  }
  long wrong = check(halo, step, 1, 1);

  const int same[SIDES] = {BLOCK, BLOCK, BLOCK, BLOCK};
  prepare(halo, step, 1);
  if (nonblocking) {
    MPI_Ineighbor_allgatherv(halo->out, BLOCK, MPI_INT, halo->in, same, halo->starts, MPI_INT,
                             halo->comm, &request);
    finish(&request);
  } else {
    MPI_Neighbor_allgatherv(halo->out, BLOCK, MPI_INT, halo->in, same, halo->starts, MPI_INT,
                            halo->comm);
  }
  return wrong + check(halo, step, 1, 1);
}

static long alltoalls(Halo* halo, int step, int nonblocking) {
  MPI_Request request;
  prepare(halo, step, 0);
  if (nonblocking) {
    MPI_Ineighbor_alltoall(halo->out, BLOCK, MPI_INT, halo->in, BLOCK, MPI_INT, halo->comm,
                           &request);
    finish(&request);
  } else {
    MPI_Neighbor_alltoall(halo->out, BLOCK, MPI_INT, halo->in, BLOCK, MPI_INT, halo->comm);
  }
  long wrong = check(halo, step, 0, 1);

  prepare(halo, step, 0);
  if (nonblocking) {
    MPI_Ineighbor_alltoallv(halo->out, halo->counts, halo->starts, MPI_INT, halo->in, halo->counts,
                            halo->starts, MPI_INT, halo->comm, &request);
    finish(&request);
  } else {
    MPI_Neighbor_alltoallv(halo->out, halo->counts, halo->starts, MPI_INT, halo->in, halo->counts,
                           halo->starts, MPI_INT, halo->comm);
  }
  wrong += check(halo, step, 0, 0);

  prepare(halo, step, 0);
  if (nonblocking) {
    MPI_Ineighbor_alltoallw(halo->out, halo->counts, halo->bytes, halo->types, halo->in,
                            halo->counts, halo->bytes, halo->types, halo->comm, &request);
    finish(&request);
  } else {
    MPI_Neighbor_alltoallw(halo->out, halo->counts, halo->bytes, halo->types, halo->in,
                           halo->counts, halo->bytes, halo->types, halo->comm);
  }
  return wrong + check(halo, step, 0, 0);
}

int main(int argc, char** argv) {
  int rank, size, steps = 4;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1);
  compute_setup(rank, size);

  Halo halo = make_halo(size);
  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    wrong += allgathers(&halo, step, step % 2);
    wrong += alltoalls(&halo, step, step % 2);
  }
  int status = verdict(wrong, "neighborhood: %d ranks, %d steps", size, steps);
  MPI_Comm_free(&halo.comm);
  MPI_Finalize();
  return status;
}
