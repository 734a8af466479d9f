#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace reprise {
namespace {

// A descriptor that is closed when it goes.
class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  explicit operator bool() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return fd < 0 || ::close(fd) == 0;
  }

 private:
  int fd_;
};

// Reads up to n bytes behind those that are there; false if that fails.
bool read_more(const File& file, std::size_t n, std::vector<std::uint8_t>& bytes) {
  std::size_t at = bytes.size();
  bytes.resize(at + n);
  while (at < bytes.size()) {
    const ssize_t got = ::read(file.fd(), bytes.data() + at, bytes.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    at += static_cast<std::size_t>(got);
  }
  bytes.resize(at);
  return true;
}

bool write_all(const File& file, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file.fd(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return true;
}

}  // namespace

Result<std::vector<std::uint8_t>> read_file(const std::string& path, std::string_view magic,
                                            std::uint64_t most) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return Error{path + " cannot be opened (" + std::strerror(errno) + ")"};
  const auto failed = [&] {
    return Error{path + " cannot be read (" + std::strerror(errno) + ")"};
  };
  std::vector<std::uint8_t> bytes;
  if (!read_more(file, std::max<std::size_t>(magic.size(), 16), bytes)) return failed();
  if (bytes.size() < magic.size() || !std::equal(magic.begin(), magic.end(), bytes.begin()))
    return bytes;
  for (std::size_t before = 0; before != bytes.size();) {
    before = bytes.size();
    if (before > most) return Error{path + " cannot be read (it is too large for what it is)"};
    if (!read_more(file, kChunk, bytes)) return failed();
  }
  return bytes;
}

Status write_file(const std::string& path, std::span<const std::uint8_t> bytes) {
  const std::string partial = path + ".partial";
  File file(::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  const char* doing = "open";
  bool good = static_cast<bool>(file);
  if (good) {
    doing = "write";
    // Not every file can be brought to a disk, a pipe for one.
    good = write_all(file, bytes) && (::fsync(file.fd()) == 0 || errno == EINVAL) && file.close();
  }
  if (good) {
    doing = "rename";
    good = std::rename(partial.c_str(), path.c_str()) == 0;
  }
  if (good) return {};
  const std::string why = std::strerror(errno);
  std::remove(partial.c_str());
  return Error{std::string(doing) + ": " + why};
}

}  // namespace reprise
