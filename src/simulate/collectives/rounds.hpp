// One rank's part in a collective as a sequence of rounds, made one at a time: a part of 10^5
// rounds takes no more memory than one of ten.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

namespace reprise::simulate {

// Ranks are those in the communicator.
struct Round {
  static constexpr std::int64_t kNobody = -1;

  std::int64_t from = kNobody;  // received from, first
  std::int64_t to = kNobody;    // sent to
  std::int64_t bytes = 0;       // of the message sent
  bool waits = true;            // then waits for all messages posted so far
};

// A coroutine that yields rounds.
class Rounds {
 public:
  struct promise_type {
    Round round;

    Rounds get_return_object() { return Rounds(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    std::suspend_always yield_value(const Round& next) noexcept {
      round = next;
      return {};
    }
    void return_void() const noexcept {}
    void unhandled_exception() const { std::terminate(); }
  };

  Rounds(Rounds&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;
  ~Rounds() {
    if (handle_) handle_.destroy();
  }

  // Null: there are no more. The round is valid until the next call.
  const Round* next() {
    if (handle_.done()) return nullptr;
    handle_.resume();
    return handle_.done() ? nullptr : &handle_.promise().round;
  }

 private:
  using Handle = std::coroutine_handle<promise_type>;

  explicit Rounds(Handle handle) : handle_(handle) {}

  Handle handle_;
};

}  // namespace reprise::simulate
