// The time that passes while the recording is not paused.
#pragma once

#include <atomic>
#include <cstdint>

namespace reprise::record {

// A clock that stands still in pauses. Any thread may pause it, resume it and ask.
class ActiveTime {
 public:
  // `now`: of the clock [ticks]. No effect if it is paused, or runs, already.
  void pause(std::uint64_t now) {
    std::uint64_t word = word_.load(std::memory_order_relaxed);
    while (!(word & kPaused) && !word_.compare_exchange_weak(word, kPaused | (now - word))) {
    }
  }
  void resume(std::uint64_t now) {
    std::uint64_t word = word_.load(std::memory_order_relaxed);
    while ((word & kPaused) && !word_.compare_exchange_weak(word, now - (word & ~kPaused))) {
    }
  }

  // The active time at that time of the clock [ticks].
  std::uint64_t at(std::uint64_t now) const {
    const std::uint64_t word = word_.load(std::memory_order_relaxed);
    return word & kPaused ? word & ~kPaused : now - word;
  }

 private:
  static constexpr std::uint64_t kPaused = std::uint64_t{1} << 63;

  // In a pause, the active time when it began; else how long all pauses have been.
  std::atomic<std::uint64_t> word_{0};
};

}  // namespace reprise::record
