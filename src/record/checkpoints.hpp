// When a rank writes down what it has so far, in case it is killed without a chance to do so.
//
// The first checkpoint is taken in MPI_Init. Each later one waits until the run has become an
// eighth longer (but no longer than ten minutes), and for a hundred times as long as the last one
// took: they cost about a hundredth of the time, whatever the program does. The clock is read
// after 1, 2, 4, ... 64 calls where calls are frequent, and after each one where they are rare.
#pragma once

#include <algorithm>
#include <cstdint>

namespace reprise::record {

class Checkpoints {
 public:
  // Times are of one monotonic clock [ns].
  Checkpoints(bool wanted, std::uint64_t start) : wanted_(wanted), start_(start), looked_(start) {}

  // A call is over: is it time to read the clock?
  bool look() { return wanted_ && --calls_left_ == 0; }
  // The clock has been read: is it time for a checkpoint?
  bool due(std::uint64_t now);
  void taken(std::uint64_t begin, std::uint64_t end);
  // No more: the run has come to its end.
  void stop() { wanted_ = false; }

 private:
  bool wanted_;
  const std::uint64_t start_;
  std::uint64_t looked_;          // when the clock was last read
  std::uint64_t next_ = 0;        // when the next checkpoint is due
  std::uint32_t stride_ = 1;      // calls between two looks at the clock
  std::uint32_t calls_left_ = 1;  // until the next one
};

}  // namespace reprise::record
