/* Several threads per rank, each with a communicator of its own: every thread runs a ring, the even
 * ones to the right, the odd ones to the left, and takes part in a reduction among the threads of
 * its number.
 *
 * Class: MPI_THREAD_MULTIPLE; what one thread does is a stream of its own.
 */
#include "compute.h"
#include "harness.h"

#include <atomic>
#include <thread>
#include <vector>

namespace {

struct Ring {
  MPI_Comm comm;
  int rank, size, direction;  // 1 or -1

  int ahead() const { return (rank + direction + size) % size; }
  int behind() const { return (rank - direction + size) % size; }
};

/* A token from every rank, all on their way at the same time. */
long pass_tokens(const Ring& ring, int step) {
  long wrong = 0;
  int token = 1000 * step + ring.rank;
  for (int hop = 1; hop <= ring.size; hop++) {
    int next;
    MPI_Request requests[2];
    MPI_Irecv(&next, 1, MPI_INT, ring.behind(), hop, ring.comm, &requests[0]);
    MPI_Isend(&token, 1, MPI_INT, ring.ahead(), hop, ring.comm, &requests[1]);
    compute(1e-6);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    token = next;
    const int owner = ((ring.rank - hop * ring.direction) % ring.size + ring.size) % ring.size;
    wrong += token != 1000 * step + owner;
  }
  return wrong;
}

long agree(const Ring& ring, int thread) {
  int number = ring.rank + thread, sum = 0;
  MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, ring.comm);
  return sum != ring.size * (ring.size - 1) / 2 + ring.size * thread;
}

long run(const Ring& ring, int thread, int steps) {
  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    wrong += pass_tokens(ring, step);
    if (step % 2 == thread % 2) wrong += agree(ring, thread);
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  int rank, size, provided, steps = 4, count = 2;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--threads", &count, 1);
  require(provided == MPI_THREAD_MULTIPLE,
          "threads: this MPI library does not provide MPI_THREAD_MULTIPLE");
  compute_setup(rank, size);

  std::vector<Ring> rings;
  for (int thread = 0; thread < count; thread++) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    rings.push_back({comm, rank, size, thread % 2 == 0 ? 1 : -1});
  }
  std::atomic<long> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < count; thread++)
    threads.emplace_back(
        [&, thread] { wrong += run(rings[static_cast<std::size_t>(thread)], thread, steps); });
  for (std::thread& thread : threads) thread.join();
  for (Ring& ring : rings) MPI_Comm_free(&ring.comm);

  int status = verdict(wrong, "threads: %d ranks, %d threads each, %d steps", size, count, steps);
  MPI_Finalize();
  return status;
}
