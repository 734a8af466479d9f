// Values of several ranks in one table or matrix, in which each rank has its own row.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "expr/expr.hpp"
#include "program/program.hpp"

namespace reprise::write::c {

// The cases of a value that share a table, since their entries begin anew together, and those that
// conditions tell apart from them. The cases are those of the value, in its order.
struct SharedTable {
  std::vector<const program::Case*> cases, apart;
  const program::Sequence* first = nullptr;  // of `cases`
};

// The table that most cases share; nothing if there are too few of them, or if the ranks of a case
// are not known. `is_whole`: whether each execution takes all entries of the list of a case; none:
// unknown.
std::optional<SharedTable> shared_table(
    const program::Value& v, const std::function<bool(const program::Case&)>& is_whole = {});

// The values of a call by rank and iteration of a loop [ranks x iterations]. Rows may be shorter
// than others; a rank that no case has gets a row of one 0.
struct RankMatrix {
  std::vector<std::vector<std::int64_t>> rows;
  program::ByLoop loop;
  bool is_of_all_ranks = false;  // as far as the cases tell
};

// The trip count of a loop around the value, by its number: the highest of any rank.
using TripsOf = std::function<std::uint64_t(std::size_t loop)>;

// Nothing unless several cases are lists that one loop goes through, and all numbers fit an int.
std::optional<RankMatrix> rank_matrix(const program::Value& v, const trace::Column& column,
                                      const TripsOf& most, const program::Program& program);

// Whether the condition holds on one of the streams at least, or cannot be evaluated there.
bool holds_on_any(const expr::Expr& condition, const program::Streams& streams,
                  const program::Program& program);

}  // namespace reprise::write::c
