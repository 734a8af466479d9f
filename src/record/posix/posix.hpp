// What the wrappers of POSIX functions need (spec/posix.spec), in the recorder of --posix-io alone.
//
// These functions are called at all times: by the dynamic linker, by MPI's own threads, before any
// constructor, in signal handlers, in forked processes. So each wrapper first checks, without a
// lock or memory, whether anything is being recorded and whether the call is about a file whose
// opening was recorded.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cerrno>

namespace reprise::record {

// The next definition of a function behind the recorder's own. Found when it is first called, by
// whichever thread.
class Behind {
 public:
  constexpr explicit Behind(const char* name) : name_(name) {}
  void* find() {
    void* known = found_.load(std::memory_order_acquire);
    return known ? known : look_up();
  }

 private:
  void* look_up();

  const char* name_;
  std::atomic<void*> found_{nullptr};
};

// The errno of the real call, for the program to see.
class KeptError {
 public:
  void keep() const { error_ = errno; }
  ~KeptError() { errno = error_; }

 private:
  mutable int error_ = errno;
};

// Whether open and its like take the permissions of a file to be made.
bool has_mode(int oflag);
// False for descriptors without a position, such as terminals and sockets.
bool is_regular(int descriptor);

// Descriptors of files whose opening was recorded.
bool is_followed(int descriptor);
void follow(int descriptor);
void unfollow(int descriptor);

// A call on another descriptor: a loss if it is of a file.
void note_other(int descriptor, const void* caller);

}  // namespace reprise::record
