// What few programs need: hints, files, callbacks, and room for what nobody reads.
#include "generate/c_fragments.hpp"

namespace reprise::generate {

std::span<const Fragment> other_fragments() {
  static const std::vector<Fragment> all{
      {"hints", {}, R"(
static MPI_Info hints(void) {
  static MPI_Info none = MPI_INFO_NULL;
  if (none == MPI_INFO_NULL) MPI_Info_create(&none);
  return none;
}
)"},
      {"file_name", {}, R"(
/* Files of the program are others here: benchmark-NAME in the folder of --files. What it found is made. */
static const char *files = ".";
static const char *file_name(const char *name, int is_made) {
  static char path[4096];
  const char *base = strrchr(name, '/');
  snprintf(path, sizeof path, "%s/benchmark-%s", files, base ? base + 1 : name);
  FILE *f = is_made ? NULL : fopen(path, "ab");
  if (f) fclose(f);
  return path;
}
)"},
      {"scratch", {}, R"(
static void *scratch(int which) { /* what MPI writes and nobody reads */
  static long double area[3][1 << 14];
  return area[which % 3];
}
)"},
      {"as_counts", {"fresh"}, R"(
static MPI_Count *as_counts(long long n, const int *v) { /* as functions for large counts take them */
  MPI_Count *out = fresh((int)n, sizeof *out);
  for (long long i = 0; i < n; i++) out[i] = v[i];
  return out;
}
)"},
      {"aints_as_counts", {"fresh"}, R"(
static MPI_Count *aints_as_counts(long long n, const MPI_Aint *v) {
  MPI_Count *out = fresh((int)n, sizeof *out);
  for (long long i = 0; i < n; i++) out[i] = v[i];
  return out;
}
)"},
      {"as_aints", {"fresh"}, R"(
static MPI_Aint *as_aints(long long n, const int *v) {
  MPI_Aint *out = fresh((int)n, sizeof *out);
  for (long long i = 0; i < n; i++) out[i] = v[i];
  return out;
}
)"},
      {"reduce_large", {}, R"(
static void reduce_large(void *a, void *b, MPI_Count *n, MPI_Datatype *type) { (void)a, (void)b, (void)n, (void)type; }
)"},
      {"reduce", {}, R"(
/* In place of the program's own reductions. */
static void reduce(void *a, void *b, int *n, MPI_Datatype *type) { (void)a, (void)b, (void)n, (void)type; }
)"},
      {"grequest", {}, R"(
static int query(void *state, MPI_Status *status) {
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
  };
  return all;
}

}  // namespace reprise::generate
