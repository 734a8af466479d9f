/* Every non-blocking collective: all are started at once, overlap with each other and with
 * computation, and are completed together; every second step they work in place where MPI allows
 * it.
 *
 * Class: outstanding collectives on one communicator, with another root in every step.
 */
#include "compute.h"
#include "harness.h"

enum { BLOCK = 2 };

enum {
  BCAST,
  GATHER,
  GATHERV,
  SCATTER,
  SCATTERV,
  ALLGATHER,
  ALLGATHERV,
  ALLTOALL,
  ALLTOALLV,
  ALLTOALLW,
  REDUCE,
  ALLREDUCE,
  REDUCE_SCATTER,
  REDUCE_SCATTER_BLOCK,
  SCAN,
  EXSCAN,
  BARRIER,
  OPERATIONS
};

typedef struct {
  int rank, size, root, in_place;
  int *counts, *starts, *bytes;  // of blocks
  MPI_Datatype* types;
  int *in[OPERATIONS], *out[OPERATIONS];  // [size BLOCK] each
  MPI_Request requests[OPERATIONS];
} Run;

static int value(int from, int i) {
  return 100 * from + i;
}

static int sum_up_to(int ranks, int i) {
  return 100 * (ranks * (ranks - 1) / 2) + ranks * i;
}

static Run make_run(int rank, int size) {
  Run run = {.rank = rank, .size = size};
  run.counts = malloc((size_t)size * sizeof(int));
  run.starts = malloc((size_t)size * sizeof(int));
  run.bytes = malloc((size_t)size * sizeof(int));
  run.types = malloc((size_t)size * sizeof(MPI_Datatype));
  for (int r = 0; r < size; r++) {
    run.counts[r] = BLOCK;
    run.starts[r] = BLOCK * r;
    run.bytes[r] = BLOCK * r * (int)sizeof(int);
    run.types[r] = MPI_INT;
  }
  for (int o = 0; o < OPERATIONS; o++) {
    run.in[o] = malloc((size_t)(size * BLOCK) * sizeof(int));
    run.out[o] = malloc((size_t)(size * BLOCK) * sizeof(int));
  }
  return run;
}

static void free_run(Run* run) {
  for (int o = 0; o < OPERATIONS; o++) {
    free(run->in[o]);
    free(run->out[o]);
  }
  free(run->counts);
  free(run->starts);
  free(run->bytes);
  free(run->types);
}

/* In place the input is where the output will be; who gives a block to a gather has it where the
 * block will be. */
static void prepare(Run* run) {
  for (int o = 0; o < OPERATIONS; o++)
    for (int i = 0; i < run->size * BLOCK; i++) {
      run->in[o][i] = value(run->rank, i);
      run->out[o][i] = run->in_place ? value(run->rank, i) : -1;
    }
  const int allgathers[] = {ALLGATHER, ALLGATHERV, GATHER, GATHERV};
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < BLOCK; i++)
      run->out[allgathers[k]][BLOCK * run->rank + i] = value(run->rank, i);
}

static void start_rooted(Run* run) {
  const int root = run->root, here = run->in_place && run->rank == root;
  const int *counts = run->counts, *starts = run->starts;
  int **in = run->in, **out = run->out;
  MPI_Request* requests = run->requests;
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Ibcast(in[BCAST], BLOCK, MPI_INT, root, world, &requests[BCAST]);
  MPI_Igather(here ? MPI_IN_PLACE : in[GATHER], BLOCK, MPI_INT, out[GATHER], BLOCK, MPI_INT, root,
              world, &requests[GATHER]);
  MPI_Igatherv(here ? MPI_IN_PLACE : in[GATHERV], BLOCK, MPI_INT, out[GATHERV], counts, starts,
               MPI_INT, root, world, &requests[GATHERV]);
  MPI_Iscatter(in[SCATTER], BLOCK, MPI_INT, here ? MPI_IN_PLACE : out[SCATTER], BLOCK, MPI_INT,
               root, world, &requests[SCATTER]);
  MPI_Iscatterv(in[SCATTERV], counts, starts, MPI_INT, here ? MPI_IN_PLACE : out[SCATTERV], BLOCK,
                MPI_INT, root, world, &requests[SCATTERV]);
  MPI_Ireduce(here ? MPI_IN_PLACE : in[REDUCE], out[REDUCE], BLOCK, MPI_INT, MPI_SUM, root, world,
              &requests[REDUCE]);
}

static const void* input(const Run* run, int operation) {
  return run->in_place ? MPI_IN_PLACE : run->in[operation];
}

static void start_exchanges(Run* run) {
  const int *counts = run->counts, *starts = run->starts, *bytes = run->bytes;
  int** out = run->out;
  MPI_Request* requests = run->requests;
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Iallgather(input(run, ALLGATHER), BLOCK, MPI_INT, out[ALLGATHER], BLOCK, MPI_INT, world,
                 &requests[ALLGATHER]);
  MPI_Iallgatherv(input(run, ALLGATHERV), BLOCK, MPI_INT, out[ALLGATHERV], counts, starts, MPI_INT,
                  world, &requests[ALLGATHERV]);
  MPI_Ialltoall(input(run, ALLTOALL), BLOCK, MPI_INT, out[ALLTOALL], BLOCK, MPI_INT, world,
                &requests[ALLTOALL]);
  MPI_Ialltoallv(input(run, ALLTOALLV), counts, starts, MPI_INT, out[ALLTOALLV], counts, starts,
                 MPI_INT, world, &requests[ALLTOALLV]);
  MPI_Ialltoallw(input(run, ALLTOALLW), counts, bytes, run->types, out[ALLTOALLW], counts, bytes,
                 run->types, world, &requests[ALLTOALLW]);
}

static void start_reductions(Run* run) {
  int** out = run->out;
  MPI_Request* requests = run->requests;
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Iallreduce(input(run, ALLREDUCE), out[ALLREDUCE], BLOCK, MPI_INT, MPI_SUM, world,
                 &requests[ALLREDUCE]);
  MPI_Ireduce_scatter(input(run, REDUCE_SCATTER), out[REDUCE_SCATTER], run->counts, MPI_INT,
                      MPI_SUM, world, &requests[REDUCE_SCATTER]);
  MPI_Ireduce_scatter_block(input(run, REDUCE_SCATTER_BLOCK), out[REDUCE_SCATTER_BLOCK], BLOCK,
                            MPI_INT, MPI_SUM, world, &requests[REDUCE_SCATTER_BLOCK]);
  MPI_Iscan(input(run, SCAN), out[SCAN], BLOCK, MPI_INT, MPI_SUM, world, &requests[SCAN]);
  MPI_Iexscan(input(run, EXSCAN), out[EXSCAN], BLOCK, MPI_INT, MPI_SUM, world, &requests[EXSCAN]);
  MPI_Ibarrier(world, &requests[BARRIER]);
}

/* How many numbers an operation leaves on this rank. */
static int length(const Run* run, int operation) {
  switch (operation) {
    case BARRIER: return 0;
    case EXSCAN: return run->rank > 0 ? BLOCK : 0;
    case GATHER:
    case GATHERV: return run->rank == run->root ? BLOCK * run->size : 0;
    case REDUCE: return run->rank == run->root ? BLOCK : 0;
    case SCATTER:
    case SCATTERV: return run->in_place && run->rank == run->root ? 0 : BLOCK;
    case ALLGATHER:
    case ALLGATHERV:
    case ALLTOALL:
    case ALLTOALLV:
    case ALLTOALLW: return BLOCK * run->size;
    default: return BLOCK;
  }
}

static int expected(const Run* run, int operation, int i) {
  switch (operation) {
    case BCAST: return value(run->root, i);
    case SCATTER:
    case SCATTERV: return value(run->root, BLOCK * run->rank + i);
    case ALLTOALL:
    case ALLTOALLV:
    case ALLTOALLW: return value(i / BLOCK, BLOCK * run->rank + i % BLOCK);
    case REDUCE:
    case ALLREDUCE: return sum_up_to(run->size, i);
    case REDUCE_SCATTER:
    case REDUCE_SCATTER_BLOCK: return sum_up_to(run->size, BLOCK * run->rank + i);
    case SCAN: return sum_up_to(run->rank + 1, i);
    case EXSCAN: return sum_up_to(run->rank, i);
    default: return value(i / BLOCK, i % BLOCK);  // the gathers
  }
}

static long check(const Run* run) {
  long wrong = 0;
  for (int o = 0; o < OPERATIONS; o++)
    for (int i = 0; i < length(run, o); i++)
      wrong += (o == BCAST ? run->in : run->out)[o][i] != expected(run, o, i);
  return wrong;
}

int main(int argc, char** argv) {
  int rank, size, steps = 4;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1);
  compute_setup(rank, size);

  Run run = make_run(rank, size);
  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    run.root = step % size;
    run.in_place = step % 2;
    prepare(&run);
    start_rooted(&run);
    start_exchanges(&run);
    start_reductions(&run);
    compute(1e-5);
    MPI_Waitall(OPERATIONS, run.requests, MPI_STATUSES_IGNORE);
    wrong += check(&run);
  }
  int status = verdict(wrong, "collectives_nonblocking: %d ranks, %d steps", size, steps);
  free_run(&run);
  MPI_Finalize();
  return status;
}
