// Integer expressions: what a peer, a size or a trip count is as a function of the rank, the number
// of ranks and the like. One engine for the text that people read, for extrapolation, for generated
// benchmarks and for the laws that users write. The operators and what they compute are in
// `expr/op.hpp`.
//
// An expression is an immutable tree of shared nodes, so that copying one is cheap. Variables are
// named; `expr/program.hpp` resolves them to slots. The names that all stages agree on:
//
//   rank   of the caller in the call's communicator, 0 <= rank < ranks
//   ranks  of that communicator
//   d0..d3 extents of the grid that the ranks form; d0 varies fastest
//   x0..x3 coordinates of the caller in it; rank = x0 + d0 * (x1 + d1 * (x2 + d2 * x3))
//   i0..   indices of the loops around the call, the outermost first
//   proc_null  MPI_PROC_NULL
//
// Every other name is a parameter of the problem.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/op.hpp"

namespace reprise::expr {

inline constexpr std::string_view kRank = "rank";
inline constexpr std::string_view kRanks = "ranks";
inline constexpr std::string_view kProcNull = "proc_null";
inline constexpr std::size_t kMaxDimensions = 4;

// The deepest tree and the most nodes that are read from text or bytes.
inline constexpr std::uint32_t kMaxDepth = 200;
inline constexpr std::uint32_t kMaxNodes = 100000;

class Expr {
 public:
  Expr() : Expr(0) {}
  Expr(std::int64_t constant);
  // REQUIRES: the name is a letter or underscore, then letters, digits and underscores.
  static Expr variable(std::string_view name);
  // REQUIRES: as many operands as the operator takes.
  static Expr make(Op op, std::span<const Expr> operands);
  static Expr make(Op op, const Expr& a);
  static Expr make(Op op, const Expr& a, const Expr& b);
  static Expr conditional(const Expr& condition, const Expr& yes, const Expr& no);
  // The terms for index = 0, 1, ..., count - 1, added up. The index is bound in `term` alone.
  // REQUIRES: the index is a variable.
  static Expr sum(const Expr& index, const Expr& count, const Expr& term);

  Op op() const;
  bool is_constant() const { return op() == Op::constant; }
  bool is_constant(std::int64_t value) const { return is_constant() && this->value() == value; }
  bool is_variable() const { return op() == Op::variable; }
  // REQUIRES: a constant.
  std::int64_t value() const;
  // REQUIRES: a variable.
  const std::string& name() const;
  std::span<const Expr> operands() const;

  // Nodes of the tree, and the longest way from its root to a leaf; a leaf has 1 of both.
  std::uint32_t nodes() const;
  std::uint32_t depth() const;

  // The same tree. Cost: its nodes.
  friend bool operator==(const Expr& a, const Expr& b);

 private:
  struct Node;
  explicit Expr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  std::shared_ptr<const Node> node_;
};

Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator%(const Expr& a, const Expr& b);

// The variables of an expression that no sum binds, each once.
std::set<std::string> free_variables(const Expr& e);

struct Binding {
  std::string name;
  Expr value;
};
// The expression with variables replaced, all at once. Indices of sums are renamed where a value
// has their name.
Expr substitute(const Expr& e, std::span<const Binding> bindings);

// The expression with each value that its outermost conditions choose replaced by what `by` makes
// of it; itself, if it has none.
Expr map_choices(const Expr& e, const std::function<Expr(const Expr&)>& by);

}  // namespace reprise::expr
