// The values of a law over the rank in a communicator and its size.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "compress/merge/rank_columns.hpp"
#include "extrapolate/laws/number_law.hpp"
#include "infer/evaluator.hpp"

namespace reprise::extrapolate {

class LocalNumber {
 public:
  // REQUIRES: the grids outlive this, and have the one that the law names.
  static Result<LocalNumber> make(const NumberLaw& law, const Grids& grids,
                                  std::span<const std::string> parameters) {
    const auto dimensions = law.grid ? grids.rules[*law.grid].dimensions : 0;
    auto evaluator = infer::Evaluator::make(law.expression, dimensions, parameters);
    if (!evaluator) return evaluator.error();
    return LocalNumber(std::move(*evaluator), grids, law.grid);
  }

  // Nothing where the law has no value, so many ranks form no such grid, or this is no place.
  std::optional<std::int64_t> at(const trace::Membership& place,
                                 std::span<const std::int64_t> parameters) {
    if (place.rank < 0 || place.rank >= place.size) return std::nullopt;
    const auto [world, is_new] = worlds_.try_emplace(place.size);
    if (is_new) world->second = grids_->world(place.size, grid_);
    if (!world->second) return std::nullopt;
    return evaluator_.at(place.rank, *world->second, parameters);
  }

 private:
  LocalNumber(infer::Evaluator evaluator, const Grids& grids, std::optional<std::size_t> grid)
      : evaluator_(std::move(evaluator)), grids_(&grids), grid_(grid) {}

  infer::Evaluator evaluator_;
  const Grids* grids_;
  std::optional<std::size_t> grid_;
  std::map<std::int64_t, std::optional<infer::World>> worlds_;  // by size
};

}  // namespace reprise::extrapolate
