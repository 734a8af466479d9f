#include "record/watcher.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <exception>
#include <thread>

#include "record/session.hpp"

namespace reprise::record {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;  // [ns]
constexpr std::uint64_t kIdle = 2;                // a call so long is a chance [s]
constexpr std::size_t kStack = std::size_t{4} << 20;
// How long the watcher waits for a thread of the program to leave the recorder [ns].
constexpr std::uint64_t kRestTimeout = kSecond;

// Stores of all threads of this process that came before are seen, and stores that come are
// after this.
void order_all_threads() {
  static const bool is_registered =
      ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  if (is_registered && ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) {
    return;
  }
  // Without it: a store takes far less than this to reach the other processors.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

timespec in_words(std::uint64_t ns) {
  return {static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)};
}

}  // namespace

void Watcher::start(Session& session, std::uint64_t start) noexcept {
  session_ = &session;
  checkpoints_ = Checkpoints(start);
  if (::sem_init(&wake_, 0, 0) != 0) return;
  process_.store(::getpid());
  // The program's signals are its own.
  sigset_t all, former;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) == 0) {
    ::pthread_attr_setstacksize(&attributes, kStack);
    is_running_ = ::pthread_create(&thread_, &attributes, run_thread, this) == 0;
    ::pthread_attr_destroy(&attributes);
  }
  pthread_sigmask(SIG_SETMASK, &former, nullptr);
}

void Watcher::stop() noexcept {
  if (!is_running_ || process_.load() != ::getpid()) return;
  is_running_ = false;
  wish_.store(Wish::stop);
  ::sem_post(&wake_);
  ::pthread_join(thread_, nullptr);
}

bool Watcher::save() noexcept {
  if (!is_running_ || process_.load() != ::getpid()) return false;
  is_running_ = false;
  wish_.store(Wish::save);
  ::sem_post(&wake_);
  const timespec pause = in_words(kSecond / 1000);
  // Whoever calls this has an alarm set, should the watcher hang.
  while (!is_saved_.load()) ::nanosleep(&pause, nullptr);
  return true;
}

void* Watcher::run_thread(void* self) {
  static_cast<Watcher*>(self)->run();
  return nullptr;
}

void Watcher::run() {
  std::uint64_t tick = system_ns() + kSecond;
  while (wish_.load() == Wish::watch) {
    sleep_until(std::min(tick, checkpoints_.next()));
    if (wish_.load() != Wish::watch) break;
    const std::uint64_t now = system_ns();
    if (now >= tick) {
      session_->note_waiting(now);
      tick = std::max(tick + kSecond, now + kSecond / 2);
    }
    look(now);
  }
  if (wish_.load() == Wish::save) {
    if (!hold([this] { session_->save(); })) session_->report_unsaved();
    is_saved_.store(true);
  }
}

void Watcher::sleep_until(std::uint64_t time) {
  const timespec until = in_words(time);
  while (::sem_clockwait(&wake_, CLOCK_MONOTONIC, &until) != 0 && errno == EINTR) {
  }
}

void Watcher::look(std::uint64_t now) {
  const std::uint64_t calls = session_->calls_begun();
  const bool is_idle =
      calls != written_ && checkpoints_.due_while_idle(now) && session_->longest_wait() >= kIdle;
  if (!is_idle && !checkpoints_.due(now)) return;
  const std::uint64_t begin = system_ns();
  hold([this] { session_->take_checkpoint(); });
  checkpoints_.taken(begin, system_ns());
  written_ = calls;
}

template <class Act>
bool Watcher::hold(Act&& act) {
  const std::unique_lock lock(session_->mutex, std::chrono::nanoseconds(kRestTimeout));
  if (!lock) return false;
  if (session_->multithreaded) return act(), true;
  holds_.store(true);
  order_all_threads();
  const std::uint64_t limit = system_ns() + kRestTimeout;
  const timespec pause = in_words(kSecond / 100'000);
  bool at_rest = session_->at_rest();
  while (!at_rest && system_ns() < limit) {
    ::nanosleep(&pause, nullptr);
    at_rest = session_->at_rest();
  }
  if (at_rest) act();
  holds_.store(false, std::memory_order_release);
  return at_rest;
}

}  // namespace reprise::record
