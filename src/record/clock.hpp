// The clock that deltas are measured with, and the times of the call under way.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace reprise::record {

enum class ClockSource : std::uint8_t { monotonic, tsc, wtime };

// Of this process. Ticks become nanoseconds when the recording ends.
class Clock {
 public:
  // "auto" takes the processor's counter where it runs at a constant rate, which costs half of what
  // the system's clock does; under SMPI every clock is the simulated one.
  explicit Clock(const std::string& wanted);

  // [ticks]
  std::uint64_t now() const {
#if defined(__x86_64__)
    if (source_ == ClockSource::tsc) return __rdtsc();
#endif
    return slow_now();
  }

  // Measured since construction, against the system's clock.
  double ns_per_tick() const;
  // What lies between two readings one after the other [ticks].
  std::int64_t reading() const { return reading_; }
  const char* name() const;

 private:
  std::uint64_t slow_now() const;

  ClockSource source_ = ClockSource::monotonic;
  std::int64_t reading_ = 0;
  std::uint64_t first_tick_ = 0, first_ns_ = 0;
};

// The time of the system, or simulated [ns].
std::uint64_t system_ns();

// What one stream spends in the application, in MPI and in the recorder:
//   leave ... [compute] ... enter, the recorder, the real call, returned, the recorder, leave
// The recorder's part before the real call is measured now and then, and taken out of what lies
// between `enter` and `returned`.
class CallTimer {
 public:
  void start(const Clock& clock) { left_ = clock.now(); }

  void enter(const Clock& clock, bool was_paused) {
    entered_ = clock.now();
    const auto since = static_cast<std::int64_t>(entered_ - left_.get()) - clock.reading();
    if (since <= 0) return;
    if (!was_paused) compute_ += since;
  }

  // Just before the real call; `unusual`: the recorder took longer than it mostly does.
  void begin(const Clock& clock, bool unusual) {
    preparation_ = usual_preparation_;
    if (!unusual && ++calls_ % kMeasureEvery != 1) return add_own(preparation_);
    preparation_ = static_cast<std::int64_t>(clock.now() - entered_);
    add_own(preparation_);
    if (unusual) return;
    usual_preparation_ += (preparation_ - usual_preparation_) / (calls_ == 1 ? 1 : 8);
  }

  void returned(const Clock& clock) {
    returned_ = clock.now();
    const auto since = static_cast<std::int64_t>(returned_ - entered_) - preparation_;
    if (since > 0) communicate_ += since;
  }

  void leave(const Clock& clock) {
    left_ = clock.now();
    add_own(static_cast<std::int64_t>(left_.get() - returned_));
  }

  // What has come together since the last call that was recorded [ticks].
  std::int64_t take_compute() { return take(compute_); }
  std::int64_t take_communicate() { return take(communicate_); }

  // What the recorder itself took [ticks]. Other threads may ask.
  std::int64_t own() const { return own_.get(); }

 private:
  static constexpr std::uint64_t kMeasureEvery = 64;
  // The recorder is done sooner, even where it unwinds a deep stack for the first time. What takes
  // longer is the time of others, who had the processor meanwhile [ticks, some 100 us].
  static constexpr std::int64_t kLongest = 250'000;

  static std::int64_t take(std::int64_t& delta) { return std::exchange(delta, 0); }

  void add_own(std::int64_t ticks) {
    own_ = own_.get() + std::clamp<std::int64_t>(ticks, 0, kLongest);
  }

  // A number that one thread writes, and a checkpoint of another one reads.
  template <class T>
  class Shared {
   public:
    void operator=(T value) { value_.store(value, std::memory_order_relaxed); }
    T get() const { return value_.load(std::memory_order_relaxed); }

   private:
    std::atomic<T> value_{0};
  };

  std::uint64_t entered_ = 0, returned_ = 0, calls_ = 0;
  Shared<std::uint64_t> left_;
  Shared<std::int64_t> own_;
  std::int64_t compute_ = 0, communicate_ = 0;
  std::int64_t preparation_ = 0, usual_preparation_ = 0;
};

}  // namespace reprise::record
