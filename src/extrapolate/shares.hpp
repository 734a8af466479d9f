// Shares of the ranks, rounded: where one part of them ends and the next begins, and how many there
// are in a part.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "expr/expr.hpp"

namespace reprise::extrapolate {

// Where a stretch may begin on so many ranks: behind the last rank of the one before, and at its
// own first rank at the latest.
struct Border {
  std::int64_t ranks = 0;
  std::int64_t low = 0, high = 0;
};

// The shortest law, if the borders of all runs but the largest have the same. An error: a law that
// is hardly longer differs from it on one of these numbers of ranks.
std::optional<Result<expr::Expr>> law_of_border(const std::vector<Border>& borders,
                                                const std::optional<expr::Expr>& before,
                                                const std::vector<std::int64_t>& sizes);

// The same of how many ranks there are in a part, or of what they are rounded to a multiple.
std::optional<Result<expr::Expr>> law_of_share(const std::vector<Border>& values,
                                               const std::vector<std::int64_t>& sizes);

}  // namespace reprise::extrapolate
