/* One-sided communication under all three kinds of synchronization: fences around puts to a
 * neighbor, post-start-complete-wait with the neighbors on a ring, and locks around accumulates,
 * gets and atomic operations on a counter.
 *
 * Class: RMA, where only the origin makes a call for the data that moves, as in PGAS codes and
 * global arrays.
 */
#include "compute.h"
#include "harness.h"

#include <algorithm>
#include <vector>

namespace {

class Window {
 public:
  /* Memory that MPI allocates: `count` integers on every rank. */
  Window(int count, int rank) : rank_(rank) {
    MPI_Win_allocate(static_cast<MPI_Aint>(count * sizeof(int)), sizeof(int), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &base_, &win_);
    store(0, std::vector<int>(static_cast<std::size_t>(count), 0));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window() { MPI_Win_free(&win_); }

  MPI_Win handle() const { return win_; }

  /* Local accesses under a lock on oneself, so that they may be mixed with those of others. */
  void store(std::size_t at, const std::vector<int>& numbers) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank_, 0, win_);
    std::copy(numbers.begin(), numbers.end(), base_ + at);
    MPI_Win_unlock(rank_, win_);
  }
  int load(std::size_t at) const {
    MPI_Win_lock(MPI_LOCK_SHARED, rank_, 0, win_);
    int number = base_[at];
    MPI_Win_unlock(rank_, win_);
    return number;
  }

 private:
  int rank_;
  int* base_ = nullptr;
  MPI_Win win_ = MPI_WIN_NULL;
};

struct Ring {
  int rank, size;
  int left() const { return (rank + size - 1) % size; }
  int right() const { return (rank + 1) % size; }
};

/* Everybody puts a line into the right neighbor's memory and gets one from the left neighbor's.
 */
long fence(const Ring& ring, int step, int count) {
  std::vector<int> exposed(static_cast<std::size_t>(2 * count), ring.rank),
      line(static_cast<std::size_t>(count)), got(line);
  std::generate(line.begin(), line.end(), [n = 100 * ring.rank + step]() mutable { return n++; });
  MPI_Win win;
  MPI_Win_create(exposed.data(), static_cast<MPI_Aint>(exposed.size() * sizeof(int)), sizeof(int),
                 MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  MPI_Put(line.data(), count, MPI_INT, ring.right(), 0, count, MPI_INT, win);
  MPI_Get(got.data(), count, MPI_INT, ring.left(), count, count, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_free(&win);
  long wrong = 0;
  for (int i = 0; i < count; i++) {
    auto place = static_cast<std::size_t>(i);
    wrong += (exposed[place] != 100 * ring.left() + step + i) + (got[place] != ring.left());
  }
  return wrong;
}

/* The neighbors on a ring expose their memory to each other, and to nobody else. */
long post_start_complete_wait(const Ring& ring, Window& window, int step) {
  std::vector<int> neighbors{ring.left()};
  if (ring.right() != ring.left()) neighbors.push_back(ring.right());
  MPI_Group world, around;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, static_cast<int>(neighbors.size()), neighbors.data(), &around);
  MPI_Group_free(&world);

  const int numbers[2] = {step + ring.rank, step - ring.rank};
  MPI_Win_post(around, 0, window.handle());
  MPI_Win_start(around, 0, window.handle());
  MPI_Put(&numbers[0], 1, MPI_INT, ring.right(), 0, 1, MPI_INT, window.handle());
  MPI_Put(&numbers[1], 1, MPI_INT, ring.left(), 1, 1, MPI_INT, window.handle());
  compute(2e-6);
  MPI_Win_complete(window.handle());
  MPI_Win_wait(window.handle());
  MPI_Group_free(&around);
  return (window.load(0) != step + ring.left()) + (window.load(1) != step - ring.right());
}

/* Everybody adds to everybody's histogram, with a lock for each. */
long accumulate(const Ring& ring, Window& window, int step) {
  const int first = 2, numbers[2] = {1, ring.rank};
  for (int hop = 0; hop < ring.size; hop++) {
    int target = (ring.rank + hop) % ring.size;
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window.handle());
    MPI_Accumulate(numbers, 2, MPI_INT, target, first, 2, MPI_INT, MPI_SUM, window.handle());
    MPI_Win_unlock(target, window.handle());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  long wrong = window.load(2) != (step + 1) * ring.size;
  wrong += window.load(3) != (step + 1) * (ring.size * (ring.size - 1) / 2);
  MPI_Barrier(MPI_COMM_WORLD);
  return wrong;
}

/* Draws tickets from a counter on rank 0; each number is drawn once, so their sum is known. */
long draw_tickets(const Ring& ring, Window& window, int step, int draws) {
  const int one = 1, place = 4;
  long sum = 0;
  MPI_Win_lock_all(0, window.handle());
  for (int i = 0; i < draws; i++) {
    int ticket;
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, place, MPI_SUM, window.handle());
    MPI_Win_flush(0, window.handle());
    sum += ticket;
    compute(1e-6);
  }
  MPI_Win_unlock_all(window.handle());
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  const long before = static_cast<long>(step) * draws * ring.size;
  const long after = before + static_cast<long>(draws) * ring.size;
  return sum != (after * (after - 1) - before * (before - 1)) / 2;
}

/* A baton on rank 0 says in which step it is whose; all try to take it, and the one who may writes
 * who is next. */
long pass_baton(const Ring& ring, Window& window, int step) {
  const int place = 5, next = (step + 1) * ring.size + (step + 1) % ring.size;
  int mine = step * ring.size + ring.rank, found, baton = -1;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window.handle());
  MPI_Compare_and_swap(&next, &mine, &found, MPI_INT, 0, place, window.handle());
  MPI_Win_unlock(0, window.handle());
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window.handle());
  MPI_Get_accumulate(nullptr, 0, MPI_INT, &baton, 1, MPI_INT, 0, place, 1, MPI_INT, MPI_NO_OP,
                     window.handle());
  MPI_Win_unlock(0, window.handle());
  MPI_Barrier(MPI_COMM_WORLD);
  return ((found == mine) != (ring.rank == step % ring.size)) + (baton != next);
}

}  // namespace

int main(int argc, char** argv) {
  int steps = 4, count = 16;
  Ring ring;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &ring.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ring.size);
  options(argc, argv, "--steps", &steps, 1, "--cells", &count, 1);
  compute_setup(ring.rank, ring.size);

  long wrong = 0;
  {
    Window window(8,
                  ring.rank);  // a multiple of 16 bytes: MPICH 4.0 misplaces windows of other sizes
    for (int step = 0; step < steps; step++) {
      wrong += fence(ring, step, count);
      wrong += post_start_complete_wait(ring, window, step);
      wrong += accumulate(ring, window, step);
      wrong += draw_tickets(ring, window, step, 3);
      wrong += pass_baton(ring, window, step);
    }
  }
  int status = verdict(wrong, "onesided: %d ranks, %d steps", ring.size, steps);
  MPI_Finalize();
  return status;
}
