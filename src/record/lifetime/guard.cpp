#include "record/lifetime/guard.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <iterator>

#include "record/calls/clock.hpp"
#include "record/calls/stream.hpp"
#include "record/lifetime/checkpoints.hpp"

namespace reprise::record {

using guarded::ending;

namespace {

constexpr timespec kPause{0, 1'000'000};  // between two looks at whether another thread has saved

bool is_fault(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
         signal == SIGABRT;
}

struct sigaction& former_of(int signal) {
  const auto* at = std::ranges::find(Ending::kSignals, signal);
  return ending().former[at - std::begin(Ending::kSignals)];
}

bool has_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

// Raised by an instruction rather than sent: it comes again if that runs again.
bool is_of_instruction(int signal, const siginfo_t& info) {
  return is_fault(signal) && info.si_code > 0;
}

// Whether the process may go on after the signal: the application handles it, or ignores it.
bool may_go_on(int signal, const siginfo_t& info) {
  const struct sigaction& former = former_of(signal);
  return has_handler(former) || (former.sa_handler == SIG_IGN && !is_of_instruction(signal, info));
}

// Calls the application's handler as the system would have.
void call_handler(int signal, siginfo_t* info, void* context) {
  struct sigaction& former = former_of(signal);
  const struct sigaction action = former;
  if (action.sa_flags & SA_RESETHAND) {
    former.sa_handler = SIG_DFL;
    former.sa_flags = 0;
  }
  sigset_t blocked = action.sa_mask, present;
  if (!(action.sa_flags & SA_NODEFER)) sigaddset(&blocked, signal);
  pthread_sigmask(SIG_BLOCK, &blocked, &present);
  if (action.sa_flags & SA_SIGINFO) {
    action.sa_sigaction(signal, info, context);
  } else {
    action.sa_handler(signal);
  }
  pthread_sigmask(SIG_SETMASK, &present, nullptr);
}

// Whether the recorder still has the signal.
bool is_taken(int signal) {
  struct sigaction present {};
  ::sigaction(signal, nullptr, &present);
  return (present.sa_flags & SA_SIGINFO) && present.sa_sigaction == ending().handler;
}

// Does what would have been done without the recorder.
void pass_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction& former = former_of(signal);
  if (may_go_on(signal, *info)) {
    if (has_handler(former)) call_handler(signal, info, context);
    // A handler may restore another action and return: the instruction raises the signal again,
    // which does not come here then.
    if (!is_of_instruction(signal, *info) || is_taken(signal)) guarded::forget_signal(signal);
    return guarded::leave_handler();
  }
  ::sigaction(signal, &former, nullptr);
  if (!is_of_instruction(signal, *info)) ::raise(signal);
}

void save_in_handler(bool goes_on) {
  Ending& e = ending();
  const std::uint64_t begin = system_ns();
  if (goes_on && begin < e.affordable.load()) return;
  guarded::save(goes_on ? Occasion::handled_signal : Occasion::fatal_signal);
  const std::uint64_t end = system_ns();
  e.affordable.store(end + Checkpoints::kShare * (end - begin));
}

// From saving to another phase.
void leave_saving(Phase phase) { ending().state.store({phase, 0}); }

// Lets the signal that came while the process was saving come again, to any thread that does not
// block it.
void raise_delayed() {
  if (const int signal = ending().delayed.exchange(0)) ::kill(::getpid(), signal);
}

// Delays a terminating signal until the process has been saved. False if that has happened.
bool delay(int signal) {
  Ending& e = ending();
  e.delayed.store(signal);
  // The other thread changes the phase before it looks for a delayed signal.
  return e.state.load().phase == Phase::saving || e.delayed.exchange(0) == 0;
}

// Returns whether the signal is to be passed on.
bool take_signal(int signal, const siginfo_t& info) {
  Ending& e = ending();
  if (e.process.load() != ::getpid()) return true;
  const bool fault = is_fault(signal), goes_on = may_go_on(signal, info);
  Stream* busy = guarded::busy_stream();
  while (true) {
    EndingState state = e.state.load();
    const bool is_saving = state.phase == Phase::saving;
    if (state.phase == Phase::done) {
      guarded::note_signal(signal, fault);
      return true;
    }
    if (is_saving && state.saver != ::gettid() && fault) {
      ::nanosleep(&kPause, nullptr);
    } else if (is_saving && !fault) {
      if (delay(signal)) return false;
    } else if (busy && !fault) {
      busy->delayed_signal.store(signal);
      return false;
    } else if (busy || is_saving || guarded::is_own_thread()) {
      // In the recorder itself. If the program goes on, this thread is recorded no more.
      guarded::note_signal(signal, fault);
      if (busy && goes_on) busy->broken = true;
      if (!goes_on) leave_saving(Phase::done);
      return true;
    } else if (e.state.compare_exchange_strong(state, {Phase::saving, ::gettid()})) {
      guarded::note_signal(signal, fault);
      save_in_handler(goes_on);
      leave_saving(goes_on ? Phase::recording : Phase::done);
      if (goes_on) raise_delayed();
      return true;
    }
  }
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const bool is_survived = signal == SIGBUS && guarded::survive(info->si_addr);
  if (!is_survived && take_signal(signal, *info)) pass_on(signal, info, context);
  errno = error;
}

void on_exit() {
  if (!begin_saving()) return;
  guarded::note_exit();
  guarded::save(Occasion::end);
  // What runs later in exit() may still call MPI_Finalize.
  leave_saving(Phase::recording);
  raise_delayed();
}

void install() {
  Ending& e = ending();
  if (e.handler) return;
  e.handler = on_signal;
  for (std::size_t i = 0; i < std::size(Ending::kSignals); ++i) {
    const int signal = Ending::kSignals[i];
    ::sigaction(signal, nullptr, &e.former[i]);
    const bool is_used = has_handler(e.former[i]) || e.former[i].sa_handler == SIG_IGN;
    if (is_used && !is_fault(signal)) continue;
    struct sigaction ours {};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    ::sigaction(signal, &ours, nullptr);
  }
  static bool is_at_exit = false;
  if (!is_at_exit) is_at_exit = std::atexit(on_exit) == 0;
}

// What the application has changed since stays.
void uninstall() {
  Ending& e = ending();
  for (std::size_t i = 0; i < std::size(Ending::kSignals); ++i) {
    if (is_taken(Ending::kSignals[i])) ::sigaction(Ending::kSignals[i], &e.former[i], nullptr);
  }
  e.handler = nullptr;
}

}  // namespace

bool begin_saving() {
  Ending& e = ending();
  if (e.process.load() != ::getpid()) return false;
  while (true) {
    EndingState state{Phase::recording, 0};
    if (e.state.compare_exchange_strong(state, {Phase::saving, ::gettid()})) return true;
    if (state.phase == Phase::done || state.saver == ::gettid()) return false;
    ::nanosleep(&kPause, nullptr);
  }
}

void end_saving() {
  leave_saving(Phase::done);
  raise_delayed();
}

void guard_session(Session& session) {
  Ending& e = ending();
  guarded::add(session);
  e.process.store(::getpid());
  install();
  leave_saving(Phase::recording);
}

void release_session(Session& session) {
  const bool has_others = guarded::remove(session);
  if (!has_others) uninstall();
  leave_saving(has_others ? Phase::recording : Phase::done);
  raise_delayed();
}

}  // namespace reprise::record
