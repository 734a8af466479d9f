// Some of the samples, as columns: one for each leaf.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "expr/expr.hpp"
#include "solve/samples.hpp"

namespace reprise::solve {

using Column = std::vector<std::int64_t>;
using Rows = std::vector<std::uint32_t>;  // of a table, ascending
using Leaves = std::uint64_t;             // bit i: leaf i of the samples
inline constexpr std::size_t kMostLeaves = 64;
// Values that are calculated with: sums and products of them by small numbers fit into 64 bits.
inline constexpr std::int64_t kLargestValue = std::int64_t{1} << 52;

// A coordinate along an extent, among whose ranks something is divided: (x, d), (rank, ranks), an
// element and the length of its list, or either of these and what it ends with in all runs. Indices
// of leaves.
struct Axis {
  std::size_t coordinate = 0;
  std::size_t extent = 0;
};

class Table {
 public:
  // REQUIRES: `rows` are samples, ascending by run; there are no more leaves than kMostLeaves.
  Table(const Samples& samples, const std::vector<std::size_t>& rows);

  std::size_t rows() const { return runs_.size(); }
  const std::vector<Leaf>& leaves() const { return samples_->leaves; }
  const Column& leaf(std::size_t l) const { return leaves_[l]; }
  const Column& values() const { return values_; }
  std::size_t run(std::size_t row) const { return runs_[row]; }
  // The leaves that ranks or executions of one run differ in. The others differ from run to run.
  Leaves varying() const { return varying_; }
  const std::vector<Axis>& axes() const { return axes_; }
  // The leaves that a leaf consists of: its coordinates for the rank, if there are any, and itself
  // for others.
  Leaves parts_of(std::size_t leaf) const;
  // How many leaves an expression that depends on all of these names at least: a rank stands for
  // its coordinates.
  std::size_t names_in(Leaves leaves) const;

  // The values on all rows; nothing if there is none on some row, or one too large to calculate
  // with.
  std::optional<Column> evaluate(const expr::Expr& e) const;

  // Whether it has these values on these rows.
  bool explains(const expr::Expr& e, const Rows& rows, const Column& values) const;

  // The values where the law is wanted; nothing where there is none.
  std::vector<std::optional<std::int64_t>> at_targets(const expr::Expr& e) const;

  // Of the leaves that vary within runs, those that `values` [rows] are a function of, besides the
  // run. The rank is dropped before coordinates, and indices before both. The trips of a loop whose
  // index is needed are kept, if they vary.
  Leaves needed(const Rows& rows, const Column& values) const;
  // One row for each combination of a run and values of these leaves.
  Rows distinct(const Rows& rows, Leaves leaves) const;

 private:
  // `always`: leaves that are kept.
  Leaves needed(const Rows& rows, const Column& values, Leaves always) const;
  std::vector<std::string> names() const;
  void find_axes();
  // The number of ranks, or an extent, that is one more than the largest value of a leaf in each
  // run.
  std::optional<std::size_t> find_bound(std::size_t leaf) const;

  const Samples* samples_;
  std::vector<Column> leaves_;  // [leaves x rows]
  Column values_;
  std::vector<std::size_t> runs_;
  Leaves varying_ = 0;
  std::vector<std::size_t> drop_order_;  // the varying leaves, which to try to drop first
  std::vector<Axis> axes_;
};

inline Leaves bit(std::size_t leaf) { return Leaves{1} << leaf; }

}  // namespace reprise::solve
