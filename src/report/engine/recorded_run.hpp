// The recorded run of one stream over time, from the folded trace.
//
// Each execution of a call takes the mean of the path by which it came and the mean of the call, as
// in analyze::TimingTree, whose moments these are. Here all pixels of a timeline are asked for at
// once. A *zone* is a range of passes of a loop that repeats one group of passes, each time with
// the same times in the same order: it is found by looking at the terms of the series of trips and
// of computation, whose repeats with a step of 0 make passes equal. What is inside of a group is
// worked out once, and only when a pixel ends within it. Passes that have no regularity are halved
// until they are short. Each zone knows what came before it, so that what was done until a moment
// is a sum over the levels of nesting. Sums are exact [ps]: nothing is sampled.
//
// Cost of a moment, once its zones are known: O(nesting x log(items in a body)).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analyze/times/timing_tree.hpp"
#include "report/engine/kinds.hpp"

namespace reprise::report {

// All spans in a piece of time, up to some number.
class SpanList {
 public:
  explicit SpanList(std::size_t most) : most_(most) {}

  void add(const Span& span) { spans_.push_back(span); }
  bool is_full() const { return spans_.size() > most_; }

  // More than the most: there are too many.
  const std::vector<Span>& spans() const { return spans_; }

 private:
  std::size_t most_;
  std::vector<Span> spans_;
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
  // Adds what lies in [from, to), or overlaps it.
  void list(Picoseconds from, Picoseconds to, SpanList& out);
  // What was done before `t`, by kind.
  Shares shares_until(Picoseconds t);
  // How many zones are kept; each takes some 200 bytes.
  std::size_t zones() const { return zones_; }
  // What was done before `t`, by call; an execution counts when it has begun. Cost: O(calls).
  std::vector<CallTime> until(Picoseconds t) const;

 private:
  struct Zone;
  struct Block;

  struct Window {
    Picoseconds from, to;
  };

  Block& root();
  Block block_of(const trace::Item& item, std::uint64_t begin, std::uint64_t end);
  Zone zone_at(const trace::Item& item, std::uint64_t pass, std::uint64_t end);
  std::uint64_t equal_groups(const trace::Item& item, std::uint64_t pass, std::uint64_t group,
                             std::uint64_t most);
  std::uint64_t period_at(const trace::Item& item, std::uint64_t pass, std::uint64_t most);
  Shares shares_of(const trace::Item& item, std::uint64_t begin, std::uint64_t end) const;
  Picoseconds length_of(const Shares& shares) const;
  void expand(const trace::Item& item, Zone& zone);
  void list_block(Block& block, Picoseconds at, Window window, SpanList& out);
  void list_zone(const trace::Item& item, Zone& zone, Picoseconds at, Window window, SpanList& out);
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
