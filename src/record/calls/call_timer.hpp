// The compute time before a call, the MPI time in it, and the time that the recorder takes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "record/calls/active_time.hpp"

namespace reprise::record {

// What one stream spends in the application, in MPI and in the recorder:
//   leave ... [compute] ... enter, the recorder, the real call, returned, the recorder, leave
// The recorder's part before the real call is measured now and then, and taken out of what lies
// between `enter` and `returned`.
class CallTimer {
 public:
  // REQUIRES: no call has been timed yet.
  template <class Clock>
  void start(const Clock& clock, const ActiveTime& active) {
    longest_ = static_cast<std::int64_t>(kLongest * clock.ticks_per_ns());
    usual_preparation_ = longest_;
    resume(clock, active);
  }

  // What passed until now is no computation.
  template <class Clock>
  void resume(const Clock& clock, const ActiveTime& active) {
    left_ = active.at(clock.now());
  }

  template <class Clock>
  void enter(const Clock& clock, const ActiveTime& active) {
    entered_ = clock.now();
    const auto since = static_cast<std::int64_t>(active.at(entered_) - left_) - clock.reading();
    if (since > 0) compute_ += since;
  }

  // Just before the real call; `unusual`: the recorder took longer than it mostly does.
  template <class Clock>
  void begin(const Clock& clock, bool unusual) {
    preparation_ = usual_preparation_;
    const bool is_sample = !unusual && (calls_ < kSettling || calls_ % kMeasureEvery == 0);
    if (!unusual) ++calls_;
    if (unusual || is_sample) preparation_ = static_cast<std::int64_t>(clock.now() - entered_);
    add_own(preparation_);
    if (!is_sample) return;
    if (calls_ <= kSettling) {
      usual_preparation_ = std::min(usual_preparation_, preparation_);
    } else {
      // A sample stands for many calls, but not what others did meanwhile, who had the processor.
      usual_preparation_ +=
          std::min(preparation_ - usual_preparation_, usual_preparation_) / kWeight;
    }
  }

  template <class Clock>
  void returned(const Clock& clock) {
    returned_ = clock.now();
    const auto since = static_cast<std::int64_t>(returned_ - entered_) - preparation_;
    if (since > 0) communicate_ += since;
  }

  template <class Clock>
  void leave(const Clock& clock, const ActiveTime& active) {
    const std::uint64_t now = clock.now();
    left_ = active.at(now);
    add_own(static_cast<std::int64_t>(now - returned_));
  }

  // What has come together since the last call that was recorded [ticks].
  std::int64_t take_compute() { return take(compute_); }
  std::int64_t take_communicate() { return take(communicate_); }

  // What the recorder itself took [ticks]. Other threads may ask.
  std::int64_t own() const { return own_.load(std::memory_order_relaxed); }

 private:
  // The first calls find cold caches and pages that are not there yet: all of them are measured,
  // and the shortest begins the estimate.
  static constexpr std::uint64_t kSettling = 64, kMeasureEvery = 64;
  static constexpr std::int64_t kWeight = 8;  // of what is known already, in samples
  // The recorder is done sooner, even where it unwinds a deep stack for the first time. What takes
  // longer is the time of others, who had the processor meanwhile [ns].
  static constexpr double kLongest = 100'000;

  static std::int64_t take(std::int64_t& delta) { return std::exchange(delta, 0); }

  void add_own(std::int64_t ticks) {
    own_.store(own() + std::clamp<std::int64_t>(ticks, 0, longest_), std::memory_order_relaxed);
  }

  std::uint64_t entered_ = 0, returned_ = 0, calls_ = 0;
  std::uint64_t left_ = 0;            // in active time
  std::atomic<std::int64_t> own_{0};  // read by checkpoints of another thread
  std::int64_t compute_ = 0, communicate_ = 0;
  std::int64_t preparation_ = 0, usual_preparation_ = 0, longest_ = 0;
};

}  // namespace reprise::record
