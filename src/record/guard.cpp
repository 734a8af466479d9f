#include "record/guard.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>

#include "record/flat_log.hpp"
#include "record/session.hpp"
#include "record/session_lifetime.hpp"
#include "record/time_limit.hpp"

namespace reprise::record {

volatile std::sig_atomic_t g_delayed_signal = 0;

namespace {

std::atomic<Session*> g_guarded{nullptr};
pid_t g_process = 0;  // that is guarded: one that it forks has nothing to save

constexpr unsigned kSaveLimit = 20;  // how long saving may take [s]

struct Guarded {
  int signal;
  bool fault;  // comes from the program itself: it cannot be delayed
  struct sigaction former;
};

Guarded g_signals[] = {
    {SIGTERM, false, {}}, {SIGINT, false, {}}, {SIGHUP, false, {}},
    {SIGXCPU, false, {}}, {SIGSEGV, true, {}}, {SIGBUS, true, {}},
    {SIGFPE, true, {}},   {SIGILL, true, {}},  {SIGABRT, true, {}},
};

// Room to save a session on, where no watcher does [bytes]. Pages that are not used cost nothing.
constexpr std::size_t kSignalStack = std::size_t{1} << 20;

// What handlers of a thread run on when its own stack has overflowed. One that the program has
// provided stays.
class SignalStack {
 public:
  SignalStack() = default;
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  void provide();

 private:
  void* memory_ = nullptr;
};

// The session to save, which nobody records into any more.
Session* take_session() {
  Session* session = g_guarded.exchange(nullptr);
  g_session.store(nullptr);
  return ::getpid() == g_process ? session : nullptr;
}

// In a handler of signals.
void save_in_time() {
  Session* session = take_session();
  if (!session) return;
  const TimeLimit limit(kSaveLimit);
  flush_flat_log();
  session->abandon_from_handler();
}

// Gives the signal back to whoever had it.
void restore(int signal) {
  for (const Guarded& g : g_signals) {
    if (g.signal == signal) ::sigaction(signal, &g.former, nullptr);
  }
}

void on_signal(int signal, siginfo_t* info, void*) {
  Session* session = g_guarded.load();
  if (signal == SIGBUS && session && session->survive(info->si_addr)) return;
  if (session && ::getpid() == g_process) session->note_signal(signal);
  const bool fault = std::ranges::any_of(
      g_signals, [signal](const Guarded& g) { return g.signal == signal && g.fault; });
  if (session && !session->at_rest()) {
    if (!fault) {
      g_delayed_signal = signal;
      return;
    }
    g_guarded.store(nullptr);  // the fault is in the recorder: nothing can be saved
  }
  save_in_time();
  restore(signal);
  // A fault comes again, with all that belongs to it, when the instruction is run again.
  if (!fault || info->si_code <= 0) ::raise(signal);
}

SignalStack::~SignalStack() {
  if (!memory_) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(&none, nullptr);
  ::munmap(memory_, kSignalStack);
}

void SignalStack::provide() {
  stack_t present{};
  if (memory_ || ::sigaltstack(nullptr, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
  void* at = ::mmap(nullptr, kSignalStack, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (at == MAP_FAILED) return;
  stack_t ours{};
  ours.ss_sp = at;
  ours.ss_size = kSignalStack;
  if (::sigaltstack(&ours, nullptr) == 0) {
    memory_ = at;
  } else {
    ::munmap(at, kSignalStack);
  }
}

// Other threads may be in calls still.
void on_exit() {
  Session* session = take_session();
  if (!session) return;
  flush_flat_log();
  session->abandon_among_threads();
}

}  // namespace

void deliver_signal_now() {
  // Another thread may be in the recorder still; it comes here when it leaves.
  const Session* session = g_guarded.load();
  if (session && !session->at_rest()) return;
  const int signal = g_delayed_signal;
  g_delayed_signal = 0;
  save_in_time();
  restore(signal);
  ::raise(signal);
}

void provide_signal_stack() {
  static thread_local SignalStack mine;
  mine.provide();
}

void guard_session(Session* session) {
  static bool installed = false;
  g_guarded.store(session);
  g_process = ::getpid();
  if (installed || !session) return;
  installed = true;
  std::atexit(on_exit);
  for (Guarded& g : g_signals) {
    ::sigaction(g.signal, nullptr, &g.former);
    const bool taken = g.former.sa_handler != SIG_DFL || (g.former.sa_flags & SA_SIGINFO);
    if (taken && !g.fault) continue;
    struct sigaction ours {};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    ::sigaction(g.signal, &ours, nullptr);
  }
}

}  // namespace reprise::record
