#include "record/claim.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/files.hpp"

namespace reprise::record {
namespace {

constexpr int kMaxJobs = 100'000;
// As long as each other.
constexpr std::string_view kGood = "good  \n", kFailed = "failed\n";

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

// Makes a file that nobody has made yet.
bool make(const std::string& path) {
  const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0) return false;
  ::close(file);
  return true;
}

// What stands at an output from before this environment was made.
bool may_be_replaced(const std::string& path, const Options& options) {
  struct stat s {};
  if (!options.replace || ::stat(path.c_str(), &s) != 0) return false;
  const std::int64_t time = s.st_mtim.tv_sec * std::int64_t{1'000'000'000} + s.st_mtim.tv_nsec;
  return time < options.replaced_until && !is_locked(path);
}

// Whether a job that nobody has numbered may have the name.
bool is_free(const std::string& name, const Options& options) {
  for (const char* rest : {"", ".0", ".part-0"}) {
    const std::string path = name + rest;
    if (::access(path.c_str(), F_OK) == 0 && !may_be_replaced(path, options)) return false;
  }
  if (options.replace) ::unlink(part_path(name, 0).c_str());
  return true;
}

void put_into_claim(const std::string& file, std::string_view text, int flags) {
  if (file.empty()) return;
  const int out = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | flags);
  if (out < 0) return;
  // If this fails, the reader assumes the name that the command asked for.
  if (::write(out, text.data(), text.size()) < 0) {
  }
  ::close(out);
}

std::string claim_file(const std::string& claims, bool spawned, int n) {
  return claims + (spawned ? "/spawned-" : "/") + std::to_string(n);
}

}  // namespace

Claim claim_output(const Options& options, PartFile& part, MPI_Comm comm) {
  const bool spawned = is_spawned();
  std::string claims = environment("REPRISE_CLAIMS");
  int rank = 0, n = 1;
  PMPI_Comm_rank(comm, &rank);
  int is_claimed = 0;
  if (rank == 0) {
    is_claimed = !claims.empty() && ::access(claims.c_str(), W_OK) == 0;
    const auto take = [&] {
      const std::string name = name_of(options.output, spawned, n);
      if (is_claimed ? !make(claim_file(claims, spawned, n)) : !is_free(name, options))
        return false;
      if (!options.checkpoints || part.create(part_path(name, 0))) return true;
      return false;
    };
    while (n < kMaxJobs && !take()) ++n;
  }
  int words[] = {n, is_claimed};
  PMPI_Bcast(words, 2, MPI_INT, 0, comm);
  Claim out;
  out.output = name_of(options.output, spawned, words[0]);
  if (words[1]) out.file = claim_file(claims, spawned, words[0]);
  if (rank == 0) {
    note_claim(out.file, out.output);
    // Where no command tells.
    if (!words[1] && !spawned && words[0] > 1) {
      std::fprintf(stderr,
                   "reprise: %s is taken (it exists, or another job records it); the trace of this "
                   "job is %s\n",
                   options.output.c_str(), out.output.c_str());
    }
  } else if (options.checkpoints) {
    // Whose the name is, rank 0 has found out: what stands there is nobody's.
    const std::string path = part_path(out.output, static_cast<std::uint64_t>(rank));
    if (!part.create(path) && ::unlink(path.c_str()) == 0) part.create(path);
  }
  return out;
}

void note_claim(const std::string& file, const std::string& output) {
  put_into_claim(file, std::string(kGood) + output + "\n", O_TRUNC);
}

void note_failure(const std::string& file) { put_into_claim(file, kFailed, 0); }

}  // namespace reprise::record
