// Computation, and what comes before each call.
#include "generate/c_fragments.hpp"

namespace reprise::generate {

std::span<const Fragment> core_fragments() {
  static const std::vector<Fragment> all{
      {"everybody", {}, R"(
static MPI_Session own_session; /* of this benchmark, to know the rank: the program begins without MPI_COMM_WORLD */
static MPI_Comm everybody;
static void meet_everybody(void) {
  MPI_Group all;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &own_session);
  MPI_Group_from_session_pset(own_session, "mpi://WORLD", &all);
  MPI_Comm_create_from_group(all, "benchmark", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &everybody);
  MPI_Group_free(&all);
}
static void leave_everybody(void) { MPI_Comm_free(&everybody), MPI_Session_finalize(&own_session); }
)"},
      {"core", {}, R"(
static void stop(const char *why) {
  fprintf(stderr, "this benchmark cannot go on (%s): %s\n", last_site < SITES ? places[last_site] : "start", why);
@!everybody   exit(MPI_Abort(MPI_COMM_WORLD, 1));
@everybody   exit(MPI_Abort(everybody, 1));
}
static void spin(double turns) { for (volatile double x = 0; x < turns;) x = x + 1; } /* a loop that was timed */
static void compute(double ns) {
  const struct timespec t = {(time_t)(ns * 1e-9), (long)ns % 1000000000};
  if (sleeps && ns > 0) nanosleep(&t, NULL);
  else spin(ns * turns_per_ns);
}
)"},
      {"grown", {}, R"(
static void *grown(void *old, long long n, size_t each) { /* the same memory, or none, with room for n things */
  if (!(old = realloc(old, n > 0 ? (size_t)n * each : 1))) stop("out of memory");
  return old;
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
  if (overlaps) compute(ns *= 1 + extra[site]), paid += ns;
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
@seldom   for (size_t i = 0; i < sizeof seldom / sizeof *seldom; i++)
@seldom     if (seldom[i].site == site && seldom[i].rank == rank && (seldom[i].k < 0 || seldom[i].k == done[CALLS][site]))
@seldom       ns = seldom[i].ns;
@early   ns = ns * (1 + extra[site]) - paid, paid = ns < 0 ? -ns : 0;
@early   compute(ns);
@!early   compute(ns * (1 + extra[site]));
  mark = MPI_Wtime();
  done[COMPUTING][last_site = site] += mark - begin, done[CALLS][site]++;
}
)"},
      {"from", {}, R"(
static int from(int site) { return last_site == site; } /* whether the call before stood there */
)"},
      {"drawn", {}, R"(
/* What an execution takes of the mean. A table has the weight of all, the shortest, and of ranges one behind the other the
 * weight of each and where it ends [1e-4]. Each of n draws gets another n-th of them, in a random order. */
typedef unsigned long long word;
static word mixed(word x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL, x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}
static double drawn(const int *t, long long n, int draw, int together) {
  static word draws[DRAWS];
  const word last = (word)n - 1, common = mixed((word)draw + 1), own = mixed(common + (word)rank + 1);
  word place = draws[draw]++ % (word)n, mask = 1;
  for (word bits = last; bits >>= 1;) mask = 2 * mask + 1;
  do /* a mapping of as many bits onto themselves */
    for (word i = 1, key = together ? common : own; i < 5; i++, key = mixed(key))
      place = (place ^ key) * (key | 1) & mask, place ^= place >> i;
  while (place > last);
  const word pair = place > last / 2 ? last - place : place; /* what is long mirrors what is short: they add up */
  const double part = (double)(mixed(own + pair) >> 12) * 0x1p-52;
  double at = ((double)place + (pair < place ? 1 - part : part)) / (double)n * (t[0] - 1e-6), low = t[1];
  for (t += 2; at >= t[0]; t += 2) at -= t[0], low = t[1];
  return 1e-4 * (low + (t[1] - low) * (together ? part : at / t[0]));
}
)"},
      {"trips", {}, R"(
static long long trips(long long n) { return iterations >= 0 ? iterations : n; }
)"},
  };
  return all;
}

}  // namespace reprise::generate
