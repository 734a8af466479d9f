#include "base/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/hash.hpp"

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

// Of its own for each process, so that two that write one file do not mix.
std::string partial_name(const std::string& path) {
  return path + ".partial-" + std::to_string(::getpid());
}

// What could not be done to it; null: it is whole.
const char* write_partial(const std::string& partial, std::span<const std::uint8_t> bytes,
                          Writing how) {
  File file(::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file) return "open";
  // Not every file can be brought to a disk, a pipe for one.
  const bool good = write_all(file, bytes) &&
                    (!how.is_synced || ::fsync(file.fd()) == 0 || errno == EINVAL) && file.close();
  return good ? nullptr : "write";
}

Error failure(const char* doing, const std::string& partial) {
  const std::string why = std::strerror(errno);
  std::remove(partial.c_str());
  return Error{std::string(doing) + ": " + why};
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

Status write_file(const std::string& path, std::span<const std::uint8_t> bytes, Writing how) {
  const std::string partial = partial_name(path);
  const char* doing = write_partial(partial, bytes, how);
  if (!doing) {
    doing = "rename";
    if (std::rename(partial.c_str(), path.c_str()) == 0) return {};
  }
  return failure(doing, partial);
}

Result<bool> write_new_file(const std::string& path, std::span<const std::uint8_t> bytes) {
  const std::string partial = partial_name(path);
  const char* doing = write_partial(partial, bytes, {});
  if (!doing) {
    doing = "link";
    if (::link(partial.c_str(), path.c_str()) == 0) {
      std::remove(partial.c_str());
      return true;
    }
    if (errno == EEXIST) {
      std::remove(partial.c_str());
      return false;
    }
    // File systems without hard links: as near to it as can be.
    doing = "rename";
    if (::access(path.c_str(), F_OK) == 0) {
      std::remove(partial.c_str());
      return false;
    }
    if (std::rename(partial.c_str(), path.c_str()) == 0) return true;
  }
  return failure(doing, partial);
}

bool lock_file(int file, std::chrono::milliseconds patience) {
  constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 100'000};
  const auto end = std::chrono::steady_clock::now() + patience;
  while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    const bool is_taken = errno == EWOULDBLOCK || errno == EINTR;
    if (!is_taken || std::chrono::steady_clock::now() >= end) return false;
    ::nanosleep(&kPause, nullptr);
  }
  return true;
}

bool is_locked(const std::string& path) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file && ::flock(file.fd(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

// Handlers of signals ask for it, too: without memory.
std::uint64_t lock_identity(int file) {
  char boot[64];
  const File id(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
  const ssize_t size = id ? ::read(id.fd(), boot, sizeof boot) : 0;
  struct stat s {};
  if (size <= 0 || ::fstat(file, &s) != 0) return 0;
  const std::uint64_t node = hash_bytes(boot, static_cast<std::size_t>(size));
  return combine(combine(node, s.st_dev), s.st_ino);
}

std::uint64_t lock_identity(const std::string& path) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file ? lock_identity(file.fd()) : 0;
}

bool has_changed_since(const std::string& path, std::int64_t date) {
  struct stat s {};
  return ::stat(path.c_str(), &s) != 0 || s.st_mtime > date;
}

std::vector<std::string> find_numbered(const std::string& prefix) {
  std::map<std::uint64_t, std::string> found;
  const std::filesystem::path base(prefix);
  const std::string first_part = base.filename().string();
  const std::filesystem::path folder =
      base.has_parent_path() ? base.parent_path() : std::filesystem::path(".");
  std::error_code error;
  for (const std::filesystem::directory_entry& entry :
       std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(first_part)) continue;
    std::uint64_t number = 0;
    const char* first = name.data() + first_part.size();
    const char* last = name.data() + name.size();
    const char* behind = std::from_chars(first, last, number).ptr;
    if (behind != first && behind == last) found[number] = entry.path().string();
  }
  std::vector<std::string> out;
  for (const auto& [number, name] : found) out.push_back(name);
  return out;
}

}  // namespace reprise
