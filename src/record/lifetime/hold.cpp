#include "record/lifetime/hold.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <thread>

#include "record/lifetime/checkpoints.hpp"
#include "record/lifetime/guard.hpp"
#include "record/session.hpp"

namespace reprise::record {
namespace {

// How long it takes to give up: a thread is in the recorder for far less [ns].
constexpr std::uint64_t kRestTimeout = 1'000'000'000;
constexpr std::chrono::milliseconds kLockPause{10};
constexpr std::chrono::microseconds kRestPause{10};
// How long threads wait for a handler of the program, which may wait for one of them [ns].
constexpr std::uint64_t kHandlerTimeout = 1'000'000'000;
constexpr std::chrono::microseconds kGatePause{20};

std::atomic<bool> g_has_membarrier{false};

// Stores of all threads of this process that came before are seen, and stores that come are
// after this.
void order_all_threads() {
  if (g_has_membarrier.load() &&
      ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) {
    return;
  }
  // Without it: a store takes far less than this to reach the other processors.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

}  // namespace

void Gate::close_for_handler(pid_t thread) {
  handler_thread_.store(thread);
  if (handler_since_.exchange(system_ns()) == 0) close();
}

void Gate::open_after_handler() {
  const std::uint64_t since = handler_since_.load();
  if (since != 0 && handler_thread_.load() == ::gettid()) open_if(since);
}

// Opens the gate that has been closed for a handler since then. Others may have waited all the
// while: the time counts as that of a checkpoint.
void Gate::open_if(std::uint64_t since) {
  if (!handler_since_.compare_exchange_strong(since, 0)) return;
  const std::uint64_t now = system_ns();
  guarded::ending().affordable.store(now + Checkpoints::kShare * (now - since));
  open();
}

void Gate::wait() {
  while (is_closed() && !is_given_up()) {
    open_after_handler();  // it has left the handler by a jump
    const std::uint64_t since = handler_since_.load();
    if (since != 0 && system_ns() >= since + kHandlerTimeout) open_if(since);
    if (is_closed()) std::this_thread::sleep_for(kGatePause);
  }
}

void Hold::prepare() {
  g_has_membarrier.store(
      ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0);
}

Hold::Hold(Session& session, const std::atomic<bool>* is_unwanted) noexcept
    : session_(session), lock_(session.mutex, std::defer_lock) {
  const std::uint64_t limit = system_ns() + kRestTimeout;
  const auto gives_up = [&] {
    return (is_unwanted && is_unwanted->load()) || system_ns() >= limit;
  };
  session_.gate.close();
  while (!lock_.try_lock_for(kLockPause)) {
    if (!gives_up()) continue;
    session_.gate.open();
    return;
  }
  // A thread looks at the gate again when it has the lock.
  is_held_ = session_.multithreaded;
  if (is_held_) return;
  order_all_threads();
  while (!(is_held_ = session_.at_rest()) && !gives_up()) std::this_thread::sleep_for(kRestPause);
  if (!is_held_) session_.gate.open();
}

Hold::~Hold() {
  if (is_held_) session_.gate.open();
}

}  // namespace reprise::record
