// reprise-replay and reprise-run: finds out which MPI's launcher has started it, and becomes the
// program of that name (REPRISE_CHOOSES) for that MPI.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

namespace fs = std::filesystem;

namespace {

constexpr const char* kName = REPRISE_CHOOSES;
constexpr const char* kKnown[] = {"openmpi", "mpich"};

struct Hint {
  const char* variable;
  const char* mpi;
};
// In this order: Open MPI's launcher leaves variables of PMI too.
constexpr Hint kHints[] = {{"OMPI_COMM_WORLD_SIZE", "openmpi"},
                           {"PRTE_LAUNCHED", "openmpi"},
                           {"PMI_RANK", "mpich"},
                           {"PMI_SIZE", "mpich"},
                           {"MPI_LOCALNRANKS", "mpich"},
                           {"PMIX_RANK", "openmpi"}};

fs::path folder_of_programs() {
  if (const char* given = std::getenv("REPRISE_LIBDIR")) return given;
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {here / ".." / REPRISE_LIBDIR / "reprise", here / ".." / "lib"}) {
    for (const char* mpi : kKnown) {
      if (fs::exists(folder / (std::string(kName) + "-" + mpi), error)) return folder;
    }
  }
  return {};
}

std::string find_mpi(const fs::path& folder) {
  if (const char* said = std::getenv("REPRISE_MPI")) return said;
  for (const Hint& hint : kHints) {
    if (std::getenv(hint.variable)) return hint.mpi;
  }
  // No launcher: any of them can say what is wrong, or run a single rank.
  std::error_code error;
  for (const char* mpi : kKnown) {
    if (fs::exists(folder / (std::string(kName) + "-" + mpi), error)) return mpi;
  }
  return {};
}

}  // namespace

int main(int, char** argv) {
  const fs::path folder = folder_of_programs();
  const std::string mpi = folder.empty() ? "" : find_mpi(folder);
  if (mpi.empty()) {
    std::fprintf(stderr,
                 "%s: there is no such program for any MPI (none was installed when reprise was "
                 "built); install one and build again\n",
                 kName);
    return 1;
  }
  const std::string program = (folder / (std::string(kName) + "-" + mpi)).string();
  ::execv(program.c_str(), argv);
  std::fprintf(stderr, "%s: %s cannot be started (%s); REPRISE_MPI says which MPI is meant\n",
               kName, program.c_str(), std::strerror(errno));
  return 1;
}
