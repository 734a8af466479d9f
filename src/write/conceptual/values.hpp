// Values of the explained program as expressions of the rank and the indices of the loops around.
//
// A table over executions needs to know how many executions came before: that follows from the
// loops around the place, and where their trips vary from the sums of these (Node::before).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/program.hpp"
#include "write/conceptual/names.hpp"

namespace reprise::write::conceptual {

// The loops and conditions around a place, the outermost first.
using Around = std::vector<const program::Node*>;

class Values {
 public:
  // REQUIRES: both outlive it.
  Values(const program::Program& program, Names& names) : program_(program), names_(names) {}

  expr::Expr number(const program::Value& v, const Around& around);
  // Whether it is not 0.
  expr::Expr condition(const program::Value& v, const Around& around);
  // An element of a list; its position is the expression `index`.
  expr::Expr element(const program::Value& v, const Around& around, const expr::Expr& index);

  // That a rank is one of those, as a condition on the rank.
  expr::Expr is_one(const program::Who& who) const;

  // Coordinates as what they are of the rank.
  expr::Expr in_ranks(const expr::Expr& e) const;

 private:
  enum class As { number, condition };
  struct List {
    expr::Expr index;
  };

  expr::Expr value(const program::Value& v, const Around& around, As as,
                   const std::optional<List>& list);
  expr::Expr content(const program::Case& c, const Around& around, As as,
                     const std::optional<List>& list);
  expr::Expr sequence(const program::Sequence& s, const Around& around, As as,
                      const std::optional<List>& list);
  expr::Expr neighbor(const program::Neighbor& n) const;
  // How many executions came before in this iteration of so many loops.
  expr::Expr position(const Around& around, std::size_t scope);
  expr::Expr executions_before(const Around& around, std::size_t from);

  const program::Program& program_;
  Names& names_;
};

}  // namespace reprise::write::conceptual
