// Computation, and what comes before each call.
#include "generate/c_fragments.hpp"

namespace reprise::generate {

std::span<const Fragment> core_fragments() {
  static const std::vector<Fragment> all{
      {"core", {}, R"(
static void stop(const char *why) {
  fprintf(stderr, "this benchmark cannot go on (%s): %s\n", last_site < SITES ? places[last_site] : "start", why);
  exit(MPI_Abort(MPI_COMM_WORLD, 1));
}
static void spin(double turns) { /* of a loop that was timed */
  for (volatile double x = 0; x < turns;) x = x + 1;
}
static void compute(double ns) {
  const struct timespec t = {(time_t)(ns * 1e-9), (long)ns % 1000000000};
  if (sleeps && ns > 0) nanosleep(&t, NULL);
  else spin(ns * turns_per_ns);
}
)"},
      {"grown", {}, R"(
static void *grown(void *old, long long n, size_t each) { /* the same memory, or none, with room for n things */
  void *p = realloc(old, n > 0 ? (size_t)n * each : 1);
  if (!p) stop("out of memory");
  return p;
}
)"},
  };
  return all;
}

std::span<const Fragment> call_fragments() {
  static const std::vector<Fragment> all{
      {"early", {}, R"(
static double paid; /* --overlap: computation that comes behind a wait comes before it */
static void early(int site, double ns) {
  if (!overlaps) return;
  compute(ns * (1 + extra[site]));
  paid += ns * (1 + extra[site]);
}
)"},
      {"core", {}, R"(
static void at(int site, double ns) { /* comes before each call, with what the program computed before it [ns] */
  const double begin = MPI_Wtime();
  done[IN_MPI][last_site] += begin - mark;
@in_order   if (made) ends[held - 1] = wanted; /* what was received has its place until it is over */
@by_age   if (made) pending[held - 1].end = wanted; /* what was received has its place until it is over */
@in_order   wanted = taken = held > 0 ? ends[held - 1] : 0, made = 0;
@by_age   wanted = taken = held > 0 ? pending[held - 1].end : 0, made = 0;
@early   ns = ns * (1 + extra[site]) - paid;
@early   paid = ns < 0 ? -ns : 0;
@early   compute(ns);
@!early   compute(ns * (1 + extra[site]));
  mark = MPI_Wtime();
  done[COMPUTING][last_site = site] += mark - begin;
  done[CALLS][site]++;
}
)"},
      {"from", {}, R"(
static int from(int site) { return last_site == site; } /* whether the call before stood there */
)"},
      {"drawn", {}, R"(
/* A time from a histogram: count and mean [ns] of each bin. Golden steps pass through the bins evenly; with
 * `together` all ranks draw alike. */
static double drawn(const long long *bins, int n, int site, int together) {
  double total = 0, at = 0.618033988749895 * (done[CALLS][site] + 1) + 0.754877666246693 * site;
  if (!together) at += 0.569840290998053 * (double)(rank + 1);
  for (int i = 0; i < n; i++) total += (double)bins[2 * i];
  at = (at - (double)(long long)at) * total;
  for (int i = 0; i < n - 1; i++)
    if ((at -= (double)bins[2 * i]) < 0) return (double)bins[2 * i + 1];
  return (double)bins[2 * n - 1];
}
)"},
      {"trips", {}, R"(
static long long trips(long long n) { return iterations >= 0 ? iterations : n; }
)"},
  };
  return all;
}

}  // namespace reprise::generate
