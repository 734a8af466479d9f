// Functions whose names are long.
#define MPICH_SKIP_MPICXX 1  // the C++ bindings, which MPI 3 removed
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <array>

// A call that a function ends with may be a jump.
static volatile int calls = 0;

namespace solver {

template <class T, int N>
[[gnu::noinline]] std::array<T, N> exchange() {
  std::array<T, N> values{};
  // clang-format off
  MPI_Allreduce(MPI_IN_PLACE, &values, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);  // PLACE solver::exchange
  // clang-format on
  MPI_Barrier(MPI_COMM_WORLD);  // PLACE solver::exchange
  return values;
}

// Of both instances calls stand on one line.
template <class T>
[[gnu::noinline]] void put(T value) {
  // clang-format off
  MPI_Bcast(&value, sizeof value, MPI_BYTE, 0, MPI_COMM_WORLD);  // PLACE solver::put<int>, solver::put<long>
  // clang-format on
  MPI_Barrier(MPI_COMM_WORLD);  // PLACE solver::put<int>, solver::put<long>
  calls = calls + 1;
}

struct Grid {
  [[gnu::noinline]] void operator()() const {
    MPI_Barrier(MPI_COMM_WORLD);  // PLACE solver::Grid::operator()
    calls = calls + 1;
  }
};

namespace {
[[gnu::noinline]] void hidden() {
  MPI_Barrier(MPI_COMM_WORLD);  // PLACE solver::hidden
  calls = calls + 1;
}
}  // namespace

inline void inlined() {
  MPI_Barrier(MPI_COMM_WORLD);  // PLACE solver::inlined
  calls = calls + 1;
}

}  // namespace solver

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);  // PLACE main
  const auto meet = [](int times) __attribute__((noinline)) {
    for (int i = 0; i < times; ++i) MPI_Barrier(MPI_COMM_WORLD);  // PLACE main::{lambda}
    calls = calls + 1;
  };
  const double sum = solver::exchange<double, 3>()[0];
  solver::put(argc);
  solver::put(2L);
  solver::Grid()();
  solver::hidden();
  solver::inlined();
  meet(3);
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      MPI_Barrier(MPI_COMM_WORLD);  // PLACE main (omp)
      calls = calls + 1;
    }
  }
  MPI_Finalize();  // PLACE main
  return sum != 0;
}
