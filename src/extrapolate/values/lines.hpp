// The values of an expression on consecutive ranks, without evaluating each of them. Along a row of
// a grid the peers of a stencil are linear between the borders, so that the time depends on the
// number of rows.
//
// Abstract interpretation over straight lines: sums, multiples, comparisons, quotients and choices
// of lines are lines again as long as no comparison changes within the ranks; where one does, the
// result has the position.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "expr/expr.hpp"
#include "expr/program.hpp"

namespace reprise::extrapolate {

// first, first + step, ...
struct Line {
  std::int64_t first = 0;
  std::int64_t step = 0;

  bool operator==(const Line&) const = default;
};

class LineEvaluator {
 public:
  // Fails for a variable that is not among the names.
  static Result<LineEvaluator> make(const expr::Expr& law, std::span<const std::string> names);

  struct Outcome {
    enum class Kind : std::uint8_t {
      line,       // the values on all ranks
      split,      // no line; the first `ranks` may have one, 0 < ranks < those asked for
      pointwise,  // an operator that makes no lines of them; ask for each rank
      none        // no rank has a value, as where it would overflow
    };
    Kind kind = Kind::none;
    Line line = {};
    std::uint64_t ranks = 0;
  };

  // The values on `ranks` ranks, on which each variable takes a line. REQUIRES: a line for each
  // name; ranks > 0. Cost: the nodes of the expression, and a few more steps for each border.
  Outcome at(std::span<const Line> variables, std::uint64_t ranks) const;

 private:
  struct Node {
    expr::Op op = expr::Op::constant;
    std::int64_t value = 0;  // of a constant, or which variable
    std::array<std::uint32_t, 3> operands = {};
    std::optional<expr::Program> program = {};  // of a sum
  };

  Result<std::uint32_t> add(const expr::Expr& e, std::span<const std::string> names);
  Outcome evaluate(std::uint32_t node, std::span<const Line> variables, std::uint64_t ranks) const;

  std::vector<Node> nodes_;  // operands first
};

}  // namespace reprise::extrapolate
