/* One number round a ring by every way to send and to receive it: standard, synchronous, ready and
 * buffered; blocking, non-blocking and persistent; in one call with the receive; and to nobody.
 *
 * Class: point-to-point modes. A ready send needs its receive to be there: the receiver says so by
 * an empty message.
 */
#include "compute.h"
#include "harness.h"

typedef struct {
  int rank, left, right;
  int round;  // also the tag of the numbers
  int out, in;
  MPI_Request receive;
} Ring;

typedef void (*Way)(Ring*);

static void expect(Ring* ring) {
  MPI_Irecv(&ring->in, 1, MPI_INT, ring->left, ring->round, MPI_COMM_WORLD, &ring->receive);
}

enum { READY = 30000 };  // a tag of its own, since with two ranks both neighbors are one

/* An empty message against the ring's direction: the receive is there. */
static void say_ready(const Ring* ring) {
  MPI_Sendrecv(NULL, 0, MPI_INT, ring->left, READY, NULL, 0, MPI_INT, ring->right, READY,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void finish(Ring* ring, MPI_Request* send) {
  compute(1e-6);
  MPI_Wait(send, MPI_STATUS_IGNORE);
  MPI_Wait(&ring->receive, MPI_STATUS_IGNORE);
}

static void standard(Ring* ring) {
  expect(ring);
  MPI_Send(&ring->out, 1, MPI_INT, ring->right, ring->round, MPI_COMM_WORLD);
  MPI_Wait(&ring->receive, MPI_STATUS_IGNORE);
}

static void synchronous(Ring* ring) {
  expect(ring);
  MPI_Ssend(&ring->out, 1, MPI_INT, ring->right, ring->round, MPI_COMM_WORLD);
  MPI_Wait(&ring->receive, MPI_STATUS_IGNORE);
}

static void ready(Ring* ring) {
  expect(ring);
  say_ready(ring);
  MPI_Rsend(&ring->out, 1, MPI_INT, ring->right, ring->round, MPI_COMM_WORLD);
  MPI_Wait(&ring->receive, MPI_STATUS_IGNORE);
}

static void buffered(Ring* ring) {
  MPI_Status status;
  MPI_Bsend(&ring->out, 1, MPI_INT, ring->right, ring->round, MPI_COMM_WORLD);
  MPI_Probe(ring->left, ring->round, MPI_COMM_WORLD, &status);
  MPI_Recv(&ring->in, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

static void standard_nonblocking(Ring* ring) {
  MPI_Request send;
  MPI_Isend(&ring->out, 1, MPI_INT, ring->right, ring->round, MPI_COMM_WORLD, &send);
  MPI_Recv(&ring->in, 1, MPI_INT, ring->left, ring->round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
}

static void synchronous_nonblocking(Ring* ring) {
  MPI_Request send;
  expect(ring);
  MPI_Issend(&ring->out, 1, MPI_INT, ring->right, ring->round, MPI_COMM_WORLD, &send);
  finish(ring, &send);
}

static void ready_nonblocking(Ring* ring) {
  MPI_Request send;
  expect(ring);
  say_ready(ring);
  MPI_Irsend(&ring->out, 1, MPI_INT, ring->right, ring->round, MPI_COMM_WORLD, &send);
  finish(ring, &send);
}

static void buffered_nonblocking(Ring* ring) {
  MPI_Request send;
  expect(ring);
  MPI_Ibsend(&ring->out, 1, MPI_INT, ring->right, ring->round, MPI_COMM_WORLD, &send);
  finish(ring, &send);
}

/* Starts a persistent receive and send, and frees them afterwards. */
static void run_once(Ring* ring, MPI_Request* send) {
  MPI_Recv_init(&ring->in, 1, MPI_INT, ring->left, ring->round, MPI_COMM_WORLD, &ring->receive);
  MPI_Start(&ring->receive);
  say_ready(ring);
  MPI_Start(send);
  finish(ring, send);
  MPI_Request_free(send);
  MPI_Request_free(&ring->receive);
}

static void standard_persistent(Ring* ring) {
  MPI_Request send;
  MPI_Send_init(&ring->out, 1, MPI_INT, ring->right, ring->round, MPI_COMM_WORLD, &send);
  run_once(ring, &send);
}

static void synchronous_persistent(Ring* ring) {
  MPI_Request send;
  MPI_Ssend_init(&ring->out, 1, MPI_INT, ring->right, ring->round, MPI_COMM_WORLD, &send);
  run_once(ring, &send);
}

static void ready_persistent(Ring* ring) {
  MPI_Request send;
  MPI_Rsend_init(&ring->out, 1, MPI_INT, ring->right, ring->round, MPI_COMM_WORLD, &send);
  run_once(ring, &send);
}

static void buffered_persistent(Ring* ring) {
  MPI_Request send;
  MPI_Bsend_init(&ring->out, 1, MPI_INT, ring->right, ring->round, MPI_COMM_WORLD, &send);
  run_once(ring, &send);
}

static void exchanged(Ring* ring) {
  MPI_Sendrecv(&ring->out, 1, MPI_INT, ring->right, ring->round, &ring->in, 1, MPI_INT, ring->left,
               ring->round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void replaced(Ring* ring) {
  ring->in = ring->out;
  MPI_Sendrecv_replace(&ring->in, 1, MPI_INT, ring->right, ring->round, ring->left, ring->round,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* What goes to MPI_PROC_NULL is gone, what comes from there is empty. */
static long to_nobody(int round) {
  int number = 42, count = -1;
  MPI_Status status;
  MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, round, MPI_COMM_WORLD);
  MPI_Recv(&number, 1, MPI_INT, MPI_PROC_NULL, round, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  return number != 42 || count != 0 || status.MPI_SOURCE != MPI_PROC_NULL;
}

int main(int argc, char** argv) {
  static const Way ways[] = {standard,
                             synchronous,
                             ready,
                             buffered,
                             standard_nonblocking,
                             synchronous_nonblocking,
                             ready_nonblocking,
                             buffered_nonblocking,
                             standard_persistent,
                             synchronous_persistent,
                             ready_persistent,
                             buffered_persistent,
                             exchanged,
                             replaced};
  enum { WAYS = sizeof ways / sizeof *ways };
  int size, steps = 3, room = 16 * (MPI_BSEND_OVERHEAD + 64);
  Ring ring = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &ring.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1);
  require(steps < 2000, "send_modes: --steps must be less than 2000");
  compute_setup(ring.rank, size);

  ring.left = (ring.rank + size - 1) % size;
  ring.right = (ring.rank + 1) % size;
  void* buffer = malloc((size_t)room);
  MPI_Buffer_attach(buffer, room);
  long wrong = 0;
  for (ring.round = 0; ring.round < steps * WAYS; ring.round++) {
    ring.out = 10000 * ring.round + ring.rank;
    ring.in = -1;
    ways[ring.round % WAYS](&ring);
    wrong += ring.in != 10000 * ring.round + ring.left;
    wrong += to_nobody(ring.round);
  }
  MPI_Buffer_detach(&buffer, &room);
  free(buffer);
  int status = verdict(wrong, "send_modes: %d ranks, %d steps of %d ways", size, steps, WAYS);
  MPI_Finalize();
  return status;
}
