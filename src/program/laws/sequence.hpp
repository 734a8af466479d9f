// Explains the values of a place over its executions by an expression of the loops' indices or a
// table.
#pragma once

#include "program/laws/cost.hpp"
#include "program/nodes/nest.hpp"
#include "program/program.hpp"

namespace reprise::program {

// What the values are.
enum class Meaning : std::uint8_t {
  number,
  condition,  // 0 or 1
  name,       // of a datatype and the like: nothing to calculate with
};

struct ExplainedSeries {
  Content content;
  Bits bits = 0;
};

// `entry` says to which executions the first values of the series belong; `world` is the size of
// MPI_COMM_WORLD if they are ranks of it. Names stay a table. Cost: at most 4096 values are looked
// at.
ExplainedSeries explain_series(const trace::Series& series, const Entry& entry,
                               trace::Encoding encoding, Meaning meaning,
                               std::optional<std::int64_t> world = {});

// The shortest expression of the index of a loop that has these values at these indices. REQUIRES:
// as many indices as values.
std::optional<expr::Expr> expression_over_index(std::vector<std::int64_t> values,
                                                std::vector<std::int64_t> indices,
                                                std::size_t loop);

// The number that the first n values all are, if they are.
std::optional<std::int64_t> only_value(const trace::Series& series, std::uint64_t n);

}  // namespace reprise::program
