// Bounds the time that saving takes in a handler of signals: the signal may have interrupted the
// allocator, whose lock is then never released.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csetjmp>
#include <csignal>

namespace reprise::record {

// One at a time in a process.
class TimeLimit {
 public:
  static constexpr unsigned kNone = ~0u;

  // Runs some work, and leaves it by a jump if it takes longer than a number of seconds: then the
  // calling thread continues in the state that this leaves, and nothing is destroyed. False if so.
  // Afterwards the program's own handler of SIGALRM and its alarm are in place again.
  template <class Work>
  static bool run(unsigned seconds, Work&& work) {
    if (seconds == kNone) return work(), true;
    const TimeLimit limit(seconds);
    if (sigsetjmp(g_back, 1) != 0) return false;
    g_thread.store(::gettid());
    work();
    g_thread.store(0);
    return true;
  }

 private:
  explicit TimeLimit(unsigned seconds) {
    struct sigaction ours {};
    ours.sa_handler = end;
    ours.sa_flags = SA_ONSTACK;
    ::sigaction(SIGALRM, &ours, &former_);
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarm, &blocked_);
    left_ = ::alarm(seconds);
  }
  ~TimeLimit() {
    g_thread.store(0);
    ::alarm(0);
    pthread_sigmask(SIG_SETMASK, &blocked_, nullptr);
    ::sigaction(SIGALRM, &former_, nullptr);
    ::alarm(left_);
  }

  // The system gives an alarm to any thread.
  static void end(int) {
    const pid_t thread = g_thread.load();
    if (thread == ::gettid()) siglongjmp(g_back, 1);
    if (thread != 0) ::syscall(SYS_tgkill, ::getpid(), thread, SIGALRM);
  }

  static inline sigjmp_buf g_back;
  static inline std::atomic<pid_t> g_thread{0};  // that runs the work
  struct sigaction former_ {};
  sigset_t blocked_;
  unsigned left_ = 0;
};

}  // namespace reprise::record
