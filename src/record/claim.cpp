#include "record/claim.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace reprise::record {
namespace {

constexpr int kMaxJobs = 100'000;

bool is_spawned() {
  int has_world = 0;
  PMPI_Initialized(&has_world);
  if (!has_world) return false;  // sessions alone
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  return parent != MPI_COMM_NULL;
}

std::string name_of(const std::string& output, bool spawned, int n) {
  if (spawned) return output + ".spawned-" + std::to_string(n);
  return n == 1 ? output : output + ".job-" + std::to_string(n);
}

// Makes a file that nobody has made yet. Where none can be made, the number is as good as any.
bool make(const std::string& path) {
  const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0) return errno != EEXIST;
  ::close(file);
  return true;
}

bool is_free(const std::string& name) {
  for (const char* rest : {"", ".0", ".part-0"}) {
    if (::access((name + rest).c_str(), F_OK) == 0) return false;
  }
  return true;
}

}  // namespace

std::string claim_output(const std::string& output, const std::string& claims, MPI_Comm comm) {
  const bool spawned = is_spawned();
  int rank = 0, n = 1;
  PMPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    const std::string prefix = claims + (spawned ? ".spawned-" : "-");
    while (n < kMaxJobs && !(claims.empty() ? is_free(name_of(output, spawned, n))
                                            : make(prefix + std::to_string(n)))) {
      ++n;
    }
  }
  PMPI_Bcast(&n, 1, MPI_INT, 0, comm);
  return name_of(output, spawned, n);
}

}  // namespace reprise::record
