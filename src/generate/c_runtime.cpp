#include "generate/c_runtime.hpp"

#include <set>
#include <sstream>
#include <vector>

#include "expr/print.hpp"

namespace reprise::generate {
namespace {

struct Helper {
  std::string_view name;
  std::vector<std::string> uses;
  std::string_view text;
};

// In the order in which C needs them.
const std::vector<Helper>& helpers() {
  static const std::vector<Helper> all{
      {"of", {}, R"(#define SPECIAL(k) (-(1LL << 30) - (k)) /* a constant of MPI */
/* The k-th value of a folded series: how many values there are (0: endless), and then terms:
 * LIST, n, each value; RUN, n, step, first; LOOP, n, step, values in one pass, words, the terms of a pass. */
enum { LIST, RUN, LOOP };
static long long of(const long long *t, long long k) {
  long long base = 0;
  if (*t > 0) k %= *t;
  for (t++;;) {
    const long long kind = t[0], n = t[1], each = kind == LOOP ? t[3] : 1;
    if (n == 0 || k / each < n) {
      if (kind == LIST) return base + t[2 + k];
      if (kind == RUN) return base + t[3] + t[2] * k;
      base += t[2] * (k / each);
      k %= each;
      t += 5;
    } else {
      k -= n * each;
      t += kind == LIST ? 2 + n : kind == RUN ? 4 : 5 + t[4];
    }
  }
}
)"},
      {"one", {"of"}, R"(/* One of several series. */
static const long long *one(const long long *t, long long which) { return t + t[which]; }
)"},
      {"meant", {"of"}, R"(/* The constants of MPI that tables have. */
static long long meant(long long v) {
  const int constants[] = {0, MPI_PROC_NULL, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_ROOT, MPI_UNDEFINED};
  return v > SPECIAL(0) || v < SPECIAL(63) ? v : v > SPECIAL(6) ? constants[SPECIAL(0) - v] : -1;
}
)"},
      {"trips",
       {},
       R"(static long long trips(long long n) { return main_iterations >= 0 ? main_iterations : n; }
)"},
      {"early", {}, R"(/* --overlap: computation that comes behind a wait comes before it. */
static void early(int site, double ns) {
  if (!overlaps) return;
  compute(ns * scale[site]);
  paid += ns * scale[site];
}
)"},
      {"hidden",
       {},
       R"(/* MPI_UNWEIGHTED is the address of no array, at which compilers wonder. */
static int *hidden(int *constant) {
  int *volatile p = constant;
  return p;
}
)"},
      {"comms", {}, R"(static int rank_in(MPI_Comm comm) {
  int r;
  MPI_Comm_rank(comm, &r);
  return r;
}

/* How many ranks a call in the communicator can name. */
static int size_of(MPI_Comm comm) {
  int n, inter;
  MPI_Comm_test_inter(comm, &inter);
  if (inter) MPI_Comm_remote_size(comm, &n);
  else MPI_Comm_size(comm, &n);
  return n;
}
)"},
      {"local", {}, R"(static int local_size(MPI_Comm comm) {
  int n;
  MPI_Comm_size(comm, &n);
  return n;
}
)"},
      {"around",
       {"comms"},
       R"(/* The rank so many behind this one in the communicator, around it. */
static int around(MPI_Comm comm, long long steps) {
  const int n = size_of(comm);
  return steps < 0 || steps >= n ? (int)steps : (int)((rank_in(comm) + steps) % n);
}
)"},
      {"across", {"comms"}, R"(/* The rank that differs in these bits. */
static int across(MPI_Comm comm, long long bits) { return bits < 0 ? (int)bits : rank_in(comm) ^ (int)bits; }
)"},
      {"degree", {}, R"(/* Neighbours that send to this rank, or that it sends to. */
static int degree(MPI_Comm comm, int in) {
  int topology, n = 0, out = 0, weighted;
  MPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    MPI_Cartdim_get(comm, &n);
    return 2 * n;
  }
  if (topology == MPI_GRAPH) {
    MPI_Comm_rank(comm, &out);
    MPI_Graph_neighbors_count(comm, out, &n);
    return n;
  }
  MPI_Dist_graph_neighbors_count(comm, &n, &out, &weighted);
  return in ? n : out;
}
)"},
      {"scaled",
       {},
       R"(/* --message-scale: what is sent never outgrows the place where it is received. */
static int scaled(long long n) { return (int)(n * message_scale + 0.999999); }
static int sent(long long n) { return (int)(n * message_scale + 0.000001); }
static int received(long long n) { return message_scale > 1 ? scaled(n) : (int)n; }
)"},
      {"rooms", {}, R"(/* Memory around the address of a buffer that elements take [bytes]. */
typedef struct { long long low, high; } room;
static room room_of(long long count, MPI_Datatype type) {
  MPI_Aint lower, extent, true_lower, true_extent;
  room r = {0, 0};
  if (count <= 0 || type == MPI_DATATYPE_NULL) return r;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &true_lower, &true_extent);
  const long long last = (count - 1) * (long long)extent;
  r.low = true_lower + (last < 0 ? last : 0);
  r.high = true_lower + true_extent + (last > 0 ? last : 0);
  if (r.high < lower + extent) r.high = lower + extent; /* SimGrid's true extents may be too small */
  return r;
}
)"},
      {"room_v", {"rooms"}, R"(static room joined(room a, room b, long long by) {
  if (b.low == b.high) return a;
  if (a.low == a.high || b.low + by < a.low) a.low = b.low + by;
  if (b.high + by > a.high) a.high = b.high + by;
  return a;
}

/* Blocks of one type, displaced by extents, or one behind the other. */
static room room_v(int n, const int *counts, const int *displs, MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  room r = {0, 0};
  long long next = 0;
  if (type != MPI_DATATYPE_NULL) MPI_Type_get_extent(type, &lower, &extent);
  for (int i = 0; i < n; next += counts[i++])
    r = joined(r, room_of(counts[i], type), (displs ? displs[i] : next) * (long long)extent);
  return r;
}
)"},
      {"room_w",
       {"room_v"},
       R"(static room room_w(int n, const int *counts, const int *displs, const MPI_Datatype *types) {
  room r = {0, 0};
  for (int i = 0; i < n; i++) r = joined(r, room_of(counts[i], types[i]), displs[i]);
  return r;
}
)"},
      {"room_a",
       {"room_v"},
       R"(static room room_a(int n, const int *counts, const MPI_Aint *displs, const MPI_Datatype *types) {
  room r = {0, 0};
  for (int i = 0; i < n; i++) r = joined(r, room_of(counts[i], types[i]), displs[i]);
  return r;
}
)"},
      {"buffers",
       {"rooms"},
       R"(/* Buffers grow to what they are asked for, and stay. What pending operations receive does not overlap. */
static void *space(int which, room r) {
  OWN char *block[2];
  OWN long long size[2];
  const long long from = which ? taken : 0, before = r.low < 0 ? (15 - r.low) / 16 * 16 : 0;
  const long long to = from + before + ((r.high > 0 ? r.high : 0) * (1 + (long long)message_scale) + 31) / 16 * 16;
  if (which) wanted = to;
  if (to > size[which]) block[which] = calloc(1, (size_t)(size[which] = 2 * to)); /* the old one may be in use */
  if (!block[which]) stop("out of memory for messages");
  return block[which] + from + before;
}
)"},
      {"out",
       {"buffers"},
       R"(static void *out(long long count, MPI_Datatype type) { return space(0, room_of(count, type)); }
)"},
      {"in",
       {"buffers"},
       R"(static void *in(long long count, MPI_Datatype type) { return space(1, room_of(count, type)); }
)"},
      {"lists", {"of"}, R"(/* n values of a series as an array, which stays for a while. */
static void *fresh(size_t bytes) {
  OWN void *arrays[256];
  OWN unsigned next;
  void **a = &arrays[next++ % 256];
  *a = realloc(*a, bytes ? bytes : 1);
  if (!*a) stop("out of memory for lists");
  return *a;
}
)"},
      {"ints",
       {"lists", "meant"},
       R"(static int *ints(const long long *t, long long from, long long n) {
  int *a = fresh((size_t)n * sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = (int)meant(of(t, from + i));
  return a;
}
)"},
      {"aints",
       {"lists"},
       R"(static MPI_Aint *aints(const long long *t, long long from, long long n) {
  MPI_Aint *a = fresh((size_t)n * sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = (MPI_Aint)of(t, from + i);
  return a;
}
)"},
      {"all_around", {"around"}, R"(static int *all_around(MPI_Comm comm, int n, int *steps) {
  for (int i = 0; i < n; i++) steps[i] = around(comm, steps[i]);
  return steps;
}
)"},
      {"all_across", {"across"}, R"(static int *all_across(MPI_Comm comm, int n, int *bits) {
  for (int i = 0; i < n; i++) bits[i] = across(comm, bits[i]);
  return bits;
}
)"},
      {"all_scaled", {"scaled"}, R"(static int *all_scaled(int n, int *counts) {
  for (int i = 0; i < n; i++) counts[i] = scaled(counts[i]);
  return counts;
}
)"},
      {"placed", {"room_v"}, R"(/* Addresses of blocks that lie as far apart as these. */
static MPI_Aint *placed(int n, MPI_Aint *displs, const int *counts, const MPI_Datatype *types, int step) {
  room r = {0, 0};
  MPI_Aint base;
  for (int i = 0; i < n; i++) r = joined(r, room_of(counts[i * step], types[i * step]), displs[i]);
  MPI_Get_address(calloc(1, (size_t)(r.high - r.low + 1)), &base);
  for (int i = 0; i < n; i++) displs[i] += base - (MPI_Aint)r.low;
  return displs;
}
)"},
      {"requests",
       {"buffers"},
       R"(/* The requests that are pending, the oldest first, and how much of the buffer is taken with each. */
OWN MPI_Request *pending;
OWN long long *ends;
OWN int held, most_held, names;
static MPI_Request *request(void) {
  if (held == most_held) {
    most_held += most_held + 64;
    pending = realloc(pending, (size_t)most_held * sizeof *pending);
    ends = realloc(ends, (size_t)most_held * sizeof *ends);
    if (!pending || !ends) stop("out of memory for requests");
  }
  ends[held] = taken;
  return &pending[held++];
}
static void hold(void) { ends[held - 1] = taken = wanted; } /* what it receives until it is over */

/* The n youngest; and when these have ended. */
static MPI_Request *last(int n) {
  if (n > held) stop("more requests are waited for than there are");
  return &pending[held - (names = n)];
}
static void over(void) {
  held -= names;
  taken = held > 0 ? ends[held - 1] : 0;
}
)"},
      {"requests_by_age",
       {"buffers"},
       R"(/* The requests that are pending, the oldest first: how much of the buffer is taken with each; whether it is
 * persistent (1) or has ended (2). And those that the call under way names. */
OWN struct { MPI_Request handle; long long end; int kind; } *pending;
OWN MPI_Request *given;
OWN int held, most_held, names, most_names, *named, *which_ones;
static MPI_Request *request_of(int kind) {
  if (held == most_held) pending = realloc(pending, (size_t)(most_held += most_held + 64) * sizeof *pending);
  if (!pending) stop("out of memory for requests");
  pending[held].handle = MPI_REQUEST_NULL;
  pending[held].end = taken;
  pending[held].kind = kind;
  return &pending[held++].handle;
}
static MPI_Request *request(void) { return request_of(0); }
static MPI_Request *kept_request(void) { return request_of(1); }
static void hold(void) { pending[held - 1].end = taken = wanted; } /* what it receives until it is over */

/* Those of these ages (-1: none): how many pending ones were made after each. last: the n youngest. */
static MPI_Request *these(int n, const int *ages) {
  if (n > most_names) {
    given = realloc(given, (size_t)(most_names = n) * sizeof *given);
    named = realloc(named, (size_t)n * sizeof *named);
    which_ones = realloc(which_ones, (size_t)n * sizeof *which_ones);
    if (!given || !named || !which_ones) stop("out of memory for requests");
  }
  for (names = 0; names < n; names++) {
    const int age = ages ? ages[names] : n - 1 - names;
    if (age >= held) stop("a request is named that is not pending");
    named[names] = age < 0 ? -1 : held - 1 - age;
    given[names] = age < 0 ? MPI_REQUEST_NULL : pending[named[names]].handle;
  }
  return given;
}
static MPI_Request *last(int n) { return these(n, NULL); }

/* What the call has ended is over: all that it named, or the one that ended in the trace. Another that ended
 * in place of that leaves its place to it. */
static void over_one(int chosen, int is_freed) {
  int n = 0;
  for (int i = 0; i < names; i++)
    if (named[i] >= 0) pending[named[i]].handle = given[i];
  const int to = chosen >= 0 && chosen < names ? named[chosen] : -1;
  for (int i = 0; i < names && to >= 0 && pending[to].handle != MPI_REQUEST_NULL; i++)
    if (named[i] >= 0 && pending[named[i]].handle == MPI_REQUEST_NULL) {
      pending[named[i]].handle = pending[to].handle;
      pending[to].handle = MPI_REQUEST_NULL;
    }
  for (int i = 0; i < names; i++)
    if (named[i] >= 0 && (chosen < 0 || i == chosen) && (is_freed || !pending[named[i]].kind)) pending[named[i]].kind = 2;
  for (int i = 0; i < held; i++)
    if (pending[i].kind != 2) pending[n++] = pending[i];
  held = n;
  taken = held > 0 ? pending[held - 1].end : 0;
}
static void over(void) { over_one(-1, 0); }
)"},
      {"messages", {"rooms"}, R"(/* Messages that were probed for. */
OWN struct { MPI_Message handle; int bytes; } probed[1024];
OWN int probes;
OWN MPI_Status status;
static MPI_Message *probe(void) { return &probed[probes < 1023 ? probes : 1023].handle; }
static void keep_probed(void) {
  MPI_Get_count(&status, MPI_BYTE, &probed[probes].bytes);
  probes++;
}

/* Takes one of so many elements, or else the first, whose size is then the count. */
static MPI_Message taken_message;
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
      {"memory", {}, R"(/* Memory that MPI keeps: as much as was ever asked for at this place. */
static void *memory(int site, long long bytes) {
  OWN void *kept[SITES];
  OWN long long sizes[SITES];
  if (bytes < 1) bytes = 1;
  if (bytes > sizes[site]) kept[site] = calloc(1, (size_t)(sizes[site] = bytes));
  if (!kept[site]) stop("out of memory");
  return kept[site];
}
)"},
      {"hints", {}, R"(static MPI_Info hints(void) {
  static MPI_Info none = MPI_INFO_NULL;
  if (none == MPI_INFO_NULL) MPI_Info_create(&none);
  return none;
}
)"},
      {"files",
       {},
       R"(/* Files of the program are others here: benchmark-NAME in the folder of --files. What it found is made. */
static const char *file_name(const char *name, int is_made) {
  static char path[4096];
  const char *base = strrchr(name, '/');
  snprintf(path, sizeof path, "%s/benchmark-%s", files, base ? base + 1 : name);
  FILE *f = is_made ? NULL : fopen(path, "ab");
  if (f) fclose(f);
  return path;
}
)"},
      {"scratch", {}, R"(/* What MPI writes and nobody reads. */
static void *scratch(int which) {
  static long double area[3][1 << 14];
  return area[which % 3];
}
)"},
      {"reduce", {}, R"(/* In place of the program's own reductions. */
static void reduce(void *a, void *b, int *n, MPI_Datatype *type) { (void)a, (void)b, (void)n, (void)type; }
)"},
      {"grequest", {}, R"(static int query(void *state, MPI_Status *status) {
  (void)state;
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int release(void *state) { return (void)state, MPI_SUCCESS; }
static int cancel(void *state, int done) { return (void)state, (void)done, MPI_SUCCESS; }
)"},
      {"from", {}, R"(/* Whether the call before stood there. */
static int from(int site) { return last_site == site; }
)"},
      {"drawn",
       {},
       R"(/* A time from a histogram: count and mean [ns] of each bin. Golden steps pass through the bins evenly; with
 * `together` all ranks draw alike. */
static double drawn(const long long *bins, int n, int site, int together) {
  double total = 0, at = 0.618033988749895 * (double)(counts[site] + 1) + 0.754877666246693 * site;
  if (!together) at += 0.569840290998053 * (double)(rank + 1);
  for (int i = 0; i < n; i++) total += (double)bins[2 * i];
  at = (at - (double)(long long)at) * total;
  for (int i = 0; i < n - 1; i++)
    if ((at -= (double)bins[2 * i]) < 0) return (double)bins[2 * i + 1];
  return (double)bins[2 * n - 1];
}
)"},
  };
  return all;
}

// A helper that comes with another is not an unused function.
std::string inlined(std::string_view text) {
  std::string out;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("static ") && line.find('(') != std::string::npos &&
        line.find('{') != std::string::npos)
      line.insert(7, "inline ");
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::string_view c_core() {
  return R"(
static void stop(const char *why) {
  fprintf(stderr, "this benchmark cannot go on: %s\n", why);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

/* Computation of so many nanoseconds: turns of a loop that was timed, or sleep. */
static void spin(double turns) {
  for (double x = 0; x < turns; x += 1) sink = x;
}
static void compute(double ns) {
  const double s = (double)(time_t)(ns * 1e-9);
  const struct timespec t = {(time_t)s, (long)(ns - 1e9 * s)};
  if (sleeps && ns > 0) nanosleep(&t, NULL);
  else spin(ns * turns_per_ns);
}

/* Comes before each call, with what the program computed before it [ns]. Returns how often the call was made. */
static long long at(int site, double ns) {
  const double begin = MPI_Wtime();
  if (last_site >= 0) mpi_time[last_site] += begin - mark;
  ns *= scale[site];
  if (ns > paid) compute(ns - paid);
  paid = ns > paid ? 0 : paid - ns;
  mark = MPI_Wtime();
  compute_time[site] += mark - begin;
  last_site = site;
  return counts[site]++;
}
)";
}

std::string c_helper_text(const std::function<bool(const std::string&)>& is_needed) {
  std::set<std::string> wanted;
  const auto want = [&](const Helper& h, const auto& self) -> void {
    if (!wanted.insert(std::string(h.name)).second) return;
    for (const std::string& other : h.uses) {
      for (const Helper& o : helpers()) {
        if (o.name == other) self(o, self);
      }
    }
  };
  const bool by_age = is_needed("these") || is_needed("over_one") || is_needed("kept");
  for (const Helper& h : helpers()) {
    const bool is_named = is_needed(std::string(h.name));
    if (h.name == "requests" && by_age) continue;
    if (is_named || (h.name == "requests_by_age" && by_age)) want(h, want);
  }
  std::string out;
  if (is_needed("expressions")) out += "\n" + std::string(expr::c_helpers());
  for (const Helper& h : helpers()) {
    if (wanted.contains(std::string(h.name))) out += "\n" + inlined(h.text);
  }
  return out;
}

std::string_view c_ending() {
  return R"(
/* Time by phase, calls by function; whether those are as many as in the trace. */
static void report(void) {
  long long all[SITES];
  double sums[2][SITES];
  MPI_Reduce(counts, all, SITES, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(compute_time, sums[0], SITES, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(mpi_time, sums[1], SITES, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%-32s %14s %14s\n", "phase", "compute [s]", "MPI [s]");
  for (int i = 0, j; rank == 0 && i < SITES; i++) {
    const size_t n = strcspn(places[i], " ") + 1;
    for (j = 0; strncmp(places[i], places[j], n); j++) {
    }
    if (j < i) sums[0][j] += sums[0][i], sums[1][j] += sums[1][i], sums[0][i] = -1;
  }
  for (int i = 0; rank == 0 && i < SITES; i++)
    if (sums[0][i] >= 0)
      printf("%-32.*s %14.6f %14.6f\n", (int)strcspn(places[i], " "), places[i], sums[0][i] / RANKS, sums[1][i] / RANKS);
  if (rank == 0) printf("%-32s %14s %14s\n", "function", "calls", "in the trace");
  for (int f = 0, i = 0; rank == 0 && f < FUNCTIONS; f++) {
    long long n = 0;
    while (i < SITES && (f + 1 == FUNCTIONS || i < functions[f + 1].first)) n += all[i++];
    const char *verdict = n == functions[f].calls ? "" : main_iterations >= 0 ? "  as --iterations has it" : "  DIFFERENT";
    printf("%-32s %14lld %14lld%s\n", functions[f].name, n, functions[f].calls, verdict);
  }
}

static const char usage[] =
    "  --compute-scale X | WORD=X  all computation, or that before calls whose place or function has the word, times X\n"
    "  --compute spin | sleep      how computation is emulated\n"
    "  --message-scale X           element counts of messages and collectives, times X\n"
    "  --iterations N              trips of the main loop\n"
    "  --overlap                   computation behind a wait is done before it\n"
    "  --files DIR                 where files are written\n"
    "  --report                    time by phase, calls by function\n";

/* X for all computation, or WORD=X for that before the calls whose place or function has the word. */
static int scale_compute(const char *text) {
  char *end, wanted_word[256] = "";
  const char *equals = strrchr(text, '=');
  const double x = strtod(equals ? equals + 1 : text, &end);
  snprintf(wanted_word, sizeof wanted_word, "%.*s", equals ? (int)(equals - text) : 0, text);
  for (int i = 0, f = 0; i < SITES && !*end && x >= 0; i++) {
    while (f + 1 < FUNCTIONS && functions[f + 1].first <= i) f++;
    if (strstr(places[i], wanted_word) || strstr(functions[f].name, wanted_word)) scale[i] = x;
  }
  return *end || x < 0 ? 0 : 2;
}

/* How many words of the command line it takes; 0: it is wrong. */
static int option(const char *name, const char *value) {
  if (!strcmp(name, "--report")) return reports = 1;
  if (!strcmp(name, "--overlap")) return overlaps = 1;
  if (!value) return 0;
  if (!strcmp(name, "--compute-scale")) return scale_compute(value);
  if (!strcmp(name, "--message-scale")) return (message_scale = strtod(value, NULL)) >= 0 ? 2 : 0;
  if (!strcmp(name, "--iterations")) return (main_iterations = strtoll(value, NULL, 10)) >= 0 ? 2 : 0;
  if (!strcmp(name, "--files")) return (files = value) ? 2 : 0;
  sleeps = !strcmp(value, "sleep");
  return !strcmp(name, "--compute") && (sleeps || !strcmp(value, "spin")) ? 2 : 0;
}

/* Behind MPI_Init: reads the command line and times the loop. */
static void start(void) {
  const char *wrong = NULL;
  int r, n;
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  rank = r, ranks = n;
#ifdef SMPI_H
  sleeps = 1; /* which a simulator sees */
#endif
  for (int i = 0; i < SITES; i++) scale[i] = 1;
  for (int i = 1, used; i < word_count && !wrong; i += used)
    if (!(used = option(word[i], i + 1 < word_count ? word[i + 1] : NULL))) wrong = word[i];
  if (wrong) {
    const int helps = !strcmp(wrong, "--help") || !strcmp(wrong, "-h");
    if (rank == 0 && !helps) fprintf(stderr, "%s is no option, or its value is wrong\n", wrong);
    if (rank == 0) fprintf(helps ? stdout : stderr, "This benchmark runs on %d ranks. Options:\n%s", RANKS, usage);
    MPI_Finalize();
    exit(helps ? 0 : 2);
  }
  if (ranks != RANKS) stop("it is for another number of ranks, which --help tells");
  for (int i = 0; i < 10 && !sleeps; i++) {
    const double begin = MPI_Wtime();
    spin(1e5);
    const double turns = 1e-4 / (MPI_Wtime() - begin); /* in a nanosecond */
    if (turns > turns_per_ns && turns < 100) turns_per_ns = turns;
  }
}
)";
}

}  // namespace reprise::generate
