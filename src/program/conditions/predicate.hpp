// Predicates of one number: comparisons, ranges, remainders.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "program/laws/cost.hpp"

namespace reprise::program {

// The cheapest of the expressions that are offered; of equally cheap ones the first.
class Cheapest {
 public:
  void offer(const expr::Expr& e) {
    const Bits bits = bits_of(e);
    if (best_ && bits >= bits_) return;
    best_ = e;
    bits_ = bits;
  }
  const std::optional<expr::Expr>& get() const { return best_; }

 private:
  std::optional<expr::Expr> best_;
  Bits bits_ = 0;
};

// The predicate of a number that is true of the numbers `in` and false of those `out`; the
// cheapest that is known. `of`: if it is not 0, remainders by its divisors alone are tried.
// REQUIRES: in order, each once, disjoint, none empty.
std::optional<expr::Expr> predicate_of(const expr::Expr& number, std::span<const std::int64_t> in,
                                       std::span<const std::int64_t> out, std::int64_t of = 0);

}  // namespace reprise::program
