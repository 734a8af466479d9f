#include "scalable/c_runtime.hpp"

#include <fmt/format.h>

namespace reprise::scalable {
namespace {

using program::NumberClass;
using program::Range;
constexpr std::string_view kPrelude =
    "#define _POSIX_C_SOURCE 200809L\n#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#include <time.h>\n"
    R"(
#define proc_null MPI_PROC_NULL
#define none -1

static long long rank, ranks;
static double compute_scale = 1;

/* All ranks know that the benchmark cannot go on: one of them says why. */
static void stop(const char *why) {
  if (rank == 0) fprintf(stderr, "%s\n", why);
  MPI_Finalize();
  exit(2);
}
)";

// In the order in which C needs them: what calls it, and the text.
struct Helper {
  std::string_view name;
  std::string_view text;
};
constexpr Helper kHelpers[] = {
    {"combine", R"(/* An operation of the program's own, which does nothing here. */
static void combine(void *in, void *inout, int *n, MPI_Datatype *type) {
  (void)in, (void)inout, (void)n, (void)type;
}
)"},
    {"size_of", R"(static int size_of(MPI_Comm comm) {
  int n, inter;
  MPI_Comm_test_inter(comm, &inter);
  if (inter) MPI_Comm_remote_size(comm, &n);
  else MPI_Comm_size(comm, &n);
  return n;
}
)"},
    {"local_size", R"(static int local_size(MPI_Comm comm) {
  int n;
  MPI_Comm_size(comm, &n);
  return n;
}
)"},
    {"rank_in", R"(static int rank_in(MPI_Comm comm) {
  int r;
  MPI_Comm_rank(comm, &r);
  return r;
}
)"},
    {"around", R"(/* The rank so many behind this one in the communicator, around it. */
static int around(MPI_Comm comm, long long steps) {
  const int n = size_of(comm);
  return steps < 0 || steps >= n ? (int)steps : (int)((rank_in(comm) + steps) % n);
}
)"},
    {"across", R"(/* The rank that differs from this one in these bits. */
static int across(MPI_Comm comm, long long bits) { return bits < 0 ? (int)bits : rank_in(comm) ^ (int)bits; }
)"},
    {"room",
     R"(/* What so many elements take from a buffer's address on, or more: not every MPI knows it of all types [bytes]. */
static long long widest;
static long long room(long long count, MPI_Datatype type) {
  MPI_Aint lower, extent, true_lower, true_extent;
  if (count <= 0 || type == MPI_DATATYPE_NULL) return 0;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &true_lower, &true_extent);
  return count * (long long)extent + lower + true_lower + true_extent + widest;
}
)"},
    {"MPI_Type_create_subarray", R"(#ifdef SMPI_H
/* To SimGrid a subarray is as wide as an element: buffers have room for the largest whole array. */
static int subarray(int n, const int *sizes, const int *subsizes, const int *starts, int order, MPI_Datatype old, MPI_Datatype *type) {
  long long elements = 1;
  for (int i = 0; i < n; i++) elements *= sizes[i];
  const long long bytes = room(elements, old) - widest;
  if (bytes > widest) widest = bytes;
  return MPI_Type_create_subarray(n, sizes, subsizes, starts, order, old, type);
}
#define MPI_Type_create_subarray subarray
#endif
)"},
    {"MPI_Type_create_resized", R"(#ifdef SMPI_H
/* To SimGrid a resized type takes no more than its extent: buffers have room for what was resized. */
static int resized(MPI_Datatype old, MPI_Aint lower, MPI_Aint extent, MPI_Datatype *type) {
  const long long bytes = room(1, old) - widest;
  if (bytes > widest) widest = bytes;
  return MPI_Type_create_resized(old, lower, extent, type);
}
#define MPI_Type_create_resized resized
#endif
)"},
    {"room_of", R"(/* The same of blocks of so many elements each, at these places. */
static long long room_of(int n, const int *counts, const int *displacements, MPI_Datatype type) {
  long long most = 0;
  for (int i = 0; i < n; i++) {
    const long long from = displacements ? displacements[i] : 0, bytes = room(from + counts[i], type);
    if (counts[i] > 0 && bytes > most) most = bytes;
  }
  return most;
}
)"},
    {"space", R"(/* Buffers of blocking calls: one for what is sent, one for what is received. */
static void *space(int which, long long bytes) {
  static char *memory[2];
  static long long size[2];
  if (bytes > size[which] || memory[which] == NULL) {
    free(memory[which]);
    size[which] = bytes > 64 ? bytes : 64;
    memory[which] = calloc((size_t)size[which], 1);
  }
  return memory[which];
}
)"},
    {"no_statuses", R"(static MPI_Status *volatile no_statuses = MPI_STATUSES_IGNORE;
)"},
    {"pendings",
     R"(/* Requests in the order in which they were made, with the buffers that they need until they are over. */
struct pending { MPI_Request request; void *memory[2]; int persistent; };
static struct pending *pending;
static int pendings, room_for_pendings;
static void *fresh[2];
static MPI_Request *chosen;
static int *chosen_at, room_for_chosen;

static MPI_Request *request(int persistent) {
  if (pendings == room_for_pendings) {
    room_for_pendings = 2 * room_for_pendings + 16;
    pending = realloc(pending, (size_t)room_for_pendings * sizeof *pending);
  }
  memset(&pending[pendings], 0, sizeof *pending);
  pending[pendings].persistent = persistent;
  return &pending[pendings++].request;
}
static void attach(void) {
  for (int i = 0; i < 2; i++) {
    pending[pendings - 1].memory[i] = fresh[i];
    fresh[i] = NULL;
  }
}
/* The requests of these ages: how many pending ones were made after each; below 0: a null request. */
static MPI_Request *these(int n, const int *ages) {
  if (n >= room_for_chosen) {
    room_for_chosen = 2 * n + 16;
    chosen = realloc(chosen, (size_t)room_for_chosen * sizeof *chosen);
    chosen_at = realloc(chosen_at, (size_t)room_for_chosen * sizeof *chosen_at);
  }
  for (int i = 0; i < n; i++) {
    chosen_at[i] = ages[i] < 0 ? -1 : pendings - 1 - ages[i];
    if (ages[i] >= pendings) MPI_Abort(MPI_COMM_WORLD, 3); /* no request is so old */
    chosen[i] = chosen_at[i] < 0 ? MPI_REQUEST_NULL : pending[chosen_at[i]].request;
  }
  return chosen;
}
static void forget(void) {
  int left = 0;
  for (int i = 0; i < pendings; i++) {
    if (pending[i].request == MPI_REQUEST_NULL) {
      free(pending[i].memory[0]);
      free(pending[i].memory[1]);
    } else {
      pending[left++] = pending[i];
    }
  }
  pendings = left;
}
)"},
    {"keep", R"(static void *keep(int which, long long bytes) {
  fresh[which] = calloc((size_t)(bytes > 0 ? bytes : 1), 1);
  return fresh[which];
}
)"},
    {"over", R"(/* Those that a call has completed are gone; persistent ones stay. */
static void over(int n) {
  for (int i = 0; i < n; i++)
    if (chosen_at[i] >= 0) pending[chosen_at[i]].request = chosen[i];
  forget();
}
)"},
    {"drop", R"(static void drop(void) {
  pending[chosen_at[0]].request = MPI_REQUEST_NULL;
  forget();
}
)"},
    {"compute",
     R"(/* Computation [ns]: it sleeps, so that the time is that of the trace on any machine. */
static void compute(double ns) {
  ns *= compute_scale;
  if (ns < 1) return;
  const struct timespec t = {(time_t)(ns / 1e9), (long)(ns - 1e9 * (double)(time_t)(ns / 1e9))};
  nanosleep(&t, NULL);
}
)"},
    {"power", R"(/* x to the power of sixths / 6, for x >= 1. */
static double power(double x, int sixths) {
  double low = 1, high = x, result = 1;
  for (int i = 0; i < 200; i++) {
    const double middle = (low + high) / 2;
    if (middle * middle * middle * middle * middle * middle <= x) low = middle;
    else high = middle;
  }
  for (int i = 0; i < (sixths < 0 ? -sixths : sixths); i++) result *= low;
  return sixths < 0 ? 1 / result : result;
}
)"},
    {"logarithm", R"(/* The binary one. */
static double logarithm(double x) {
  double result = 0, part = 1;
  for (; x >= 2; x /= 2) result++;
  for (int i = 0; i < 50; i++) {
    x *= x;
    part /= 2;
    if (x >= 2) result += part, x /= 2;
  }
  return result;
}
)"},
};

std::string shape_in_c(NumberClass::Shape shape) {
  switch (shape) {
    case NumberClass::Shape::any: return "1";
    case NumberClass::Shape::square: return "k * k == n";
    case NumberClass::Shape::twice_square: return "2 * k * k == n";
    case NumberClass::Shape::oblong: return "k * (k + 1) == n";
    case NumberClass::Shape::cube: return "k * k * k == n";
    case NumberClass::Shape::power_of_two: return "(n & (n - 1)) == 0";
  }
  return "1";
}

}  // namespace

std::string_view c_prelude() { return kPrelude; }

std::string c_support(const std::string& program) {
  // Helpers call those before them.
  std::string out, all = program;
  for (std::size_t i = std::size(kHelpers); i-- > 0;) {
    const Helper& h = kHelpers[i];
    const bool is_requests = h.name == "pendings";
    const bool used = is_requests ? all.find("these(") != std::string::npos ||
                                        all.find("request(") != std::string::npos
                                  : all.find(std::string(h.name) + "(") != std::string::npos ||
                                        ((h.name == "no_statuses" || h.name == "combine") &&
                                         all.find(h.name) != std::string::npos);
    if (!used) continue;
    out = "\n" + std::string(h.text) + out;
    all = std::string(h.text) + all;
  }
  return out;
}

std::string c_range(const std::string& name, const Range& range) {
  const NumberClass& c = range.numbers;
  const bool searched =
      c.shape != NumberClass::Shape::any && c.shape != NumberClass::Shape::power_of_two;
  std::string out =
      fmt::format("\n/* {} */\nstatic int admits_{}(long long n) {{\n", range.describe(), name);
  out += fmt::format("  if (n < {} || n > {} || n % {} != 0) return 0;\n", range.least, range.most,
                     c.multiple_of);
  if (!searched) return out + fmt::format("  return {};\n}}\n", shape_in_c(c.shape));
  return out + fmt::format(
                   "  for (long long k = 1; k <= n && k * k <= 2 * n; k++)\n"
                   "    if ({}) return 1;\n  return 0;\n}}\n",
                   shape_in_c(c.shape));
}

}  // namespace reprise::scalable
