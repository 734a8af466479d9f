// What the laws of a program that were found so far are made of: sizes repeat from call to call,
// and so do conditions and whole laws.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "expr/expr.hpp"

namespace reprise::solve {

struct Vocabulary {
  std::set<std::int64_t> numbers = {};
  std::vector<expr::Expr> laws = {};        // over leaves by their names
  std::vector<expr::Expr> conditions = {};  // in laws: comparisons
};

}  // namespace reprise::solve
