// The functions of POSIX behind a recorder, generated from spec/posix.spec. While the replay makes
// a call of them, a file has what was there when it was recorded: as many bytes are moved, although
// the call still asks for as many as the program did, and a position is the one that was reached.
// All other calls in the process pass through.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "replay/steering/steering.hpp"

#define REPRISE_SHOWN __attribute__((visibility("default")))

namespace {

using reprise::replay::Steering;

// A function of the C library. It may be called before constructors run.
template <class Function>
class Behind {
 public:
  constexpr explicit Behind(const char* name) : name_(name) {}
  Function find() {
    void* found = found_.load(std::memory_order_acquire);
    if (!found) {
      found = ::dlsym(RTLD_NEXT, name_);
      if (!found) std::abort();
      found_.store(found, std::memory_order_release);
    }
    return reinterpret_cast<Function>(found);
  }

 private:
  const char* name_;
  std::atomic<void*> found_{nullptr};
};

const Steering& now() { return *reprise_steering(); }

// Whether the call is the one that the replay makes. A recorder on the way may write files of its
// own before.
bool is_led(int fd) { return now().posix && fd == now().descriptor; }
bool is_led(const char* filename) {
  return now().posix && now().name && std::strcmp(filename, now().name) == 0;
}

// Makes a file as large as a read needs it. The contents do not matter.
bool extend(int fd, off_t end) {
  static Behind<ssize_t (*)(int, const void*, size_t, off_t)> behind{"pwrite"};
  constexpr char kNothing = 0;
  return end <= 0 || behind.find()(fd, &kNothing, 1, end - 1) == 1;
}

off_t place_of(int fd) {
  static Behind<off_t (*)(int, off_t, int)> behind{"lseek"};
  return behind.find()(fd, 0, SEEK_CUR);
}

// The first `bytes` bytes of the pieces.
std::vector<iovec> first(const iovec* pieces, int n, std::int64_t bytes) {
  std::vector<iovec> out;
  for (int i = 0; i < n && bytes > 0; ++i) {
    out.push_back(
        {pieces[i].iov_base, std::min(pieces[i].iov_len, static_cast<std::size_t>(bytes))});
    bytes -= static_cast<std::int64_t>(out.back().iov_len);
  }
  return out;
}

// Moves what was moved: `step(done)` makes the real call for what lies behind the first `done`
// bytes. `reads`: the file is made larger where it ends too early, from `begin` on.
template <class Step>
ssize_t move(int fd, bool reads, off_t begin, Step step) {
  const std::int64_t wanted = now().moved;
  std::int64_t done = 0;
  bool is_extended = false;
  do {
    const ssize_t n = step(done);
    if (n < 0) return n;
    done += n;
    if (n > 0 || done >= wanted) continue;
    if (!reads || is_extended || !extend(fd, begin + wanted)) return -1;
    is_extended = true;
  } while (done < wanted);
  return wanted;
}

std::size_t rest(std::int64_t done) { return static_cast<std::size_t>(now().moved - done); }

// Everything may be read and written, and a file may be there already: that it was removed in
// between is not in a trace. Buffers are not aligned as O_DIRECT takes them.
int steered_openat(int, const char* filename, int oflag, mode_t) {
  static Behind<int (*)(const char*, int, ...)> behind{"open"};
  constexpr int kLeftOut =
      O_WRONLY | O_EXCL | O_TMPFILE | O_DIRECT | O_NOFOLLOW | O_NOATIME | O_PATH;
  const char* path = now().path ? now().path : filename;
  return behind.find()(path, (oflag & ~kLeftOut) | O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

int steered_open(const char* filename, int oflag, mode_t mode) {
  return steered_openat(AT_FDCWD, filename, oflag, mode);
}

int steered_creat(const char* filename, mode_t mode) {
  return steered_openat(AT_FDCWD, filename, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

ssize_t steered_read(int fd, void* buf, size_t) {
  static Behind<ssize_t (*)(int, void*, size_t)> behind{"read"};
  const off_t begin = place_of(fd);
  return move(fd, true, begin, [&](std::int64_t done) {
    return behind.find()(fd, static_cast<char*>(buf) + done, rest(done));
  });
}

ssize_t steered_write(int fd, const void* buf, size_t) {
  static Behind<ssize_t (*)(int, const void*, size_t)> behind{"write"};
  return move(fd, false, 0, [&](std::int64_t done) {
    return behind.find()(fd, static_cast<const char*>(buf) + done, rest(done));
  });
}

ssize_t steered_pread(int fd, void* buf, size_t, off_t offset) {
  static Behind<ssize_t (*)(int, void*, size_t, off_t)> behind{"pread"};
  return move(fd, true, offset, [&](std::int64_t done) {
    return behind.find()(fd, static_cast<char*>(buf) + done, rest(done), offset + done);
  });
}

ssize_t steered_pwrite(int fd, const void* buf, size_t, off_t offset) {
  static Behind<ssize_t (*)(int, const void*, size_t, off_t)> behind{"pwrite"};
  return move(fd, false, 0, [&](std::int64_t done) {
    return behind.find()(fd, static_cast<const char*>(buf) + done, rest(done), offset + done);
  });
}

// Bytes that a short read left out are read into the first pieces again: contents do not matter.
ssize_t steered_readv(int fd, const iovec* iov, int pieces) {
  static Behind<ssize_t (*)(int, const iovec*, int)> behind{"readv"};
  const off_t begin = place_of(fd);
  return move(fd, true, begin, [&](std::int64_t done) {
    const std::vector<iovec> some = first(iov, pieces, now().moved - done);
    return behind.find()(fd, some.data(), static_cast<int>(some.size()));
  });
}

ssize_t steered_writev(int fd, const iovec* iov, int pieces) {
  static Behind<ssize_t (*)(int, const iovec*, int)> behind{"writev"};
  return move(fd, false, 0, [&](std::int64_t done) {
    const std::vector<iovec> some = first(iov, pieces, now().moved - done);
    return behind.find()(fd, some.data(), static_cast<int>(some.size()));
  });
}

ssize_t steered_preadv(int fd, const iovec* iov, int pieces, off_t offset) {
  static Behind<ssize_t (*)(int, const iovec*, int, off_t)> behind{"preadv"};
  return move(fd, true, offset, [&](std::int64_t done) {
    const std::vector<iovec> some = first(iov, pieces, now().moved - done);
    return behind.find()(fd, some.data(), static_cast<int>(some.size()), offset + done);
  });
}

ssize_t steered_pwritev(int fd, const iovec* iov, int pieces, off_t offset) {
  static Behind<ssize_t (*)(int, const iovec*, int, off_t)> behind{"pwritev"};
  return move(fd, false, 0, [&](std::int64_t done) {
    const std::vector<iovec> some = first(iov, pieces, now().moved - done);
    return behind.find()(fd, some.data(), static_cast<int>(some.size()), offset + done);
  });
}

off_t steered_lseek(int fd, off_t, int) {
  static Behind<off_t (*)(int, off_t, int)> behind{"lseek"};
  return behind.find()(fd, now().moved, SEEK_SET);
}

}  // namespace

extern "C" {

#include "posix_steering.inc"

}  // extern "C"
