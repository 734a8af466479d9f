// Laws to values, at one number of ranks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "extrapolate/inputs/slot.hpp"
#include "extrapolate/laws/law.hpp"
#include "extrapolate/values/lines.hpp"
#include "extrapolate/values/pieces.hpp"
#include "infer/evaluator.hpp"

namespace reprise::extrapolate {

// A law, compiled for a number of ranks.
class LawValues {
 public:
  // Fails if the law needs a grid that does not exist for so many ranks.
  static Result<LawValues> make(const Law& law, const SlotShape& shape, const Grids& grids,
                                std::int64_t ranks);

  // Ranks differ, given the same trips of the loops around.
  bool is_of_rank() const { return of_rank_; }
  // The series of a rank, whose walk over executions `walk` makes; nothing where the law has no
  // value.
  std::optional<trace::Series> series(std::int64_t rank, const std::function<SlotWalk()>& walk);
  // The values of consecutive ranks, from `rank` on, at most `ranks` of them, all with the same
  // walk over executions. `relative`: the values are ranks of a communicator of all. Nothing where
  // the law has no value. REQUIRES: ranks > 0.
  std::optional<Piece> piece(std::int64_t rank, std::uint64_t ranks, bool relative,
                             const std::function<SlotWalk()>& walk);

 private:
  struct Number {
    std::optional<infer::Evaluator> evaluator;  // none: a constant
    std::optional<LineEvaluator> lines;
    infer::World world;
    std::int64_t constant = 0;
    bool of_coordinates = false;
    std::vector<Line> variables = {};

    std::optional<std::int64_t> at(std::int64_t rank,
                                   std::span<const std::int64_t> parameters = {});
    LineEvaluator::Outcome on(std::int64_t rank, std::uint64_t ranks,
                              std::span<const std::int64_t> parameters = {});
    // How many ranks from this one on are in one row.
    std::uint64_t row(std::int64_t rank, std::uint64_t ranks) const;
  };
  struct Term {
    Number value, step, count;
    bool is_open = false;  // without an end
    std::vector<Term> body;
  };

  static Result<Number> compile(const NumberLaw& law, const Grids& grids, std::int64_t ranks,
                                std::span<const std::string> parameters);
  static Result<std::vector<Term>> compile(const std::vector<TermLaw>& terms, const Grids& grids,
                                           std::int64_t ranks);
  static std::uint64_t alike(std::vector<Term>& laws, std::int64_t rank, std::uint64_t ranks);
  std::optional<Piece> piece_of_terms(std::int64_t rank, std::uint64_t ranks);
  std::optional<Piece> piece_of_indexed(std::int64_t rank, std::uint64_t ranks, bool relative,
                                        const std::function<SlotWalk()>& walk,
                                        LineEvaluator::Outcome& outcome);
  static bool fill(std::vector<Term>& laws, std::int64_t rank, std::vector<trace::Term>& out);

  Law::Form form_ = Law::Form::none;
  bool of_rank_ = false;
  bool pointwise_ = false;  // the law makes no lines
  std::int64_t ranks_ = 0;
  trace::Series series_;
  std::vector<Term> terms_;
  Number number_;
};

}  // namespace reprise::extrapolate
