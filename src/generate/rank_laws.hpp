// What differs between ranks, as expressions of `rank` and `ranks` that a person would write.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "expr/expr.hpp"

namespace reprise::generate {

// Ranks, in order, with what each has.
using ByRank = std::vector<std::pair<std::int64_t, std::int64_t>>;

// Laws of one number of ranks. Each is exact for every rank that it was asked about, and asked for
// once: equal samples have one law. Nothing where all that explains the samples is longer than a
// table of them would be.
class RankLaws {
 public:
  explicit RankLaws(std::int64_t ranks) : ranks_(ranks) {}

  // The value of each rank; trace::kProcNull is the variable MPI_PROC_NULL, no other special value
  // has a law.
  std::optional<expr::Expr> value(const ByRank& samples);
  // 1 where the sample is not 0.
  std::optional<expr::Expr> condition(const ByRank& samples);

 private:
  std::optional<expr::Expr> find(const ByRank& samples, bool is_condition) const;

  std::int64_t ranks_;
  std::map<std::pair<bool, ByRank>, std::optional<expr::Expr>> known_;
};

}  // namespace reprise::generate
