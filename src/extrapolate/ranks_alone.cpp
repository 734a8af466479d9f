// Laws of numbers in which ranks do not differ: sizes, trip counts and the like.
#include <algorithm>
#include <set>
#include <tuple>

#include "expr/cost.hpp"
#include "expr/print.hpp"
#include "extrapolate/evidence.hpp"
#include "extrapolate/fit_table.hpp"
#include "extrapolate/number_law.hpp"
#include "fit/exact.hpp"
#include "fit/families.hpp"
#include "infer/cases.hpp"
#include "infer/enumerate.hpp"
#include "infer/evaluator.hpp"
#include "infer/predicate.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using infer::Samples;
using infer::Standing;
using infer::Table;
using infer::WorldSamples;

constexpr unsigned kLargest = 7;       // nodes of an enumerated law
constexpr std::size_t kFewRows = 8;    // say too little for all expressions there are
constexpr std::uint32_t kUnseen = 8;   // what a grid costs that no neighbours have shown [bits]
constexpr std::size_t kCompared = 64;  // samples
constexpr unsigned kOfAShare = 2;      // constants that a share of the ranks has, at least

// Columns of a table that are no leaf here.
void drop_columns(Table& table, const std::set<std::string>& needless) {
  for (std::size_t c = table.names.size(); c-- > 0;) {
    if (!needless.contains(table.names[c])) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    table.names.erase(table.names.begin() + at);
    for (auto& row : table.slots) row.erase(row.begin() + at);
    for (auto& row : table.probes) row.erase(row.begin() + at);
  }
}

Table without_largest(const Table& table) {
  Table out{table.names, {}, {}, {}, {}};
  const std::size_t last = *std::ranges::max_element(table.world);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (table.world[i] == last) continue;
    out.slots.push_back(table.slots[i]);
    out.values.push_back(table.values[i]);
    out.world.push_back(table.world[i]);
  }
  return out;
}

// All shortest expressions, or else two laws and the condition between them, or a condition.
std::vector<Expr> enumerate(const Table& table, bool is_condition) {
  std::vector<Expr> out;
  // A few rows say too little for all expressions there are.
  if (table.rows() >= kFewRows) {
    out = infer::enumerate(table, kLargest);
    if (!out.empty()) return out;
    if (const auto cases = infer::infer_cases(table)) return {*cases};
  }
  if (is_condition) {
    if (const auto condition = infer::infer_predicate(table)) out.push_back(*condition);
  }
  return out;
}

// The one that is shortest; what is found without the largest world must predict it. `same`:
// whether two laws say the same at the target.
template <class Same>
Result<Expr> enumerate_and_check(const Table& table, std::size_t worlds, bool is_condition,
                                 const Same& same) {
  const auto found = enumerate(table, is_condition);
  if (found.empty()) return Error{"no law explains the samples"};
  for (const Expr& other : found) {
    if (!same(found[0], other)) return untold(found[0], other);
  }
  if (worlds > 2) {
    const auto fewer = enumerate(without_largest(table), is_condition);
    if (std::ranges::none_of(fewer, [&](const Expr& e) { return infer::explains(e, table); })) {
      return Error{"'" + print(found[0]) +
                   "' explains the samples, but is not found without the largest run"};
    }
  }
  return found[0];
}

// The rows of samples over the leaves in which ranks do not differ; nothing if the grid does not
// exist for some number of ranks.
std::optional<Table> place(const Samples& samples, const Grids& grids,
                           std::optional<std::size_t> grid, std::int64_t ranks) {
  Samples placed = samples;
  for (WorldSamples& w : placed.worlds) {
    auto world = grids.world(w.world.ranks, grid);
    if (!world) return std::nullopt;
    w.world = std::move(*world);
  }
  const auto target = grids.target(ranks, grid);
  if (!target) return std::nullopt;
  Table table = infer::make_table(placed, target);
  drop_columns(table, {"rank", "x0", "x1", "x2", "x3"});
  return table;
}

// What a law is at the target, with parameters that the largest run had.
std::optional<std::vector<std::int64_t>> at_target(const NumberLaw& law, const Samples& samples,
                                                   const Grids& grids, std::int64_t ranks) {
  const auto world = grids.target(ranks, law.grid);
  if (!world) return std::nullopt;
  auto evaluator =
      infer::Evaluator::make(law.expression, world->extents.size(), samples.parameters);
  if (!evaluator) return std::nullopt;
  std::vector<std::int64_t> out;
  for (const infer::Sample& s : samples.worlds.back().samples) {
    const auto v = evaluator->at(0, *world, s.parameters);
    if (!v) return std::nullopt;
    out.push_back(*v);
    if (out.size() == kCompared) break;
  }
  return out;
}

bool uses_grid(const Expr& law) {
  const auto used = free_variables(law);
  return std::ranges::any_of(used, [](const std::string& v) { return v[0] == 'd'; });
}

Error on_unseen_grid(const Expr& law) {
  return Error{"'" + print(law) +
               "' explains the samples, but no call site shows the ranks on such a grid"};
}

Error too_long(const Expr& law) {
  return Error{"'" + print(law) +
               "' explains the samples, but is no shorter than they are; add more runs"};
}

// Whether what is fitted without the largest world predicts it.
bool predicts_largest(const Table& table) {
  const fit::ExactLaw found = fit_table(without_largest(table));
  return found.verdict == fit::Verdict::determined && infer::explains(found.law, table);
}

struct Fitted {
  NumberLaw law;
  unsigned constants;
  std::uint32_t cost;
};

}  // namespace

// The shortest law on any grid. One that is hardly longer and says otherwise speaks against it, as
// the logarithm of ranks against an extent on few ranks.
LawSearch::Sought LawSearch::fit_ranks_alone(const Samples& samples) const {
  std::vector<Fitted> all;
  Sought out{Error{"no law explains the samples"}};
  for (const std::optional<std::size_t> grid : grids_.in_order()) {
    const auto table = place(samples, grids_, grid, ranks_);
    if (!table) continue;
    const fit::ExactLaw found = fit_table(*table);
    if (found.verdict == fit::Verdict::determined) {
      const bool on_grid = grid && uses_grid(found.law);
      const std::uint32_t more = on_grid && !grids_.seen.contains(*grid) ? kUnseen : 0;
      all.push_back(
          {{found.law, on_grid ? grid : std::nullopt}, found.constants, found.cost + more});
    } else if (all.empty()) {
      out = {Error{found.refusal}, found.verdict == fit::Verdict::ambiguous};
    }
  }
  const auto share = share_of_ranks(samples);
  if (share && *share) all.push_back({**share, kOfAShare, expr::cost_of((*share)->expression)});
  if (all.empty()) return out;
  // Those on grids that nothing shows only speak against others.
  const auto rank_of = [&](const Fitted& f) {
    const bool is_guess = f.law.grid && !grids_.seen.contains(*f.law.grid);
    return std::tuple(is_guess, f.constants, f.cost);
  };
  const auto best = std::ranges::min_element(all, {}, rank_of);
  if (std::get<0>(rank_of(*best))) return {on_unseen_grid(best->law.expression)};
  // A share of three runs or more was found without the largest.
  const bool is_share = share && *share && best->law.expression == (*share)->expression;
  const bool is_predicted = is_share && samples.worlds.size() > 2;
  if (!is_predicted && !is_evidence(samples, best->law.expression) &&
      !predicts_largest(*place(samples, grids_, best->law.grid, ranks_))) {
    return {too_long(best->law.expression)};
  }
  const auto values = at_target(best->law, samples, grids_, ranks_);
  for (const Fitted& other : all) {
    const bool is_plainer = best->law.grid && !other.law.grid;
    if (other.constants > best->constants && !is_plainer) continue;
    if (other.cost > best->cost + fit::kDoubt) continue;
    if (at_target(other.law, samples, grids_, ranks_) == values) continue;
    return {untold(best->law.expression, other.law.expression), true};
  }
  return {best->law};
}

Result<NumberLaw> LawSearch::enumerate_ranks_alone(const Samples& samples) const {
  Result<NumberLaw> law = Error{"no law explains the samples"};
  for (const std::optional<std::size_t> grid : grids_.in_order()) {
    if (grid && !grids_.seen.contains(*grid)) continue;
    const auto table = place(samples, grids_, grid, ranks_);
    if (!table) continue;
    const auto same = [&](const Expr& a, const Expr& b) {
      const auto values = at_target({a, grid}, samples, grids_, ranks_);
      return a == b || (values && values == at_target({b, grid}, samples, grids_, ranks_));
    };
    const auto found =
        enumerate_and_check(*table, samples.worlds.size(), all_zero_or_one(samples), same);
    if (found && !is_evidence(samples, *found)) {
      law = too_long(*found);
      continue;
    }
    if (found) return NumberLaw{*found, grid, false, Standing::confirmed};
    law = found.error();
  }
  return law;
}

}  // namespace reprise::extrapolate
