// The bounds of a search. A step is one look at a row of a goal, which takes some nanoseconds:
// counting them instead of time makes the result the same on every machine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace reprise::solve {

// All laws of one number of a program: some seconds.
inline constexpr std::size_t kMostSteps = 300'000'000;
// All numbers of a program that have no law. Programs whose numbers all have one need a tenth of
// the effort of one number in vain.
inline constexpr std::size_t kMostStepsInVain = 2 * kMostSteps;
// One number after that: enough for what is simple, so that it is not named among those without.
inline constexpr std::size_t kMostStepsOfLate = kMostSteps / 64;
// One family with one goal, so that a family that tries numbers one by one leaves time for the
// others.
inline constexpr std::size_t kMostStepsOfFamily = kMostSteps / 64;
// Goals that are taken apart. Laws that programs follow need some ten; the rest are dead ends.
inline constexpr std::size_t kMostGoals = 1000;
// The same for one length of laws, so that long dead ends do not keep the next length waiting.
inline constexpr std::size_t kMostGoalsOfLength = 80;
// The same where every law of a length is wanted: rivals of the one that was found.
inline constexpr std::size_t kMostGoalsOfRivals = 250;
// The same for a part that is sought apart from the whole.
inline constexpr std::size_t kMostGoalsOfPart = 160;
// A law [bits]: ten terms and as many numbers.
inline constexpr std::uint32_t kLongestLaw = 400;

// The steps that are left.
class Effort {
 public:
  explicit Effort(std::size_t steps = kMostSteps) : left_(steps) {}

  // Takes so many steps; false if fewer are left.
  bool take(std::size_t steps) {
    left_ -= std::min(left_, steps);
    return left_ != 0;
  }
  bool is_over() const { return left_ == 0; }
  std::size_t left() const { return left_; }

 private:
  std::size_t left_;
};

// Part of an effort. Steps that are not taken remain with the whole.
class PartOfEffort {
 public:
  PartOfEffort(Effort& whole, std::size_t steps) : whole_(whole), steps_(steps), part_(steps) {}
  ~PartOfEffort() { whole_.take(steps_ - part_.left()); }
  PartOfEffort(const PartOfEffort&) = delete;
  PartOfEffort& operator=(const PartOfEffort&) = delete;

  Effort& operator*() { return part_; }

 private:
  Effort& whole_;
  std::size_t steps_;
  Effort part_;
};

}  // namespace reprise::solve
