// Walks one stream for those who simulate it: it stops at the passes of loops too, reads the
// columns of a call only when they are asked for, and can leap over passes that repeat.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trace/cursors/call_cursor.hpp"
#include "trace/series/seek_cursor.hpp"

namespace reprise::trace {

// A value as one stream sees it.
class StreamValue {
 public:
  StreamValue() = default;
  StreamValue(const Value& value, std::uint64_t stream) {
    if (const Series* series = value.series_of(stream); series && !series->is_constant()) {
      series_ = std::make_unique<SeekCursor>(*series);
    } else {
      value_ = series ? series->at(0) : value.constant_of(stream);
    }
  }

  bool is_constant() const { return !series_; }
  std::int64_t next() { return series_ ? series_->next() : value_; }
  std::uint64_t position() const { return series_ ? series_->position() : 0; }
  // Cursor over what varies. REQUIRES: !is_constant().
  SeekCursor& series() { return *series_; }
  const SeekCursor& series() const { return *series_; }

 private:
  std::unique_ptr<SeekCursor> series_;  // null: constant
  std::int64_t value_ = 0;
};

// The items of a trace in one row, bodies before what follows them: shared by all cursors.
class Outline {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Node {
    const Item* item;
    std::uint32_t first_child;  // or kNone
    std::uint32_t next;         // sibling, or kNone
    std::uint32_t end;          // behind all that is within
  };

  // REQUIRES: the trace outlives it and does not change.
  explicit Outline(const Trace& trace);

  const Trace& trace() const { return *trace_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  // The node of each call of the trace.
  std::uint32_t node_of(std::uint32_t call) const { return node_of_[call]; }

 private:
  void add(const Item& item);

  const Trace* trace_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> node_of_;
};

class PassCursor {
 public:
  enum class At : std::uint8_t { end, call, pass, damage };

  // REQUIRES: the outline outlives it.
  PassCursor(const Outline& outline, std::uint64_t stream);

  // Goes on to the next call, or to the begin of a pass of a node that is watched, but for the
  // first pass of each entry.
  At next();

  // REQUIRES: the last next() returned `call`.
  std::uint32_t call() const { return call_; }
  // REQUIRES: the last next() returned `pass`.
  std::uint32_t node() const { return node_; }

  // Every execution of the present call has the same columns on this stream.
  bool is_constant() { return columns_of(call_).varying.empty(); }
  // The columns of the present execution, ranks as they are written. To be called once for each
  // execution of a call that is not constant, and any number of times for another. Null: damage.
  Event* read();
  // Frees the memory of the present call's columns until they are read again. REQUIRES:
  // is_constant().
  void release() { columns_[call_].reset(); }
  // How often the stream has executed a call, with the present execution.
  std::uint64_t executions(std::uint32_t call) const { return executions_[call]; }

  // Whether passes of a node are stopped at.
  void watch(std::uint32_t node, bool is_watched) { watched_[node] = is_watched; }

  // Passes to go of the innermost loop that is running, with the one that begins.
  std::uint64_t passes_left() const { return stack_.back().left; }
  // Which time that loop is running, among all times that any loop was begun.
  std::uint64_t entry() const { return stack_.back().entry; }

  // Where the cursor stands in all that varies within a node.
  using Mark = std::vector<std::uint64_t>;
  Mark mark(std::uint32_t node) const;
  // For how many further times what lies between `before` and now repeats, as far as the values
  // within the node are concerned: at most `limit`.
  std::uint64_t repeats(std::uint32_t node, const Mark& before, std::uint64_t limit) const;
  // Goes on by `times` that, of `passes` passes each. REQUIRES: times <= repeats(...), and the
  // cursor stands at a pass of the node.
  void leap(std::uint32_t node, const Mark& before, std::uint64_t times, std::uint64_t passes);

 private:
  struct Running {
    std::uint32_t node;
    std::uint32_t child;  // to enter next, or Outline::kNone
    std::uint64_t left;
    std::uint64_t entry;
  };
  struct Varying {
    std::uint32_t column;  // a scalar, or the length or the elements of a list
    StreamValue value;
  };
  struct Columns {
    Event event;
    std::vector<Varying> varying;
  };

  void enter(std::uint32_t node);
  Columns& columns_of(std::uint32_t call);
  // What varies in the columns of a call, as far as these are known.
  std::span<const Varying> varying_of(std::uint32_t call) const;

  const Outline* outline_;
  std::uint64_t stream_;
  std::vector<StreamValue> trips_;                 // by node; made when first needed
  std::vector<bool> known_;                        // of trips_
  std::vector<bool> watched_;                      // by node
  std::vector<std::uint64_t> executions_;          // by call
  std::vector<std::unique_ptr<Columns>> columns_;  // by call; made when first needed
  std::vector<Running> stack_;
  std::uint64_t idle_ = 0;     // passes since the last call
  std::uint64_t entries_ = 0;  // of loops
  std::uint32_t call_ = 0, node_ = 0;
};

}  // namespace reprise::trace
