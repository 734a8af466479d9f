// A recorder that was preloaded into a program of another MPI library. It steps aside before MPI
// begins: handles of the one library mean nothing to the other.
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace reprise::record {
namespace {

#ifdef OPEN_MPI
constexpr bool kIsOpenMpi = true;
#else
constexpr bool kIsOpenMpi = false;
#endif

// Whether the library that the program's calls of MPI lead to has handles as Open MPI's are.
bool calls_open_mpi() {
  Dl_info where{};
  const void* found = dlsym(RTLD_NEXT, "PMPI_Init");
  if (!found || dladdr(found, &where) == 0) return kIsOpenMpi;
  void* library = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return kIsOpenMpi;
  const bool out = dlsym(library, "ompi_mpi_comm_world") != nullptr;
  dlclose(library);
  return out;
}

bool is_same_file(const std::string& path, const char* other) {
  char* mine = realpath(path.c_str(), nullptr);
  char* its = realpath(other, nullptr);
  const bool out = mine && its && std::strcmp(mine, its) == 0;
  std::free(mine);
  std::free(its);
  return out;
}

// Takes this library out of LD_PRELOAD. False if it is not there.
bool leave_preload() {
  Dl_info own{};
  const char* value = std::getenv("LD_PRELOAD");
  if (!value || dladdr(reinterpret_cast<const void*>(&leave_preload), &own) == 0) return false;
  std::string_view rest = value;
  std::string others;
  bool is_left = false;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(": "), rest.size());
    const std::string name(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (name.empty()) continue;
    if (is_same_file(name, own.dli_fname)) {
      is_left = true;
    } else {
      others += (others.empty() ? "" : ":") + name;
    }
  }
  if (is_left) others.empty() ? unsetenv("LD_PRELOAD") : setenv("LD_PRELOAD", others.c_str(), 1);
  return is_left;
}

// As launchers tell it; 0 if none does.
int rank_of_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    if (const char* rank = std::getenv(name)) return std::atoi(rank);
  }
  return 0;
}

// Runs before main.
__attribute__((constructor)) void step_aside(int, char** arguments, char**) {
  if (calls_open_mpi() == kIsOpenMpi) return;
  const char* const theirs = kIsOpenMpi ? "MPICH" : "Open MPI";
  const char* const ours = kIsOpenMpi ? "Open MPI" : "MPICH";
  if (rank_of_launcher() == 0) {
    std::fprintf(stderr,
                 "reprise: nothing is recorded (the program calls %s, and the recorder is that for "
                 "%s); record with --mpi %s\n",
                 theirs, ours, kIsOpenMpi ? "mpich" : "openmpi");
  }
  ::unsetenv("REPRISE_OUTPUT");
  if (leave_preload()) ::execv("/proc/self/exe", arguments);
}

}  // namespace
}  // namespace reprise::record
