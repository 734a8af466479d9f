// Laws by the solver (solve/solver.hpp), on each of the grids that the ranks may form.
#include <algorithm>

#include "expr/print.hpp"
#include "extrapolate/leaves.hpp"
#include "extrapolate/number_law.hpp"
#include "solve/solver.hpp"
#include "trace/special.hpp"

namespace reprise::extrapolate {
namespace {

using infer::Samples;
using infer::WorldSamples;

solve::Leaf leaf_of(const std::string& name) {
  using solve::LeafKind;
  const auto number = [&] { return static_cast<std::size_t>(name[1] - '0'); };
  if (name == expr::kRank) return {name, LeafKind::rank};
  if (name == expr::kRanks) return {name, LeafKind::ranks};
  if (name == "index") return {name, LeafKind::element};
  if (name == "length") return {name, LeafKind::length};
  if (name.size() == 2 && name[1] >= '0' && name[1] <= '9') {
    switch (name[0]) {
      case 'x': return {name, LeafKind::coordinate, number()};
      case 'd': return {name, LeafKind::extent, number()};
      case 'i': return {name, LeafKind::index, number()};
      case 't': return {name, LeafKind::trips, number()};
      default: break;
    }
  }
  return {name, LeafKind::declared};
}

solve::Samples samples_of(const infer::Table& table) {
  solve::Samples out;
  for (const std::string& name : table.names) out.leaves.push_back(leaf_of(name));
  out.points = table.slots;
  out.values = table.values;
  out.runs = table.world;
  out.targets = table.probes;
  return out;
}

// Whether a variable begins with one of these letters, but for the number of ranks.
bool uses(const expr::Expr& law, std::string_view letters) {
  return std::ranges::any_of(free_variables(law), [&](const std::string& v) {
    return v != expr::kRanks && letters.find(v[0]) != std::string_view::npos;
  });
}

constexpr std::uint32_t kUnseen = 8;  // what a grid costs that no neighbors have shown [bits]
constexpr std::uint32_t kDoubt = 6;   // a law so much longer may be the right one [bits]

struct Found {
  NumberLaw law;
  std::uint32_t cost = 0;  // [bits]
};

std::string describe(const solve::Outcome& outcome) {
  using solve::Refused;
  const auto quoted = [&](std::size_t i) { return "'" + print(outcome.found[i]) + "'"; };
  switch (outcome.refused) {
    case Refused::too_few_runs:
      return "only one run has it, and there it is no constant; add a run";
    case Refused::rivals: return "the samples do not tell " + quoted(0) + " from " + quoted(1);
    case Refused::not_predicted:
      return quoted(0) + " explains the samples, but is not found without the largest run";
    case Refused::no_law: break;
  }
  return "no expression explains the samples";
}

}  // namespace

Result<NumberLaw> LawSearch::solved(const Samples& all) const {
  Samples samples = all;
  std::erase_if(samples.worlds, [](const WorldSamples& w) { return w.samples.empty(); });
  if (samples.worlds.size() < 2) return Error{"only one run has it; add a run"};
  for (const WorldSamples& w : samples.worlds) {
    for (const infer::Sample& s : w.samples) {
      if (trace::is_special(s.value)) return Error{"values that are no numbers"};
    }
  }
  const Samples needed = drop_needless(samples).samples;
  const auto is_guess = [&](std::optional<std::size_t> grid) {
    return grid && !grids_.seen.contains(*grid);
  };
  std::vector<Found> found;
  Result<NumberLaw> refused = Error{"no expression explains the samples"};
  for (const std::optional<std::size_t> grid : grids_.in_order()) {
    Samples placed = needed;
    bool exists = true;
    for (WorldSamples& w : placed.worlds) {
      const auto world = grids_.world(w.world.ranks, grid);
      exists = exists && world;
      if (world) w.world = *world;
    }
    const auto target = grids_.target(ranks_, grid);
    if (!exists || !target) continue;
    const auto outcome = solve::solve(samples_of(infer::make_table(placed, target)), *numbers_);
    if (!outcome.law) {
      if (outcome.refused == solve::Refused::rivals && !is_guess(grid))
        return Error{describe(outcome)};
      if (grid == grids_.in_order().front()) refused = Error{describe(outcome)};
      continue;
    }
    const expr::Expr& law = outcome.law->expression;
    found.push_back({{.expression = law,
                      .grid = uses(law, "xd") ? grid : std::nullopt,
                      .of_rank = uses(law, "xr"),
                      .standing = outcome.law->standing == solve::Standing::confirmed
                                      ? infer::Standing::confirmed
                                      : infer::Standing::explains},
                     outcome.law->cost + (is_guess(grid) && uses(law, "xd") ? kUnseen : 0)});
  }
  if (found.empty()) return refused;
  std::ranges::stable_sort(found, {}, &Found::cost);
  const Found& best = found.front();
  for (const Found& other : found) {
    if (other.cost > best.cost + kDoubt) break;
    const bool has_parameters = !needed.parameters.empty();
    if (!has_parameters && !same_at_target(best.law, other.law)) {
      return untold(best.law.expression, other.law.expression);
    }
  }
  return best.law;
}

}  // namespace reprise::extrapolate
