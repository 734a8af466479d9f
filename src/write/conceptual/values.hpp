// Values of the explained program as expressions of the rank and the indices of the loops around.
//
// A table over executions needs to know how many executions came before: that follows from the
// loops around the place, and where their trips vary from the sums of these (Node::before).
//
// Where the number of ranks is open, expressions are of the extents of grids and the parameters of
// sizes as well, and values of calls of the caller's rank in the communicator.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/program.hpp"
#include "write/conceptual/language/names.hpp"

namespace reprise::write::conceptual {

// The loops and conditions around a place, the outermost first.
using Around = std::vector<const program::Node*>;

class Values {
 public:
  // REQUIRES: both outlive it.
  Values(const program::Program& program, Names& names);

  expr::Expr number(const program::Value& v, const Around& around);
  // Whether it is not 0.
  expr::Expr condition(const program::Value& v, const Around& around);
  // An element of a list; its position is the expression `index`.
  expr::Expr element(const program::Value& v, const Around& around, const expr::Expr& index);

  // That a rank is one of those, as a condition on the rank.
  expr::Expr is_one(const program::Who& who) const;

  // Coordinates as what they are of the rank.
  expr::Expr in_ranks(const expr::Expr& e) const;

  // How often a rank has come there before. Throws Unwritable if no expression says that.
  expr::Expr executions_before(const Around& around) { return executions_before(around, 0); }

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
  expr::Expr decoded(const expr::Expr& written, trace::Encoding encoding) const;
  // The value of a pattern at a place in it, and how many values its terms have.
  expr::Expr pattern(const std::vector<program::PatternTerm>& terms, const expr::Expr& place) const;
  expr::Expr length_of(const std::vector<program::PatternTerm>& terms) const;
  expr::Expr alternation(const program::Alternation& a, const Around& around);
  expr::Expr neighbor(const program::Neighbor& n) const;
  // How many executions came before in this iteration of so many loops.
  expr::Expr position(const Around& around, std::size_t scope);
  expr::Expr executions_before(const Around& around, std::size_t from);
  // The trips of a node in all iterations before one of the loops around, if those are few and all
  // ranks pass alike. Throws Unwritable.
  expr::Expr summed(const program::Node& n, const Around& outside, const expr::Expr& iteration);

  const program::Program& program_;
  Names& names_;
  std::vector<expr::Binding> known_;  // variables that other ones stand for
  // What executions_before has found during its outermost call, by node and where it began.
  std::map<std::pair<const program::Node*, std::size_t>, expr::Expr> counted_;
  int counting_ = 0;  // calls of it under way
};

// The parameter of the program for a declared size of the problem.
std::string parameter_of(const std::string& size);

// Throws Unwritable if a value that is none is reckoned with, rather than chosen.
void check_choices(const expr::Expr& e);

}  // namespace reprise::write::conceptual
