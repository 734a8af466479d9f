// What expressions and relations of a program come to. Numbers are integers of 64 bits, truncated
// towards zero after each operation, except where the language asks for real ones (LOGS, OUTPUTS,
// REAL). What takes more than 63 bits is an error, not another number.
#pragma once

#include <cstdint>

#include "conceptual/ast.hpp"
#include "conceptual/values/functions.hpp"
#include "conceptual/values/variables.hpp"

namespace reprise::conceptual {

class Evaluator {
 public:
  Evaluator(const Environment& variables, Context context)
      : variables_(variables), context_(context) {}

  // All throw Problem where there is no value. Cost: O(nodes).
  std::int64_t integer(const Expr& e) const;
  double real(const Expr& e) const;
  bool holds(const Relation& r) const;

 private:
  std::int64_t binary(const Expr& e) const;
  double real_binary(const Expr& e) const;
  bool is_in(const Relation& r) const;

  const Environment& variables_;
  Context context_;
};

}  // namespace reprise::conceptual
