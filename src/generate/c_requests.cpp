// Pending requests of a generated program, and messages that were probed for.
#include "generate/c_fragments.hpp"

namespace reprise::generate {

std::span<const Fragment> request_fragments() {
  static const std::vector<Fragment> all{
      {"in_order", {"grown", "taken"}, R"(
static MPI_Request *pending; /* the requests that are pending, the oldest first, and where in the buffer each ends */
static long long *ends;
static int held, most_held, made, names;
static MPI_Request *request(void) {
  if (held == most_held)
    pending = grown(pending, most_held = 2 * held + 64, sizeof *pending), ends = grown(ends, most_held, sizeof *ends);
  return made = 1, &pending[held++];
}
static MPI_Request *last(int n) { /* the n youngest */
  if (n > held) stop("more requests are waited for than there are");
  return &pending[held - (names = n)];
}
static void over(void) { held -= names; }
)"},
      {"youngest", {}, R"(
@in_order static MPI_Request *youngest(int n, const int *ages) { /* the n youngest, by how many were made after each */
@in_order   MPI_Request *all = last(n), *a = fresh(n, sizeof *a);
@in_order   for (int i = 0; i < n; i++) a[i] = all[n - 1 - ages[i]];
@in_order   return a;
@in_order }
)"},
      {"by_age", {"grown", "taken"}, R"(
/* The pending requests, the oldest first, and where in the buffer each ends (-1: it is over). */
static struct { MPI_Request handle; long long end; } *pending;
static int held, most_held, made;
static MPI_Request *request(void) {
  if (held == most_held) pending = grown(pending, most_held = 2 * held + 64, sizeof *pending);
  return made = 1, &pending[held++].handle;
}

/* Those of these ages (-1: none), how many pending ones were made after each; or the n youngest but for later ones. */
static MPI_Request *given;
static int names, most_names, *named;
@which_ones static int *which_ones;
static MPI_Request *chosen(int n, const int *ages, int later) {
  if (n > most_names) given = grown(given, most_names = n, sizeof *given), named = grown(named, n, sizeof *named);
@which_ones   which_ones = grown(which_ones, most_names, sizeof *which_ones);
  for (names = 0; names < n; names++) {
    const int age = ages ? ages[names] : later + n - 1 - names;
    if (age >= held) stop("a request is named that is not pending");
    named[names] = age < 0 ? -1 : held - 1 - age;
    given[names] = age < 0 ? MPI_REQUEST_NULL : pending[named[names]].handle;
  }
  return given;
}
)"},
      {"these", {"by_age"}, R"(
static MPI_Request *these(int n, const int *ages) { return chosen(n, ages, 0); }
)"},
      {"youngest", {}, R"(
@by_age static MPI_Request *youngest(int n, const int *ages) { return chosen(n, ages, 0); }
)"},
      {"earlier", {"by_age"}, R"(
static MPI_Request *earlier(int n, int later) { return chosen(n, NULL, later); }
)"},
      {"last", {"by_age"}, R"(
static MPI_Request *last(int n) { return chosen(n, NULL, 0); }
)"},
      {"over", {"by_age"}, R"(
static void over(void) { /* what the call named and has become null; persistent ones have not */
  int n = 0;
  for (int i = 0; i < names; i++)
    if (named[i] >= 0 && given[i] == MPI_REQUEST_NULL) pending[named[i]].end = -1;
  for (int i = 0; i < held; i++)
    if (pending[i].end >= 0) pending[n++] = pending[i];
  held = n;
}
)"},
      {"over_one", {"by_age"}, R"(
@as_told /* Of those named, the one is over that ended in the trace. Another that ended in its place leaves its place to it. */
@as_told static void over_one(int which) {
@as_told   for (int i = 0; i < names && which >= 0 && given[which] != MPI_REQUEST_NULL; i++)
@as_told     if (named[i] >= 0 && given[i] == MPI_REQUEST_NULL) given[i] = given[which], given[which] = MPI_REQUEST_NULL;
@as_told   for (int i = 0; i < names; i++)
@as_told     if (named[i] >= 0) pending[named[i]].handle = given[i];
@!as_told static void over_one(int which) { /* of those named */
  const int p = which < 0 ? -1 : named[which];
@!persistent   if (p < 0) return;
@persistent   if (p < 0 || given[which] != MPI_REQUEST_NULL) return;
  memmove(&pending[p], &pending[p + 1], (size_t)(--held - p) * sizeof *pending);
  for (int i = 0; i < names; i++)
    if (named[i] >= p) named[i] = named[i] == p ? -1 : named[i] - 1;
}
)"},
      {"found", {"which_ones"}, R"(
/* Each iteration is over with one of those that a call found to have ended; the next ones ask only when none is left. */
static int found, shown;
static int is_next(void) { return ++shown < found ? 0 : (shown = 0, 1); }
@found_one static int found_one(void) { return shown < found ? which_ones[shown] : -1; }
)"},
      {"messages", {}, R"(
static struct { MPI_Message handle; int bytes; } probed[1024]; /* messages that were probed for */
static int probes;
static MPI_Status status;
static MPI_Message *probe(void) { return &probed[probes < 1023 ? probes : 1023].handle; }
static void keep_probed(void) { MPI_Get_count(&status, MPI_BYTE, &probed[probes++].bytes); }

static MPI_Message taken_message; /* one of so many elements, or else the first, whose size is the count if it is larger */
static int fitting(long long count, MPI_Datatype type) {
  int size, i = 0;
  MPI_Type_size(type, &size);
  while (i < probes && probed[i].bytes != count * size) i++;
  if (i == probes) i = 0;
  taken_message = probed[i].handle;
  const int bytes = probed[i].bytes;
  for (probes--; i < probes; i++) probed[i] = probed[i + 1];
  return size > 0 && bytes > count * size ? (bytes + size - 1) / size : (int)count;
}
)"},
  };
  return all;
}

}  // namespace reprise::generate
