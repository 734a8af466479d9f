// The recorded run of one stream over time, from the folded trace.
//
// Each execution of a call takes the mean of the path by which it came and the mean of the call, as
// in analyze::TimingTree, whose moments these are. Here all pixels of a timeline are asked for at
// once. A *zone* is a range of passes of a loop that all take the same times in the same order: it
// is found by looking at the terms of the series of trips and of computation, whose repeats with a
// step of 0 make passes equal. What is inside of a zone is worked out once, for its first pass, and
// only when a pixel ends within it. Passes that have no regularity are halved until they are short.
// Sums are exact [ps]: nothing is sampled.
//
// Cost of a line of pixels: O(pixels x nesting x items in a body).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analyze/times/timing_tree.hpp"
#include "report/engine/kinds.hpp"

namespace reprise::report {

// Is told of a stream's time, in order.
class Visitor {
 public:
  virtual ~Visitor() = default;
  // Where the piece of time ends, beginning at `from`, that need not be looked into: whole passes
  // within it are told by their sums. `from` itself: every call is told.
  virtual Picoseconds whole_until(Picoseconds from) const = 0;
  virtual void passes(Picoseconds from, Picoseconds until, const Shares& one,
                      Picoseconds times) = 0;
  virtual void span(const Span& span) = 0;
  // Nothing more is needed.
  virtual bool is_full() const { return false; }
};

// Executions of a call, and what they took [ps].
struct CallTime {
  std::uint64_t calls = 0;
  Picoseconds compute = 0, communicate = 0;

  CallTime& operator+=(const CallTime& other) {
    calls += other.calls;
    compute += other.compute;
    communicate += other.communicate;
    return *this;
  }
  CallTime& operator-=(const CallTime& other) {
    calls -= other.calls;
    compute -= other.compute;
    communicate -= other.communicate;
    return *this;
  }
};

class RecordedRun {
 public:
  // REQUIRES: the trace has times; both outlive it, and the trace does not change.
  RecordedRun(const trace::Trace& trace, const CallKinds& kinds, std::uint64_t stream);
  ~RecordedRun();
  RecordedRun(RecordedRun&&) noexcept;

  Picoseconds total() const { return tree_->total(); }
  const analyze::TimingTree& tree() const { return *tree_; }
  // What lies in [from, to), or overlaps it.
  void visit(Picoseconds from, Picoseconds to, Visitor& visitor);
  // What was done before `t`, by call; an execution counts when it has begun. Cost: O(calls).
  std::vector<CallTime> until(Picoseconds t) const;

 private:
  struct Zone;
  struct Block;

  struct Window {
    Picoseconds from, to;
  };

  Block block_of(const trace::Item& item, std::uint64_t begin, std::uint64_t end);
  std::uint64_t uniform_passes(const trace::Item& item, std::uint64_t pass, std::uint64_t passes);
  Shares shares_of(const trace::Item& item, std::uint64_t begin, std::uint64_t end) const;
  Picoseconds length_of(const Shares& shares) const;
  void expand(const trace::Item& item, Zone& zone);
  void visit_block(Block& block, Picoseconds at, Window window, Visitor& visitor);
  void visit_zone(const trace::Item& item, Zone& zone, Picoseconds at, Window window,
                  Visitor& visitor);
  std::uint64_t passes_of(const trace::Item& item, std::uint64_t passes) const;
  CallTime executions(std::uint32_t call, std::uint64_t first) const;
  void add_passes(const trace::Item& item, std::uint64_t passes, std::vector<CallTime>& out) const;

  const trace::Trace& trace_;
  const CallKinds& kinds_;
  std::uint64_t stream_;
  std::unique_ptr<analyze::TimingTree> tree_;
  std::unique_ptr<Block> root_;
  std::size_t zones_ = 0;  // kept
};

}  // namespace reprise::report
