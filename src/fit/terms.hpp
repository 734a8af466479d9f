// The terms that exact laws are made of, with their values at the samples and the targets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/expr.hpp"
#include "fit/exact.hpp"

namespace reprise::fit {

struct Term {
  expr::Expr expression;
  std::vector<std::int64_t> at_samples;
  std::vector<std::int64_t> at_targets;
  // Rounded somewhere, or a remainder: such terms fit by chance when they are combined, and stand
  // alone.
  bool rough = false;
};

// Whether a logarithm, a root or a number of zeros is in it.
inline bool has_function(const Term* term) {
  const auto look = [](const auto& self, const expr::Expr& e) -> bool {
    const bool is_curve = e.op() == expr::Op::log2 || e.op() == expr::Op::sqrt ||
                          e.op() == expr::Op::cbrt || e.op() == expr::Op::ctz;
    return is_curve ||
           std::ranges::any_of(e.operands(), [&](const expr::Expr& o) { return self(self, o); });
  };
  return look(look, term->expression);
}

// Whether ranks or executions of one run differ in a variable: rank, xK, iK and index.
inline bool varies_within_run(std::string_view name) {
  const bool is_numbered = name.size() == 2 && name[1] >= '0' && name[1] <= '9';
  return name == expr::kRank || name == "index" ||
         (is_numbered && (name[0] == 'x' || name[0] == 'i'));
}

// Terms with distinct values, the simplest first. Terms without a value at a sample or a target,
// and those that do not vary over the samples, are left out.
std::vector<Term> make_terms(const ExactSamples& samples);

// A part of something that is divided among others: x-th of p.
struct Share {
  std::size_t part;  // the variable x
  std::size_t parts;
};
std::vector<Share> find_shares(std::span<const std::string> variables);

// How n things are divided among p: expressions for the number that the x-th gets.
enum class Blocks : std::uint8_t { remainder_first, even_bounds, ceiling };
inline constexpr Blocks kBlocks[] = {Blocks::remainder_first, Blocks::even_bounds, Blocks::ceiling};
expr::Expr block_size(Blocks kind, const expr::Expr& n, const expr::Expr& x, const expr::Expr& p);
// The same as a number. REQUIRES: 0 <= n < 2^31, 0 <= index < count < 2^31.
struct PartOf {
  std::int64_t index, count;  // x and p
};
std::int64_t block_size(Blocks kind, std::int64_t n, PartOf part);

}  // namespace reprise::fit
