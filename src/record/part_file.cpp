#include "record/part_file.hpp"

#include <cerrno>
#include <cstdio>
#include <ctime>

#include "base/files.hpp"

namespace reprise::record {
namespace {

sigset_t only_file_size() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

std::string part_path(const std::string& output, std::uint64_t rank) {
  return output + ".part-" + std::to_string(rank);
}

}  // namespace

NoFileSizeSignal::NoFileSizeSignal() {
  const sigset_t set = only_file_size();
  pthread_sigmask(SIG_BLOCK, &set, &former_);
}

NoFileSizeSignal::~NoFileSizeSignal() {
  const int error = errno;
  // The signal was not blocked before, so one that waits now is ours.
  if (!sigismember(&former_, SIGXFSZ)) {
    const sigset_t set = only_file_size();
    const timespec at_once{};
    while (sigtimedwait(&set, nullptr, &at_once) > 0) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &former_, nullptr);
  errno = error;
}

Status write_part_file(const compress::Process& process, const std::string& output) {
  const NoFileSizeSignal guard;
  const std::string path = part_path(output, process.rank);
  const Status written = write_file(path, process.encode());
  if (written) return {};
  return Error{path + " cannot be written (" + written.error().message + ")"};
}

void remove_part_file(const std::string& output, std::uint64_t rank) {
  std::remove(part_path(output, rank).c_str());
}

void write_part(const compress::Process& process, const std::string& output) noexcept {
  try {
    const Status written = write_part_file(process, output);
    if (!written) std::fprintf(stderr, "reprise: %s\n", written.error().message.c_str());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "reprise: rank %d is lost (%s)\n", static_cast<int>(process.rank),
                 e.what());
  }
}

}  // namespace reprise::record
