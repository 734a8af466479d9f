// The end of the recording (guard.hpp) of a process that is one rank.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>

#include "record/lifetime/guard.hpp"
#include "record/session.hpp"
#include "trace/file/unfinished.hpp"

namespace reprise::record {

namespace {

Ending g_ending;
std::atomic<Session*> g_guarded{nullptr};

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

SignalStack::~SignalStack() {
  if (!memory_) return;
  stack_t present{}, none{};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(nullptr, &present);
  const bool is_ours = present.ss_sp == memory_;
  // A handler that calls exit still runs on it.
  if (is_ours && ::sigaltstack(&none, nullptr) != 0) return;
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

}  // namespace

void provide_signal_stack() {
  static thread_local SignalStack mine;
  mine.provide();
}

namespace guarded {

Ending& ending() { return g_ending; }

void add(Session& session) { g_guarded.store(&session); }

// The session stays known: other threads may still write to its part.
bool remove(Session&) { return false; }

Stream* busy_stream() {
  Session* session = g_guarded.load();
  Stream* mine = session ? session->known_stream() : nullptr;
  return mine && mine->busy ? mine : nullptr;
}

bool is_own_thread() {
  const Session* session = g_guarded.load();
  return session && session->watcher.is_calling();
}

void note_signal(int signal, bool) {
  if (Session* session = g_guarded.load()) session->note_signal(signal);
}

void note_exit() { note_signal(static_cast<int>(trace::kExited), false); }

void save(Occasion occasion) {
  if (Session* session = g_guarded.load()) session->save(occasion);
}

void forget_signal(int signal) {
  if (Session* session = g_guarded.load()) session->forget_signal(signal);
}

void leave_handler() {
  if (Session* session = g_guarded.load()) session->gate.open_after_handler();
}

bool survive(const void* address) {
  Session* session = g_guarded.load();
  return session && session->survive(address);
}

}  // namespace guarded

}  // namespace reprise::record
