// When a rank saves what it has recorded so far, in case it is killed.
//
// The moments are multiples of a power of two of the time since the run began, which all ranks
// take from one of them, so that the ranks of a tightly coupled program are held up together rather
// than one after the other. The first checkpoint comes after a second. A later one waits until the
// run has become an eighth longer at most (but no longer than ten minutes), and for a hundred
// times as long as the last one took, with whatever kept the rank from its processor: they cost
// about a hundredth of the time, whatever the program does.
#pragma once

#include <cstdint>

namespace reprise::record {

class Checkpoints {
 public:
  // Times are of one monotonic clock [ns]; `start` is the same moment on all ranks.
  explicit Checkpoints(std::uint64_t start);

  bool due(std::uint64_t now) const { return now >= next_; }
  // A rank that has been in one call for a while, with something to write down, need not wait for
  // the others.
  bool due_while_idle(std::uint64_t now) const { return now >= affordable_; }
  std::uint64_t next() const { return next_; }
  void taken(std::uint64_t begin, std::uint64_t end);
  // The rank could not take the one that was due: it tries again after a while.
  void postpone(std::uint64_t now);

  static constexpr std::uint64_t kShare = 100;  // of the time may go into them, as 1 / kShare

 private:
  std::uint64_t start_;
  std::uint64_t next_;        // when the next checkpoint is due
  std::uint64_t affordable_;  // not before
};

}  // namespace reprise::record
