/* Dense matrix multiplication on a square grid of ranks in two ways: Cannon's algorithm rolls the
 * blocks round the rows and columns of a torus, SUMMA broadcasts them along the rows and columns.
 *
 * Class: shifts on a periodic Cartesian grid, first by as many places as the row or column says,
 * then by one; broadcasts in sub-communicators with a root that moves on. The product of the
 * matrices i + k and k - j is known in closed form.
 */
#include "compute.h"
#include "harness.h"

#include <cmath>
#include <vector>

namespace {

/* A block of n x n numbers, by rows. */
class Block {
 public:
  explicit Block(int n)
      : n_(n), numbers_(static_cast<std::size_t>(n) * static_cast<std::size_t>(n)) {}

  int n() const { return n_; }
  int count() const { return n_ * n_; }
  double* data() { return numbers_.data(); }
  double& at(int i, int j) { return numbers_[static_cast<std::size_t>(i * n_ + j)]; }
  double at(int i, int j) const { return numbers_[static_cast<std::size_t>(i * n_ + j)]; }

  void add_product(const Block& a, const Block& b) {
    for (int i = 0; i < n_; i++)
      for (int k = 0; k < n_; k++)
        for (int j = 0; j < n_; j++) at(i, j) += a.at(i, k) * b.at(k, j);
    compute(1e-9 * n_ * n_ * n_);
  }

 private:
  int n_;
  std::vector<double> numbers_;
};

struct Torus {
  explicit Torus(int side) : side(side) {
    const int extents[2] = {side, side}, periodic[2] = {1, 1}, along_row[2] = {0, 1};
    const int along_column[2] = {1, 0};
    int rank;
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periodic, 1, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Cart_coords(comm, rank, 2, place);
    MPI_Cart_sub(comm, along_row, &row);
    MPI_Cart_sub(comm, along_column, &column);
  }
  Torus(const Torus&) = delete;
  Torus& operator=(const Torus&) = delete;
  ~Torus() {
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Comm_free(&comm);
  }

  int side;
  int place[2];  // row and column of this rank
  MPI_Comm comm, row, column;
};

Block left_factor(const Torus& torus, int n) {
  Block a(n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) a.at(i, k) = torus.place[0] * n + i + torus.place[1] * n + k;
  return a;
}

Block right_factor(const Torus& torus, int n) {
  Block b(n);
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++) b.at(k, j) = torus.place[0] * n + k - (torus.place[1] * n + j);
  return b;
}

/* Moves the blocks by `places` towards lower coordinates of a dimension, all the way round. */
void roll(const Torus& torus, int dimension, int places, Block& block) {
  int from, to;
  if (places == 0) return;
  MPI_Cart_shift(torus.comm, dimension, -places, &from, &to);
  MPI_Sendrecv_replace(block.data(), block.count(), MPI_DOUBLE, to, dimension, from, dimension,
                       torus.comm, MPI_STATUS_IGNORE);
}

Block cannon(const Torus& torus, Block a, Block b) {
  Block c(a.n());
  roll(torus, 1, torus.place[0], a);
  roll(torus, 0, torus.place[1], b);
  for (int stage = 0; stage < torus.side; stage++) {
    c.add_product(a, b);
    if (stage + 1 < torus.side) {
      roll(torus, 1, 1, a);
      roll(torus, 0, 1, b);
    }
  }
  return c;
}

Block summa(const Torus& torus, const Block& a, const Block& b) {
  Block c(a.n());
  for (int stage = 0; stage < torus.side; stage++) {
    Block a_stage = a, b_stage = b;
    MPI_Bcast(a_stage.data(), a_stage.count(), MPI_DOUBLE, stage, torus.row);
    MPI_Bcast(b_stage.data(), b_stage.count(), MPI_DOUBLE, stage, torus.column);
    c.add_product(a_stage, b_stage);
  }
  return c;
}

/* The sum over k of (i + k) (k - j), with all numbers whole and exact. */
long differences(const Torus& torus, const Block& c) {
  const double total = static_cast<double>(torus.side) * c.n();
  const double sum = total * (total - 1) / 2, squares = (total - 1) * total * (2 * total - 1) / 6;
  long wrong = 0;
  for (int y = 0; y < c.n(); y++)
    for (int x = 0; x < c.n(); x++) {
      const double i = torus.place[0] * c.n() + y, j = torus.place[1] * c.n() + x;
      wrong += std::fabs(c.at(y, x) - (squares + (i - j) * sum - total * i * j)) > 0.5;
    }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  int rank, size, steps = 2, n = 16;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--cells", &n, 1);
  const int side = static_cast<int>(std::lround(std::sqrt(size)));
  require(side * side == size, "cannon: the number of ranks must be a square");
  require(n > 0, "cannon: --cells must be positive");
  compute_setup(rank, size);

  long wrong = 0;
  {
    const Torus torus(side);
    const Block a = left_factor(torus, n), b = right_factor(torus, n);
    for (int step = 0; step < steps; step++) {
      wrong += differences(torus, cannon(torus, a, b));
      wrong += differences(torus, summa(torus, a, b));
    }
  }
  int status =
      verdict(wrong, "cannon: %d x %d ranks, %d steps, blocks of %d x %d", side, side, steps, n, n);
  MPI_Finalize();
  return status;
}
