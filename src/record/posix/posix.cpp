#include "record/posix/posix.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "record/calls/callers.hpp"
#include "record/lifetime/session_lifetime.hpp"
#include "record/session.hpp"

namespace reprise::record {
namespace {

// Larger descriptors are not followed.
constexpr int kDescriptors = 1 << 16;
constexpr int kBits = 64;

constinit std::atomic<std::uint64_t> g_followed[kDescriptors / kBits];

std::uint64_t bit(int descriptor) { return std::uint64_t{1} << (descriptor % kBits); }

// A process that the program forks records nothing: its calls are not the rank's.
void forget_all() {
  g_records_posix.store(false);
  for (auto& word : g_followed) word.store(0);
}

[[gnu::constructor]] void begin() {
  g_records_posix.store(true);
  ::pthread_atfork(nullptr, nullptr, forget_all);
}

}  // namespace

void* Behind::look_up() {
  void* found = ::dlsym(RTLD_NEXT, name_);
  if (!found) std::abort();  // the program calls what the C library does not have
  found_.store(found, std::memory_order_release);
  return found;
}

bool has_mode(int oflag) { return (oflag & O_CREAT) != 0 || (oflag & O_TMPFILE) == O_TMPFILE; }

bool is_regular(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

bool is_followed(int descriptor) {
  return descriptor >= 0 && descriptor < kDescriptors &&
         (g_followed[descriptor / kBits].load(std::memory_order_relaxed) & bit(descriptor)) != 0;
}

void follow(int descriptor) {
  if (descriptor >= 0 && descriptor < kDescriptors)
    g_followed[descriptor / kBits].fetch_or(bit(descriptor));
}

void unfollow(int descriptor) {
  if (descriptor >= 0 && descriptor < kDescriptors)
    g_followed[descriptor / kBits].fetch_and(~bit(descriptor));
}

void note_other(int descriptor, const void* caller) {
  const int error = errno;
  Session* session = g_session.load(std::memory_order_acquire);
  if (session && g_records_posix.load(std::memory_order_relaxed) && descriptor > STDERR_FILENO) {
    const Stream* stream = session->known_stream();
    if (!(stream && stream->depth > 0) && !Callers::is_beneath(caller) && is_regular(descriptor)) {
      stream ? session->lose_to_other_file() : session->lose_to_other_thread();
    }
  }
  errno = error;
}

}  // namespace reprise::record
