// A library for tests, whose functions end with calls of MPI, or of each other, that the compiler
// makes jumps of. Each call of MPI is told which one it is.
extern "C" {
int MPI_Waitall(int id);
int MPI_Send(int id);
int MPI_Barrier(int id);
int mpi_barrier_(int id);
// Notes where the function that calls this returns to.
void note_caller(int id, const void* return_address);
}

namespace {

volatile int g_sum = 0, g_first = 0;  // numbers that the compiler does not know
int (*volatile g_send)(int) = MPI_Send;

[[gnu::noinline]] int wait(int id) {
  g_sum = g_sum + 1;
  return MPI_Waitall(id);
}

[[gnu::noinline]] int exchange(int id) {
  g_sum = g_sum + 2;
  return wait(id);
}

[[gnu::noinline]] int either(int id) {
  if (id % 2 == 0) return MPI_Send(id);
  return MPI_Barrier(id);
}

[[gnu::noinline]] int in_fortran(int id) {
  g_sum = g_sum + 3;
  return mpi_barrier_(id);
}

// Either way it ends in MPI_Send, and only one of them says so.
[[gnu::noinline]] int by_address(int id) {
  if (id % 2 == 0) return MPI_Send(id);
  return g_send(id);
}

template <int n>
[[gnu::noinline]] int step(int id) {
  g_sum = g_sum + n;
  if constexpr (n == 0) {
    return MPI_Send(id);
  } else {
    return step<n - 1>(id);
  }
}

// MPI_Send at its own end, and at that of a function six jumps away.
[[gnu::noinline]] int near_and_far(int id) {
  if (id % 2 == 0) return MPI_Send(id);
  return step<6>(id);
}

[[gnu::noinline]] int below(int id) {
  note_caller(id, __builtin_return_address(0));
  return MPI_Barrier(id) + 1;
}

[[gnu::noinline]] int above(int id) {
  g_sum = g_sum + 4;
  return below(id);
}

}  // namespace

// 0: wait; 1: exchange, wait; 2 and 3: either; 4: in_fortran; 5: no function between; 6:
// by_address; 7: near_and_far; 8: above, below.
extern "C" void tail_call_cases() {
  const int first = g_first;
  g_sum = wait(first);
  g_sum = exchange(first + 1);
  for (int id = 2; id < first + 4; ++id) g_sum = either(id);
  g_sum = in_fortran(first + 4);
  g_sum = MPI_Waitall(first + 5);
  g_sum = by_address(first + 6);
  g_sum = near_and_far(first + 7);
  g_sum = above(first + 8);
}
