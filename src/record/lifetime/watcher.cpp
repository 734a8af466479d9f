#include "record/lifetime/watcher.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "record/lifetime/hold.hpp"
#include "record/lifetime/time_limit.hpp"
#include "record/session.hpp"

namespace reprise::record {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;  // [ns]
// A rank that has been in one call for so long takes a checkpoint of its own [s].
constexpr std::uint64_t kIdle = 2;
constexpr std::size_t kStack = std::size_t{4} << 20;

timespec in_words(std::uint64_t ns) {
  return {static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)};
}

}  // namespace

void Watcher::start(Session& session, std::uint64_t start) noexcept {
  session_ = &session;
  checkpoints_ = Checkpoints(start);
  if (::sem_init(&wake_, 0, 0) != 0) return;
  process_.store(::getpid());
  // The program's signals are its own. SIGBUS may be of the part, which the thread writes to.
  sigset_t all, former;
  sigfillset(&all);
  sigdelset(&all, SIGBUS);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) == 0) {
    ::pthread_attr_setstacksize(&attributes, kStack);
    is_running_.store(::pthread_create(&thread_, &attributes, run_thread, this) == 0);
    ::pthread_attr_destroy(&attributes);
  }
  pthread_sigmask(SIG_SETMASK, &former, nullptr);
}

void Watcher::stop() noexcept {
  if (!is_here() || is_to_save_.load()) return;
  is_running_.store(false);
  is_to_stop_.store(true);
  ::sem_post(&wake_);
  ::pthread_join(thread_, nullptr);
  number_.store(0);
}

bool Watcher::is_here() const noexcept {
  return is_running_.load() && process_.load() == ::getpid();
}

bool Watcher::is_calling() const noexcept { return number_.load() == ::gettid(); }

bool Watcher::save(Occasion occasion, unsigned seconds) noexcept {
  // An earlier save that ran out of time may still be in progress.
  if (is_to_save_.load()) return false;
  occasion_ = occasion;
  is_to_save_.store(true);
  ::sem_post(&wake_);
  const std::uint64_t begin = system_ns();
  const timespec pause = in_words(kSecond / 1000);
  while (is_to_save_.load()) {
    if (system_ns() - begin >= seconds * kSecond) return false;
    ::nanosleep(&pause, nullptr);
  }
  return true;
}

void* Watcher::run_thread(void* self) {
  static_cast<Watcher*>(self)->run();
  return nullptr;
}

void Watcher::run() {
  number_.store(::gettid());
  std::uint64_t tick = system_ns() + kSecond;
  while (true) {
    sleep_until(std::min(tick, checkpoints_.next()));
    if (is_to_save_.load()) {
      session_->save_here(occasion_, TimeLimit::kNone);
      is_to_save_.store(false);
    }
    if (is_to_stop_.load()) return;
    const std::uint64_t now = system_ns();
    if (now >= tick) {
      session_->note_waiting(now);
      tick = std::max(tick + kSecond, now + kSecond / 2);
    }
    look(now);
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
  const Hold hold(*session_, &is_to_stop_);
  if (!hold) return checkpoints_.postpone(system_ns());
  if (session_->write_checkpoint()) written_ = calls;
  checkpoints_.taken(begin, system_ns());
}

}  // namespace reprise::record
