// What a stream was doing at a moment, found without walking to it.
//
// The clock of a stream is the prefix sum of its mean deltas: each execution of a call takes the
// mean of the path by which it came and the mean of the call. The tree of loops carries sums in
// closed form: how often each call ran within the first n passes of a body is a prefix sum of trip
// counts, and so a search descends from the whole program to one execution by asking, at every
// level, where the sum passes the moment. Source: Ratn et al. 2008, section 3.5 (timing tree),
// where trip counts are constant; here they may vary and paths are kept apart.
//
// Cost of a search: O(nesting x calls x log trips) at worst, and independent of the trips where
// passes take about the same time.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/program.hpp"

namespace reprise::analyze {

// Integers, so that sums do not depend on the order of adding.
using Picoseconds = std::int64_t;

struct Moment {
  // A loop around the call, from the outside in.
  struct Iteration {
    const trace::Item* item = nullptr;
    std::uint64_t index = 0;  // zero-based, since the loop was entered
    std::uint64_t trips = 0;  // of this entrance
    std::uint64_t pass = 0;   // zero-based, since the stream began
  };

  bool found = false;  // else the stream has ended, or not begun
  std::uint32_t call = 0;
  std::uint64_t execution = 0;  // of the call on this stream, zero-based
  Picoseconds begin = 0;        // of the computation before the call
  Picoseconds compute = 0;      // length of the computation
  Picoseconds communicate = 0;  // length of the call
  std::vector<Iteration> iterations;

  Picoseconds end() const { return begin + compute + communicate; }
  // At time t the call was under way, rather than the computation before it.
  bool is_in_mpi(Picoseconds t) const { return t >= begin + compute; }
};

class TimingTree {
 public:
  // REQUIRES: the trace has times, outlives the tree and does not change.
  TimingTree(const trace::Trace& trace, std::uint64_t stream);

  // When the stream ends.
  Picoseconds total() const { return total_; }
  Moment at(Picoseconds t) const;

  // Mean time of an execution of `call` by path number `path` [ps].
  Picoseconds compute_by(std::uint32_t call, std::size_t path) const;
  Picoseconds communicate(std::uint32_t call) const { return calls_[call].communicate; }
  // The computation before each execution of `call` [ps].
  const trace::Series& compute(std::uint32_t call) const { return calls_[call].compute; }

 private:
  struct CallClock {
    trace::Series compute;  // over the executions [ps]
    std::vector<Picoseconds> by_path;
    Picoseconds communicate = 0;
  };

  Picoseconds of_call(std::uint32_t call, std::uint64_t executions) const;
  std::uint64_t passes_of(const trace::Item& item, std::uint64_t passes) const;
  Picoseconds of_item(const trace::Item& item, std::uint64_t passes) const;
  Picoseconds of_body(const trace::Item& item, std::uint64_t passes) const;
  std::uint64_t find_pass(const trace::Item& item, std::uint64_t begin, std::uint64_t end,
                          Picoseconds t) const;

  const trace::Trace& trace_;
  std::uint64_t stream_;
  std::vector<CallClock> calls_;
  Picoseconds total_ = 0;
};

}  // namespace reprise::analyze
