/* Everybody talks to a few ranks before and behind, and waits for the answers in every way that MPI
 * offers: polling for messages, testing one, any, some or all requests with work in between, and
 * waiting for any, some or all of them.
 *
 * Class: completion in the order of arrival; how often a test fails depends on the machine and not
 * on the program.
 */
#include "compute.h"
#include "harness.h"

enum { MOST = 16 };

typedef struct {
  int rank, size, peers;  // peers to each side
  int round;              // also the tag
  int received[MOST];     // one number from each of the ranks before
  MPI_Request incoming[MOST], outgoing[MOST];
} Ring;

static int behind(const Ring* ring, int p) {
  return (ring->rank + p + 1) % ring->size;
}

static int before(const Ring* ring, int p) {
  return (ring->rank + ring->size - (p + 1) % ring->size) % ring->size;
}

static int stamp(int round, int from, int p) {
  return (round * 1000 + p) * 1000 + from;
}

static void work(const Ring* ring) {
  compute(1e-6 * (1 + random_below(1, (uint64_t)(ring->rank + ring->round), 4)));
}

static void send_all(Ring* ring) {
  static int numbers[MOST];
  for (int p = 0; p < ring->peers; p++) {
    numbers[p] = stamp(ring->round, ring->rank, p);
    MPI_Isend(&numbers[p], 1, MPI_INT, behind(ring, p), ring->round * MOST + p, MPI_COMM_WORLD,
              &ring->outgoing[p]);
  }
}

static void receive_all(Ring* ring) {
  for (int p = 0; p < ring->peers; p++)
    MPI_Irecv(&ring->received[p], 1, MPI_INT, before(ring, p), ring->round * MOST + p,
              MPI_COMM_WORLD, &ring->incoming[p]);
}

/* Looks whether anything is there before it is received. The tag is fixed since those of later
 * rounds may be early. */
static void by_probe(Ring* ring) {
  for (int p = 0; p < ring->peers; p++) {
    int there = 0;
    MPI_Status status;
    while (MPI_Iprobe(MPI_ANY_SOURCE, ring->round * MOST + p, MPI_COMM_WORLD, &there, &status),
           !there)
      work(ring);
    MPI_Recv(&ring->received[p], 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
}

static void by_test(Ring* ring) {
  receive_all(ring);
  for (int p = 0; p < ring->peers; p++) {
    int done = 0;
    while (MPI_Test(&ring->incoming[p], &done, MPI_STATUS_IGNORE), !done) work(ring);
  }
}

static void by_testany(Ring* ring) {
  receive_all(ring);
  for (int left = ring->peers; left > 0;) {
    int p, done;
    MPI_Testany(ring->peers, ring->incoming, &p, &done, MPI_STATUS_IGNORE);
    if (done)
      left--;
    else
      work(ring);
  }
}

static void by_testsome(Ring* ring) {
  int which[MOST];
  MPI_Status statuses[MOST];
  receive_all(ring);
  for (int left = ring->peers; left > 0;) {
    int count;
    MPI_Testsome(ring->peers, ring->incoming, &count, which, statuses);
    left -= count;
    if (count == 0) work(ring);
  }
}

static void by_testall(Ring* ring) {
  int done = 0;
  receive_all(ring);
  while (MPI_Testall(ring->peers, ring->incoming, &done, MPI_STATUSES_IGNORE), !done) work(ring);
}

static void by_waitany(Ring* ring) {
  int p;
  receive_all(ring);
  while (MPI_Waitany(ring->peers, ring->incoming, &p, MPI_STATUS_IGNORE), p != MPI_UNDEFINED)
    work(ring);
}

static void by_waitsome(Ring* ring) {
  int which[MOST], count;
  receive_all(ring);
  while (MPI_Waitsome(ring->peers, ring->incoming, &count, which, MPI_STATUSES_IGNORE),
         count != MPI_UNDEFINED)
    work(ring);
}

static void by_waitall(Ring* ring) {
  receive_all(ring);
  MPI_Waitall(ring->peers, ring->incoming, MPI_STATUSES_IGNORE);
}

static long check(const Ring* ring) {
  long wrong = 0;
  for (int p = 0; p < ring->peers; p++)
    wrong += ring->received[p] != stamp(ring->round, before(ring, p), p);
  return wrong;
}

int main(int argc, char** argv) {
  static void (*const ways[])(Ring*) = {by_probe,   by_test,    by_testany,  by_testsome,
                                        by_testall, by_waitany, by_waitsome, by_waitall};
  enum { WAYS = sizeof ways / sizeof *ways };
  int steps = 3;
  Ring ring = {.peers = 4};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &ring.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ring.size);
  options(argc, argv, "--steps", &steps, 1, "--peers", &ring.peers, 1);
  require(ring.peers > 0 && ring.peers <= MOST && steps < 200,
          "poller: --peers must be 1 to 16, --steps less than 200");
  compute_setup(ring.rank, ring.size);

  long wrong = 0;
  for (ring.round = 0; ring.round < steps * WAYS; ring.round++) {
    send_all(&ring);
    ways[ring.round % WAYS](&ring);
    wrong += check(&ring);
    MPI_Waitall(ring.peers, ring.outgoing, MPI_STATUSES_IGNORE);
  }
  int status = verdict(wrong, "poller: %d ranks, %d steps, %d peers", ring.size, steps, ring.peers);
  MPI_Finalize();
  return status;
}
