/* What an MPI call costs, in tight loops on one rank: run alone and under a recorder, the
 * difference is the recorder's share (per_call.py does that). Time is this thread's CPU time, so
 * that a busy machine disturbs it little; a case is repeated and its median printed, as
 *   <case> <CPU ns per MPI call>
 */
#define MPICH_SKIP_MPICXX 1
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kMostRepeats = 99, kMostInts = 64 };

static int out[kMostInts], in[kMostInts];

static double cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void isend_recv_wait(int n) {
  MPI_Request request;
  for (int i = 0; i < n; i += 3) {
    MPI_Isend(out, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Recv(in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void sendrecv(int n) {
  for (int i = 0; i < n; i++)
    MPI_Sendrecv(out, 1, MPI_INT, 0, 0, in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void barrier(int n) {
  for (int i = 0; i < n; i++) MPI_Barrier(MPI_COMM_SELF);
}

static void allreduce(int n) {
  for (int i = 0; i < n; i++) MPI_Allreduce(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

/* Calls that differ from one to the next in nothing but their size, which never repeats itself. */
static void random_sizes(int n) {
  static unsigned long state = 88172645463325252ul;
  for (int i = 0; i < n; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17; /* Marsaglia's xorshift */
    const int size = (int)(state % kMostInts);
    MPI_Sendrecv(out, size, MPI_INT, 0, 0, in, size, MPI_INT, 0, 0, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
  }
}

/* Twenty functions, each of which calls the next. */
#define FRAME(from, to)                                 \
  __attribute__((noinline)) static void from(int n) { \
    to(n);                                            \
    __asm__ volatile("");                             \
  }
FRAME(f19, barrier)
FRAME(f18, f19)
FRAME(f17, f18)
FRAME(f16, f17)
FRAME(f15, f16)
FRAME(f14, f15)
FRAME(f13, f14)
FRAME(f12, f13)
FRAME(f11, f12)
FRAME(f10, f11)
FRAME(f9, f10)
FRAME(f8, f9)
FRAME(f7, f8)
FRAME(f6, f7)
FRAME(f5, f6)
FRAME(f4, f5)
FRAME(f3, f4)
FRAME(f2, f3)
FRAME(f1, f2)
FRAME(deep_path, f1)

/* A loop body of a thousand calls, each at a place of its own. */
#define TEN(x) x x x x x x x x x x
static void thousand_sites(int n) {
  for (int i = 0; i < n; i += 1000) {
    TEN(TEN(TEN(MPI_Barrier(MPI_COMM_SELF);)))
  }
}

static const struct {
  const char* name;
  void (*run)(int calls);
} kCases[] = {
    {"isend_recv_wait", isend_recv_wait}, {"sendrecv", sendrecv},
    {"barrier", barrier},                 {"allreduce", allreduce},
    {"deep_path", deep_path},             {"thousand_sites", thousand_sites},
    {"random_sizes", random_sizes},
};

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  const int calls = argc > 1 ? atoi(argv[1]) : 200000;
  int repeats = argc > 2 ? atoi(argv[2]) : 11;
  if (repeats > kMostRepeats) repeats = kMostRepeats;
  MPI_Init(&argc, &argv);
  for (size_t c = 0; c < sizeof kCases / sizeof *kCases; c++) {
    double ns[kMostRepeats];
    kCases[c].run(3000);
    for (int r = 0; r < repeats; r++) {
      const double begin = cpu_ns();
      kCases[c].run(calls);
      ns[r] = (cpu_ns() - begin) / calls;
    }
    qsort(ns, (size_t)repeats, sizeof *ns, ascending);
    printf("%s %.1f\n", kCases[c].name, ns[repeats / 2]);
  }
  MPI_Finalize();
  return 0;
}
