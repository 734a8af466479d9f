// A folded sequence of integers: the values of one parameter, execution after execution.
//
// A series is a list of terms. A run is an arithmetic progression (`<value (count step)>`, the RSD
// of the literature); a repeat is a body of terms, passed `count` times, whose values all move by
// `step` from one pass to the next (a power-RSD). Terms nest, so a triangular loop, the levels of
// a multigrid cycle and the ranks of a 3-D sub-grid each take a handful of numbers.
//
// The last term may be unbounded: how many values there are is told by the structure around the
// series (trip counts), and a constant is the same series on a rank that executes it ten times as
// often. Sources: Havlak & Kennedy 1991 (RSD); Noeth et al. 2009 (PRSD over MPI events).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"

namespace reprise::trace {

// Counts of an unbounded term.
inline constexpr std::uint64_t kUnbounded = 0;

struct Term {
  std::int64_t value = 0;       // first value of a run; unused in a repeat
  std::int64_t step = 0;        // from one value, or from one pass of the body, to the next
  std::uint64_t count = 1;      // values of a run, passes of a repeat, or kUnbounded
  std::uint64_t period = 1;     // values in one pass of the body; 1 for a run
  std::vector<Term> body = {};  // empty for a run

  bool is_run() const { return body.empty(); }
  bool operator==(const Term&) const = default;
};

// Two's-complement arithmetic without undefined overflow.
inline std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
inline std::int64_t wrapping_sub(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
inline std::int64_t wrapping_mul(std::int64_t a, std::uint64_t n) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * n);
}

// The first value of a term. Cost: the nesting.
std::int64_t first_value(const Term& term);

class Series {
 public:
  Series() = default;
  explicit Series(std::vector<Term> terms) : terms_(std::move(terms)) {}

  // The series that is `value` for ever.
  static Series constant(std::int64_t value);

  // No value at all: the parameter of a call that never ran.
  bool empty() const { return terms_.empty(); }
  bool is_constant() const {
    return terms_.size() == 1 && terms_[0].is_run() && terms_[0].count == kUnbounded &&
           terms_[0].step == 0;
  }
  bool is_unbounded() const { return !terms_.empty() && terms_.back().count == kUnbounded; }
  // Number of values. REQUIRES: not unbounded.
  std::uint64_t length() const;
  // The k-th value, zero-based; 0 behind the end. Cost: O(terms x nesting).
  std::int64_t at(std::uint64_t k) const;

  const std::vector<Term>& terms() const { return terms_; }
  std::uint64_t hash() const;
  bool operator==(const Series&) const = default;

  // series := varint terms, term*
  // term   := varint (count << 2 | kind), then by kind
  //   0 literals: value{count}         1 constant run: value
  //   2 run: value, signed step        3 repeat: signed step, series
  // count 0 stands for unbounded. For `value` see encode_value.
  void encode(ByteWriter& out) const;
  static Series decode(ByteReader& in);

 private:
  std::vector<Term> terms_;
};

// What the cursors over a series share: where they stand in its terms.
class TermCursor {
 public:
  static constexpr std::uint64_t kForever = ~std::uint64_t{0};

 protected:
  struct Frame {
    std::span<const Term> terms;
    std::size_t index;   // of the term that the cursor is in
    std::uint64_t pass;  // of that term
    std::int64_t shift;  // what the enclosing passes add to every value
  };

  // Descends from the term of the innermost frame to its first run.
  void enter();
  // Leaves the run that has ended and stands at the start of the next one, if there is one.
  void advance();

  std::vector<Frame> frames_;
  std::int64_t value_ = 0, step_ = 0;  // of the run
  std::uint64_t left_ = 0;             // of its values; 0: no run follows
};

// Walks the values of a series in order: O(nesting) memory, amortised O(1) per value.
// REQUIRES: the terms outlive the cursor and do not change; their vector may be moved.
class SeriesCursor : public TermCursor {
 public:
  SeriesCursor() = default;
  explicit SeriesCursor(const Series& series) : SeriesCursor(series.terms()) {}
  // `first_pass` is the pass of the first term to start in.
  explicit SeriesCursor(const std::vector<Term>& terms, std::uint64_t first_pass = 0);

  // No value is left.
  bool at_end() const { return left_ == 0; }

  // The next value without taking it. REQUIRES: !at_end().
  std::int64_t peek() const { return value_; }

  // The next value; 0 behind the end.
  std::int64_t next() {
    const std::int64_t value = value_;
    skip(1);
    return value;
  }

  // What is left of the run that the cursor stands in: `peek_count` values, `step` apart.
  std::uint64_t peek_count() const { return left_; }
  std::int64_t step() const { return step_; }

  // Moves on by n values of the present run. REQUIRES: n <= peek_count().
  void skip(std::uint64_t n) {
    if (left_ == 0) return;
    value_ = wrapping_add(value_, wrapping_mul(step_, n));
    if (left_ != kForever) left_ -= n;
    if (left_ == 0) advance();
  }

  // The terms that make up what has been passed of the body since the last pass of the outermost
  // repeat began, in order: what a folder keeps when a prediction ends.
  std::vector<Term> passed() const;

  // Passes completed of the outermost term.
  std::uint64_t passes() const { return frames_.empty() ? 0 : frames_.front().pass; }
};

// value := varint; odd: 2k+1 for the special value INT64_MIN + k (see values/special.hpp),
//          127 for eight bytes that follow; even: zigzag(value) << 1
void encode_value(ByteWriter& out, std::int64_t value);
std::int64_t decode_value(ByteReader& in);

}  // namespace reprise::trace
