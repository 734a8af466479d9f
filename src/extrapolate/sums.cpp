// Numbers that count: how many neighbours a rank has, or how many requests it waits for.
#include <algorithm>
#include <set>

#include "extrapolate/number_law.hpp"
#include "fit/linear.hpp"
#include "infer/evaluator.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using infer::Samples;
using Column = std::vector<std::int64_t>;

constexpr std::size_t kMostRows = 400;
constexpr std::size_t kMostConditions = 48;

// Rows of a condition; nothing if it has no value in one, as where the grid does not exist.
std::optional<Column> rows_of(const NumberLaw& condition, const Samples& samples,
                              const Grids& grids) {
  Column out;
  for (const auto& [world, rows] : samples.worlds) {
    const auto placed = grids.world(world.ranks, condition.grid);
    if (!placed) return std::nullopt;
    auto evaluator = infer::Evaluator::make(condition.expression, placed->extents.size());
    if (!evaluator) return std::nullopt;
    for (const infer::Sample& s : rows) {
      const auto v = evaluator->at(s.rank, *placed);
      if (!v) return std::nullopt;
      out.push_back(*v);
    }
  }
  return out;
}

// As many rows as a search needs, of all kinds.
Column thinned(const Column& all) {
  Column out;
  const std::size_t stride = all.size() / kMostRows + 1;
  for (std::size_t i = 0; i < all.size(); i += stride) out.push_back(all[i]);
  return out;
}

std::size_t distinct_rows(const std::vector<Column>& columns) {
  std::set<Column> seen;
  for (std::size_t i = 0; i < columns.front().size(); ++i) {
    Column row;
    for (const Column& c : columns) row.push_back(c[i]);
    seen.insert(std::move(row));
  }
  return seen.size();
}

}  // namespace

// A whole number and whole multiples of conditions. More kinds of ranks must be there, over all
// runs, than numbers are found.
std::optional<NumberLaw> LawSearch::sum_of_conditions(const Samples& samples) const {
  if (!samples.parameters.empty()) return std::nullopt;
  std::set<std::optional<std::size_t>> grids;
  for (const NumberLaw& c : conditions_) grids.insert(c.grid);
  for (auto grid = grids.rbegin(); grid != grids.rend(); ++grid) {
    if (auto sum = sum_on_grid(samples, *grid)) return sum;
  }
  return std::nullopt;
}

std::optional<NumberLaw> LawSearch::sum_on_grid(const Samples& samples,
                                                std::optional<std::size_t> grid) const {
  Column all, run_of_all;
  for (const auto& w : samples.worlds) {
    for (const infer::Sample& s : w.samples) {
      all.push_back(s.value);
      run_of_all.push_back(w.world.ranks);
    }
  }
  std::vector<Column> full{Column(all.size(), 1)}, columns{thinned(full.front())};
  std::vector<Expr> terms{Expr(1)};
  infer::Standing standing = infer::Standing::confirmed;
  const auto solve = [&](const Column& values) {
    std::vector<const Column*> pointers;
    for (const Column& c : columns) pointers.push_back(&c);
    return fit::solve(pointers, values);
  };
  for (const NumberLaw& c : conditions_) {
    if ((c.grid && c.grid != grid) || terms.size() > kMostConditions) continue;
    auto rows = rows_of(c, samples, grids_);
    if (!rows) continue;
    Column few = thinned(*rows);
    if (solve(few)) continue;  // the others make it up
    columns.push_back(std::move(few));
    full.push_back(std::move(*rows));
    terms.push_back(c.expression);
    standing = std::max(standing, c.standing);
  }
  const auto found = solve(thinned(all));
  if (!found || found->denominator != 1) return std::nullopt;
  const std::size_t unknowns = columns.size();
  columns.push_back(thinned(run_of_all));
  if (distinct_rows(columns) <= unknowns) return std::nullopt;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::int64_t sum = 0;
    for (std::size_t t = 0; t < full.size(); ++t) sum += found->numerators[t] * full[t][i];
    if (sum != all[i]) return std::nullopt;
  }
  return NumberLaw{fit::combine(*found, terms), grid, true, standing};
}

}  // namespace reprise::extrapolate
