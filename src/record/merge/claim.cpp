#include "record/merge/claim.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "base/files.hpp"
#include "compress/parts/part_names.hpp"
#include "record/merge/attempt.hpp"

namespace reprise::record {
namespace {

constexpr int kMaxJobs = 100'000;
// As long as each other.
constexpr std::string_view kGood = "good  \n", kBad = "failed\n";

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

// Makes a file that nobody has made yet. Returns 0, or the errno: EEXIST if somebody has.
int make(const std::string& path) {
  const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  ::close(file);
  return 0;
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
  for (const std::string& path : {name, name + ".0", compress::part_path(name, 0),
                                  compress::part_path(compress::moved_output(name), 0)}) {
    if (::access(path.c_str(), F_OK) == 0 && !may_be_replaced(path, options)) return false;
  }
  if (options.replace) {
    ::unlink(compress::part_path(name, 0).c_str());
    ::unlink(compress::part_path(compress::moved_output(name), 0).c_str());
  }
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

// The number of a job, and whether it is claimed in the folder.
struct Number {
  int n = 0;
  bool is_claimed = false;
};

// Claims the first number that is free, and creates the part of rank 0.
Number take_number(const Options& options, const std::string& claims, bool spawned,
                   PartFile& part) {
  Number out{1, !claims.empty() && ::access(claims.c_str(), W_OK) == 0};
  for (; out.n < kMaxJobs; ++out.n) {
    if (out.is_claimed) {
      const int error = make(claim_file(claims, spawned, out.n));
      if (error == EEXIST) continue;
      if (error != 0) {
        out.is_claimed = false;
        std::fprintf(stderr,
                     "reprise: this job cannot be numbered (%s: %s); its trace may have another "
                     "name than that of the command\n",
                     claims.c_str(), std::strerror(error));
      }
    }
    const std::string name = name_of(options.output, spawned, out.n);
    if (!out.is_claimed && !is_free(name, options)) continue;
    if (!options.checkpoints || part.create(name, 0)) return out;
  }
  return {};
}

// What rank 0 does before the others know the number.
Result<Number> claim_number(const Options& options, bool spawned, PartFile& part) {
  const Number number = take_number(options, environment("REPRISE_CLAIMS"), spawned, part);
  if (number.n > 0) return number;
  return Error{"all names from " + options.output + " to .job-" + std::to_string(kMaxJobs - 1) +
               " are taken"};
}

// What each rank does behind that.
Claim make_claim(const Options& options, bool spawned, Number number, int rank, PartFile& part) {
  Claim out;
  out.output = name_of(options.output, spawned, number.n);
  out.own = out.output + "." + std::to_string(rank);
  if (number.is_claimed) out.file = claim_file(environment("REPRISE_CLAIMS"), spawned, number.n);
  if (rank == 0) {
    note_claim(out.file, out.output);
    // Where no command tells.
    if (!number.is_claimed && !spawned && number.n > 1) {
      std::fprintf(stderr,
                   "reprise: %s is taken (it exists, or another job records it); the trace of this "
                   "job is %s\n",
                   options.output.c_str(), out.output.c_str());
    }
  }
  const auto part_rank = static_cast<std::uint64_t>(rank);
  if (!options.checkpoints) {
    part.name(out.output, part_rank);
  } else if (rank != 0 && !part.create(out.output, part_rank)) {
    // Rank 0 has claimed the name, so a part that is there is a leftover.
    if (::unlink(part.path().c_str()) == 0) part.create(out.output, part_rank);
  }
  return out;
}

}  // namespace

Result<Claim> claim_output(const Options& options, PartFile& part, MPI_Comm comm) noexcept {
  const bool spawned = is_spawned();
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  Result<Number> number = Number{};
  if (rank == 0) number = attempt([&] { return claim_number(options, spawned, part); });
  int words[] = {number ? number->n : 0, number && number->is_claimed ? 1 : 0};
  PMPI_Bcast(words, 2, MPI_INT, 0, comm);
  if (!number) return error_of(number.error());
  if (words[0] == 0) return error_of("rank 0 has no name");
  return attempt([&] {
    return make_claim(options, spawned, {words[0], words[1] != 0}, rank, part);
  });
}

void note_claim(const std::string& file, const std::string& output) {
  put_into_claim(file, std::string(kGood) + output + "\n", O_TRUNC);
}

void note_failure(const std::string& file) { put_into_claim(file, kBad, 0); }

}  // namespace reprise::record
