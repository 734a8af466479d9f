#include "record/part_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

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
  const std::vector<std::uint8_t> bytes = process.encode();
  const std::string path = part_path(output, process.rank), partial = path + ".partial";
  std::FILE* file = std::fopen(partial.c_str(), "wb");
  bool written = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  written = written && std::fflush(file) == 0;
  int why = errno;
  if (file && std::fclose(file) != 0 && written) {
    why = errno;
    written = false;
  }
  if (written && std::rename(partial.c_str(), path.c_str()) == 0) return {};
  if (written) why = errno;
  std::remove(partial.c_str());
  return Error{path + " cannot be written (" + std::strerror(why) + ")"};
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
