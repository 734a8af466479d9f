/* Adaptive integration by a master and its workers: a worker either solves an interval or sends it
 * back as too hard; then the master puts its two halves on the pile. Whoever is idle gets the next
 * one.
 *
 * Class: master and workers with dynamic tasks; the master receives from MPI_ANY_SOURCE with
 * MPI_ANY_TAG, the order is up to the machine. The number of tasks and the integral are not, and
 * are checked.
 */
#include "compute.h"
#include "harness.h"

#include <cmath>
#include <vector>

namespace {

enum Tag { TASK, SOLVED, TOO_HARD, STOP };

struct Interval {
  double from, to;
};

/* Has a kink at 1/3 and a steep start at 0, where small intervals are needed. */
double function(double x) { return std::sqrt(x) + std::fabs(x - 1.0 / 3); }

const double integral = 2.0 / 3 + 5.0 / 18;

double simpson(double from, double to) {
  return (to - from) / 6 * (function(from) + 4 * function((from + to) / 2) + function(to));
}

/* The better of two estimates; whether they agree says if it is good enough. */
bool solve(const Interval& interval, double tolerance, double& area) {
  const double middle = (interval.from + interval.to) / 2;
  area = simpson(interval.from, middle) + simpson(middle, interval.to);
  return std::fabs(area - simpson(interval.from, interval.to)) <=
         tolerance * (interval.to - interval.from);
}

class Master {
 public:
  explicit Master(int workers) {
    for (int worker = 1; worker <= workers; worker++) idle_.push_back(worker);
  }

  /* Returns the integral over all intervals, however they had to be divided. */
  double run(const std::vector<Interval>& intervals) {
    double sum = 0;
    pile_ = intervals;
    while (hand_out() > 0) sum += take_answer();
    return sum;
  }

  void stop_workers() const {
    for (int worker : idle_) MPI_Send(nullptr, 0, MPI_DOUBLE, worker, STOP, MPI_COMM_WORLD);
  }

  long tasks() const { return tasks_; }

 private:
  /* Gives every idle worker something to do, as far as there is any; returns how many are busy
   * then. */
  int hand_out() {
    while (!idle_.empty() && !pile_.empty()) {
      const Interval interval = pile_.back();
      MPI_Send(&interval, 2, MPI_DOUBLE, idle_.back(), TASK, MPI_COMM_WORLD);
      pile_.pop_back();
      idle_.pop_back();
      busy_++;
      tasks_++;
    }
    return busy_;
  }

  double take_answer() {
    MPI_Status status;
    double answer[2];
    MPI_Recv(answer, 2, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    idle_.push_back(status.MPI_SOURCE);
    busy_--;
    if (status.MPI_TAG == SOLVED) return answer[0];
    const double middle = (answer[0] + answer[1]) / 2;
    pile_.push_back({answer[0], middle});
    pile_.push_back({middle, answer[1]});
    return 0;
  }

  std::vector<Interval> pile_;
  std::vector<int> idle_;
  int busy_ = 0;
  long tasks_ = 0;
};

void work(double tolerance) {
  for (;;) {
    Interval interval{};
    MPI_Status status;
    double area;
    MPI_Recv(&interval, 2, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == STOP) return;
    compute(2e-5);
    if (solve(interval, tolerance, area))
      MPI_Send(&area, 1, MPI_DOUBLE, 0, SOLVED, MPI_COMM_WORLD);
    else
      MPI_Send(&interval, 2, MPI_DOUBLE, 0, TOO_HARD, MPI_COMM_WORLD);
  }
}

/* The number of tasks that one interval makes, as a single rank would count them. */
long count_tasks(const Interval& interval, double tolerance) {
  double area;
  if (solve(interval, tolerance, area)) return 1;
  const double middle = (interval.from + interval.to) / 2;
  return 1 + count_tasks({interval.from, middle}, tolerance) +
         count_tasks({middle, interval.to}, tolerance);
}

}  // namespace

int main(int argc, char** argv) {
  int rank, size, pieces = 4, digits = 5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--pieces", &pieces, 1, "--digits", &digits, 1);
  require(size >= 2, "master_worker: a master and a worker are two ranks");
  require(pieces > 0 && digits <= 9,
          "master_worker: --pieces must be positive, --digits at most 9");
  compute_setup(rank, size);

  const double tolerance = std::pow(10, -digits);
  long wrong = 0, tasks = 0;
  double sum = 0;
  if (rank == 0) {
    std::vector<Interval> intervals;
    for (int i = 0; i < pieces; i++)
      intervals.push_back({static_cast<double>(i) / pieces, static_cast<double>(i + 1) / pieces});
    Master master(size - 1);
    sum = master.run(intervals);
    master.stop_workers();
    tasks = master.tasks();
    long expected = 0;
    for (const Interval& interval : intervals) expected += count_tasks(interval, tolerance);
    wrong = (tasks != expected) + (std::fabs(sum - integral) > tolerance);
  } else {
    work(tolerance);
  }
  int status =
      verdict(wrong, "master_worker: %d ranks, %ld tasks, integral %.6f", size, tasks, sum);
  MPI_Finalize();
  return status;
}
