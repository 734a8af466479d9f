#include "record/calls/call_timer.hpp"

#include <gtest/gtest.h>

namespace reprise::record {
namespace {

// A clock that stands still until it is told.
struct Steps {
  std::uint64_t now() const { return time; }
  static std::int64_t reading() { return 0; }
  static double ticks_per_ns() { return 2; }

  std::uint64_t time = 0;
};

// What the calls of a stream consist of [ticks].
struct Parts {
  std::uint64_t compute, before, real, after;
};

class Stream {
 public:
  Stream() { timer.start(clock, active); }

  void call(const Parts& p, bool unusual = false) {
    clock.time += p.compute;
    timer.enter(clock, active);
    clock.time += p.before;
    timer.begin(clock, unusual);
    clock.time += p.real;
    timer.returned(clock);
    clock.time += p.after;
    timer.leave(clock, active);
  }

  Steps clock;
  ActiveTime active;
  CallTimer timer;
};

constexpr Parts kUsual{1000, 150, 500, 80};
constexpr std::int64_t kCalls = 10'000;
constexpr std::int64_t kOwn = kCalls * 230;

TEST(CallTimer, TellsThePartsApart) {
  Stream s;
  for (int i = 0; i < kCalls; ++i) s.call(kUsual);
  EXPECT_EQ(s.timer.own(), kOwn);
  EXPECT_EQ(s.timer.take_compute(), kCalls * 1000);
  EXPECT_EQ(s.timer.take_communicate(), kCalls * 500);
}

TEST(CallTimer, ASlowFirstCallIsOneCall) {
  Stream s;
  s.call({1000, 190'000, 500, 80});
  for (int i = 0; i < kCalls; ++i) s.call(kUsual);
  EXPECT_NEAR(static_cast<double>(s.timer.own()), 190'080 + kOwn, 0.02 * kOwn);
  EXPECT_NEAR(static_cast<double>(s.timer.take_communicate()), kCalls * 500, 0.02 * kCalls * 500);
}

// A call that is measured may be interrupted for milliseconds, and then stands for 63 others.
TEST(CallTimer, AnInterruptedCallIsOneCall) {
  Stream s;
  for (int i = 0; i < kCalls; ++i)
    s.call({1000, i % 640 == 0 ? std::uint64_t{10'000'000} : 150, 500, 80});
  const double interrupted = kCalls / 640.0 * 200'000;  // 100 us are taken for the recorder's
  EXPECT_NEAR(static_cast<double>(s.timer.own()), interrupted + kOwn, 0.15 * kOwn);
  EXPECT_NEAR(static_cast<double>(s.timer.take_communicate()), kCalls * 500, 0.05 * kCalls * 500);
}

// Whichever thread pauses.
TEST(CallTimer, PausesAreNoComputation) {
  Stream s;
  s.call(kUsual);
  s.clock.time += 300;
  s.active.pause(s.clock.now());
  s.active.pause(s.clock.now() + 100);  // is paused already
  s.clock.time += 1'000'000;
  s.active.resume(s.clock.now());
  s.active.resume(s.clock.now() + 100);
  s.call(kUsual);
  EXPECT_EQ(s.timer.take_compute(), 1000 + 300 + 1000);
  s.active.pause(s.clock.now());
  s.call({5000, 150, 500, 80});  // is recorded in the pause
  EXPECT_EQ(s.timer.take_compute(), 0);
  s.clock.time += 5000;
  s.active.resume(s.clock.now());
  s.call(kUsual);
  EXPECT_EQ(s.timer.take_compute(), 1000);
}

TEST(CallTimer, FollowsTheRecorder) {
  Stream s;
  for (int i = 0; i < kCalls; ++i) s.call(kUsual);
  for (int i = 0; i < 10 * kCalls; ++i) s.call({1000, 600, 500, 80});
  EXPECT_NEAR(static_cast<double>(s.timer.own()), kOwn + 10 * kCalls * 680,
              0.02 * 10 * kCalls * 680);
}

TEST(CallTimer, UnusualCallsStandForThemselves) {
  Stream s;
  for (int i = 0; i < 100; ++i) s.call({1000, 20'000, 500, 80}, true);
  EXPECT_EQ(s.timer.own(), 100 * 20'080);
  EXPECT_EQ(s.timer.take_communicate(), 100 * 500);
}

}  // namespace
}  // namespace reprise::record
