// A library for tests, whose functions end with calls of MPI, or of each other, that the compiler
// makes jumps of. Each call of MPI is told which one it is.
extern "C" {
int MPI_Waitall(int id);
int MPI_Send(int id);
int MPI_Barrier(int id);
int mpi_barrier_(int id);
}

namespace {

volatile int g_sum = 0, g_four = 4;

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

}  // namespace

// 0: wait; 1: exchange, wait; 2 and 3: either; 4: in_fortran; 5: no function between.
extern "C" void tail_call_cases() {
  g_sum = wait(0);
  g_sum = exchange(1);
  for (int i = 2; i < g_four; ++i) g_sum = either(i);
  g_sum = in_fortran(4);
  g_sum = MPI_Waitall(5);
}
