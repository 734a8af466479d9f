// Names for expressions that statements need more than once, such as how often a task has been at a
// place before: LET k1 BE ... WHILE. Variables of expressions may be such names.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "expr/expr.hpp"
#include "write/conceptual/language/expressions.hpp"

namespace reprise::write::conceptual {

class Names {
 public:
  // `least`: what variables are at least.
  explicit Names(VariableLeast least = {}) : least_(std::move(least)) {}

  // The expression itself, or a name for it if it is more than a few operators, or if it is more
  // than a variable and stands in many places.
  expr::Expr name_of(const expr::Expr& e, std::size_t uses = 1);

  // The expression with other variables, also in what its names stand for. Cost: each name once for
  // each set of variables.
  expr::Expr with(const expr::Expr& e, std::span<const expr::Binding> bindings);

  // Whether the expression, or what a name in it stands for, has the variable.
  bool depends(const expr::Expr& e, const std::string& variable) const;

  struct Definition {
    std::string name;
    expr::Expr value;
  };
  // Of the names in the expressions and in what they stand for; those that others need come first.
  std::vector<Definition> definitions(std::span<const expr::Expr> all) const;

  // The expression with the names that depend on the variable written out.
  expr::Expr written_out(const expr::Expr& e, const std::string& variable) const;
  // The expression without names.
  expr::Expr written_out(const expr::Expr& e) const;

  // The expression in the language (expressions.hpp).
  ast::Expr number_of(const expr::Expr& e) const { return conceptual::number_of(e, least_); }
  ast::Relation condition_of(const expr::Expr& e) const {
    return conceptual::condition_of(e, least_);
  }

 private:
  struct Named {
    expr::Expr value;
    std::vector<std::size_t> names;   // that stand in it
    std::set<std::string> variables;  // that stand in it, or in what its names stand for
    std::size_t uses;
  };

  std::vector<std::size_t> names_in(const expr::Expr& e) const;
  template <class Which>
  expr::Expr written_out_where(const expr::Expr& e, const Which& which) const;

  VariableLeast least_;
  std::vector<Named> named_;                    // k(n+1) is number n, which needs lower ones alone
  std::map<std::string, std::size_t> known_;    // by the text of the value
  std::map<std::string, std::size_t> number_;   // by name
  std::map<std::string, expr::Expr> replaced_;  // by name and bindings
};

}  // namespace reprise::write::conceptual
