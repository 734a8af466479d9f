// The executions of a call, or the passes of a body, one by one, with the indices of the loops
// around them.
#pragma once

#include <cstdint>
#include <vector>

#include "compress/loops/loop_tree.hpp"
#include "extrapolate/inputs/budget.hpp"
#include "trace/values/value.hpp"

namespace reprise::extrapolate {

// The items from the root down to one, both included.
std::vector<std::uint32_t> chain_to(const compress::LoopTree& tree, std::uint32_t item);

// The numbers of one stream: those of a value, or of a series of its own.
class NumberCursor {
 public:
  NumberCursor() = default;
  // REQUIRES: the series outlives the cursor.
  explicit NumberCursor(const trace::Series& series) : series_(series), is_series_(true) {}
  NumberCursor(const trace::Value& value, std::uint64_t stream) : value_(value, stream) {}

  std::int64_t next() { return is_series_ ? series_.next() : value_.next(); }

 private:
  trace::SeriesCursor series_;
  trace::ValueCursor value_;
  bool is_series_ = false;
};

// The budget from which each step of a walk is taken; none: unlimited.
struct Toll {
  Budget* budget = nullptr;
  std::uint64_t each = 1;

  bool pay() const { return budget == nullptr || budget->take(each); }
};

class Executions {
 public:
  // The trips of each item of a chain on one stream, the outermost first. Nothing: one execution.
  explicit Executions(std::vector<NumberCursor> chain, Toll toll = {})
      : cursors_(std::move(chain)),
        trips_(cursors_.size()),
        indices_(cursors_.size()),
        toll_(toll) {}

  // Goes on to the next execution; false after the last one, and where the budget is used up.
  // Amortised O(1) where most passes have executions.
  bool next();

  // By item of the chain: which trip this is, zero-based, and of how many.
  const std::vector<std::int64_t>& indices() const { return indices_; }
  const std::vector<std::int64_t>& trips() const { return trips_; }

 private:
  bool step_out(std::size_t& level);

  std::vector<NumberCursor> cursors_;
  std::vector<std::int64_t> trips_, indices_;
  Toll toll_;
  bool begun_ = false;
};

}  // namespace reprise::extrapolate
