// A slot's values at the target, for runs of consecutive ranks: values that a million ranks have in
// common are found and stored once.
#pragma once

#include <optional>
#include <vector>

#include "extrapolate/values/lines.hpp"
#include "trace/values/value.hpp"

namespace reprise::extrapolate {

// Consecutive ranks whose values are one number each, on a line, or one series for all of them, at
// least if peers are written relative to the rank.
struct Piece {
  std::uint64_t ranks = 0;
  // Numbers, or a series in one encoding or both; none: no rank executes the slot.
  std::optional<Line> numbers = {};
  std::optional<trace::Series> absolute = {}, relative = {};
  std::uint64_t executions = 0;  // values in a series

  static Piece absent(std::uint64_t ranks) { return {.ranks = ranks}; }
};

// Puts the pieces of all ranks together, from rank 0 on.
class PieceCollector {
 public:
  // `encoding` of the values; `reencode`: they are ranks of a communicator of all `ranks`, absolute
  // so far, and may be written in the way that takes the least.
  PieceCollector(trace::Encoding encoding, bool reencode, std::int64_t ranks)
      : encoding_(encoding), reencode_(reencode), ranks_(ranks) {}

  void add(Piece piece);

  // Cost: the pieces, and the ranks of those whose values are a line or relative where the whole
  // is written otherwise.
  trace::Value finish() const;

  // The first rank of each piece that differs from the one before.
  std::vector<std::int64_t> borders() const;
  // Whether each of the stretches between the borders has anything but zeros.
  std::vector<bool> takes() const;

 private:
  trace::Value as_numbers(trace::Encoding e) const;
  trace::Value as_absolute_series() const;
  std::optional<trace::Value> as_relative_series() const;

  trace::Encoding encoding_;
  bool reencode_;
  std::int64_t ranks_;
  std::vector<Piece> pieces_;
};

}  // namespace reprise::extrapolate
