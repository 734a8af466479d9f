// Laws by the solver (solve/solver.hpp), on each of the grids that the ranks may form.
#include <algorithm>
#include <bit>
#include <set>
#include <span>
#include <vector>

#include "expr/leaf.hpp"
#include "expr/simplify.hpp"
#include "extrapolate/laws/evidence.hpp"
#include "extrapolate/laws/joined_law.hpp"
#include "extrapolate/laws/leaves.hpp"
#include "extrapolate/laws/number_law.hpp"
#include "solve/solver.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using infer::Samples;
using infer::WorldSamples;

// `of_rank`: whether ranks of a run differ; if not, one stands for all, and where it is says
// nothing.
solve::Samples samples_of(const infer::Table& table, bool of_rank) {
  solve::Samples out;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    const expr::Leaf leaf = expr::leaf_of(table.names[i]);
    const bool is_place =
        leaf.kind == solve::LeafKind::rank || leaf.kind == solve::LeafKind::coordinate;
    if (is_place && !of_rank) continue;
    out.leaves.push_back(leaf);
    kept.push_back(i);
  }
  const auto take = [&](const std::vector<std::int64_t>& all) {
    std::vector<std::int64_t> point;
    for (const std::size_t i : kept) point.push_back(all[i]);
    return point;
  };
  for (const auto& point : table.slots) out.points.push_back(take(point));
  for (const auto& point : table.probes) out.targets.push_back(take(point));
  out.values = table.values;
  out.runs = table.world;
  return out;
}

bool is_on_grid(const expr::Expr& law) {
  return uses(law, {expr::LeafKind::coordinate, expr::LeafKind::extent});
}

constexpr std::uint32_t kUnseen = 8;  // what a grid costs that no neighbors have shown [bits]
constexpr std::uint32_t kSeen = 4;    // what a law spares on one that another call follows [bits]
constexpr std::uint32_t kStep = 2;    // that a distance is one of a neighbor [bits]
constexpr std::uint32_t kShort = 40;  // a law that is sought on all grids first [bits]
struct Found {
  NumberLaw law;
  std::uint32_t cost = 0;                                // [bits]
  std::vector<std::optional<std::int64_t>> wanted = {};  // values where it is wanted
  bool has_rival = false;                                // on the same grid
  bool is_law = true;                                    // if not, only a rival of others
  bool is_seen = false;                                  // on a grid that neighbors have shown
};

expr::Expr expression_of(std::int64_t special) {
  if (special == trace::kProcNull) return expr::Expr::variable(std::string(expr::kProcNull));
  return special;
}

// The samples on one of the grids, or without one.
struct Placed {
  std::optional<std::size_t> grid;
  bool is_seen = false;
  infer::Table table;
  solve::Samples samples;
  solve::Vocabulary vocabulary = {};
};

// Where a law is not wanted, at the probes; as far as the samples have what the condition depends
// on.
std::vector<bool> holds_at_probes(const expr::Expr& condition, const infer::Table& table) {
  std::vector<bool> out;
  for (const auto& v : infer::values_on_probes(condition, table)) out.push_back(v.value_or(0) != 0);
  return out;
}

void drop_probes(infer::Table& table, const std::vector<bool>& dropped) {
  std::size_t probe = 0;
  std::erase_if(table.probes, [&](const auto&) { return dropped[probe++]; });
}

// On each grid that there is for all runs and the target, in the order in which grids are tried.
// Of those with the same extents the first. Where it is not wanted on a grid, on that one alone;
// where it is `absent` on a grid, it is so on all, and nowhere if it is at all probes.
std::vector<Placed> place(const Samples& samples, bool of_rank, const Grids& grids,
                          std::int64_t ranks, const NumberLaw& unwanted, const NumberLaw& absent) {
  std::vector<Placed> out;
  std::vector<bool> absent_at;
  std::set<std::vector<std::vector<std::int64_t>>> extents;  // by run, and at the target
  for (const std::optional<std::size_t> grid : grids.in_order()) {
    const bool has_absence = absent_at.empty() && (!absent.grid || absent.grid == grid);
    if (unwanted.grid && unwanted.grid != grid && !has_absence) continue;
    Samples placed = samples;
    std::vector<std::vector<std::int64_t>> here;
    bool exists = true;
    for (WorldSamples& w : placed.worlds) {
      const auto world = grids.world(w.world.ranks, grid);
      exists = exists && world;
      if (world) w.world = *world;
      here.push_back(w.world.extents);
    }
    const auto target = grids.target(ranks, grid);
    if (!exists || !target) continue;
    infer::Table table = infer::make_table(placed, target);
    if (has_absence) absent_at = holds_at_probes(absent.expression, table);
    here.push_back(target->extents);
    const bool is_tried = !unwanted.grid || unwanted.grid == grid;
    if (!is_tried || !extents.insert(std::move(here)).second) continue;
    out.push_back({grid, grid && grids.seen.contains(*grid), std::move(table), {}});
  }
  const bool is_wanted = std::ranges::count(absent_at, false) != 0;
  for (Placed& placed : out) {
    std::vector<bool> dropped = holds_at_probes(unwanted.expression, placed.table);
    for (std::size_t i = 0; i < dropped.size() && is_wanted; ++i) {
      dropped[i] = dropped[i] || absent_at[i];
    }
    drop_probes(placed.table, dropped);
    placed.samples = samples_of(placed.table, of_rank);
  }
  return out;
}

// The distances of all neighbors in a grid of so many dimensions, modulo the number of ranks.
std::vector<solve::KnownLaw> distances_of_neighbors(std::size_t dimensions) {
  std::vector<Expr> distances{0};
  Expr stride = 1;
  for (std::size_t k = 0; k < dimensions; ++k) {
    const std::size_t without = distances.size();
    for (std::size_t i = 0; i < without; ++i) {
      distances.push_back(distances[i] + stride);
      distances.push_back(distances[i] - stride);
    }
    stride = stride * Expr::variable(expr::extent_name(k));
  }
  const auto cost = kStep + static_cast<std::uint32_t>(std::bit_width(distances.size()));
  const Expr ranks = Expr::variable(std::string(expr::kRanks));
  std::vector<solve::KnownLaw> out;
  for (const Expr& distance : std::span(distances).subspan(1)) {
    for (const Expr& law : {distance, ranks + distance}) {
      out.push_back({.law = expr::simplify(law), .cost = cost});
    }
  }
  return out;
}

// The laws on all grids. Short ones are sought on all of them before long ones on any, so that a
// long law on one is no reason to miss a short one on another.
class GridsSolver {
 public:
  // `bits`: what the values take to write down; `longest`: laws that are longer are not sought
  // [bits].
  GridsSolver(double bits, std::uint32_t longest, solve::Effort& effort)
      : bits_(bits), longest_(longest), effort_(effort) {}

  void run(const std::vector<Placed>& all) {
    // Of a short law all rivals are to be seen.
    const std::uint32_t short_ones = std::min(kShort + solve::kDoubt, longest_);
    for (const std::uint32_t longest : std::set<std::uint32_t>{short_ones, longest_}) {
      const bool is_last = longest == longest_;
      const std::size_t kept = is_last ? 0 : effort_.left() / 2;
      std::size_t untried = all.size();
      found_.clear();
      refused_.reset();
      for (const Placed& placed : all) {
        // What has a law on a grid that neighbors have shown needs no other.
        if (!placed.is_seen && has_sure_law()) break;
        // One grid may not take the time of all, unless neighbors have shown it.
        const std::size_t share = placed.is_seen ? 1 : untried;
        --untried;
        solve::PartOfEffort effort(effort_,
                                   is_last ? effort_.left() / share : (effort_.left() - kept) / 2);
        take(solve::solve(placed.samples, placed.vocabulary, *effort,
                          std::min(longest, longest_on(placed))),
             placed);
      }
      const auto cost = shortest();
      if (cost && *cost <= kShort) break;
    }
    std::ranges::stable_sort(found_, {}, &Found::cost);
  }

  // The shortest first.
  const std::vector<Found>& found() const { return found_; }
  const std::optional<NoLaw>& refused() const { return refused_; }

 private:
  bool has_sure_law() const {
    return std::ranges::any_of(
        found_, [](const Found& f) { return f.is_law && f.is_seen && f.cost <= kShort; });
  }

  std::optional<std::uint32_t> shortest() const {
    std::optional<std::uint32_t> out;
    for (const Found& f : found_) {
      if (f.is_law && (!out || f.cost < *out)) out = f.cost;
    }
    return out;
  }

  // A law that may be as short as those so far [bits].
  std::uint32_t longest_on(const Placed& placed) const {
    const auto so_far = shortest();
    if (!so_far) return longest_;
    const std::uint32_t longest = *so_far + solve::kDoubt;
    if (placed.is_seen) return longest + kSeen;
    return placed.grid ? longest - std::min(longest, kUnseen) : longest;
  }

  void take(const solve::Outcome& outcome, const Placed& placed) {
    if (outcome.law) {
      const bool is_confirmed = outcome.law->standing == solve::Standing::confirmed;
      // A grid that nothing else shows is no reason to doubt the largest run, unless the law is
      // far shorter than the samples.
      const bool has_grid = placed.grid && is_on_grid(outcome.law->expression);
      const bool is_far_shorter = bits_ >= 2.0 * outcome.law->cost;
      if (!is_confirmed && has_grid && !placed.is_seen && !is_far_shorter) return;
      add(*outcome.law, placed);
      // They agree where they were compared, and may differ on other ranks.
      for (const solve::Law& other : outcome.found) add(other, placed).is_law = false;
    } else if (outcome.refused == solve::Refused::rivals) {
      for (const solve::Law& law : outcome.found) add(law, placed).has_rival = true;
    } else {
      if (!refused_) refused_ = no_law(outcome);
      for (const solve::Law& law : outcome.found) {
        if (outcome.refused == solve::Refused::not_predicted) break;
        add(law, placed).is_law = false;
      }
    }
  }

  Found& add(const solve::Law& law, const Placed& placed) {
    const bool has_grid = placed.grid && is_on_grid(law.expression);
    // Some grid or other has the borders that a few ranks happen to be at.
    const bool is_guess = has_grid && !placed.is_seen &&
                          uses(law.expression, {expr::LeafKind::coordinate}) &&
                          bits_ < law.cost + solve::kOverwhelming;
    std::uint32_t cost = law.cost;
    if (has_grid) cost = placed.is_seen ? cost - std::min(cost, kSeen) : cost + kUnseen;
    found_.push_back(
        {{.expression = law.expression,
          .grid = has_grid ? placed.grid : std::nullopt,
          .of_rank = uses(law.expression, {expr::LeafKind::coordinate, expr::LeafKind::rank}),
          .standing = law.standing,
          .divisions = law.divisions,
          .borders = law.borders,
          .rounded = law.rounded},
         cost,
         infer::values_on_probes(law.expression, placed.table),
         false,
         !is_guess,
         has_grid && placed.is_seen});
    return found_.back();
  }

  double bits_;
  std::uint32_t longest_;
  solve::Effort& effort_;  // on all grids
  std::vector<Found> found_;
  std::optional<NoLaw> refused_;  // on the first grid
};

// "the grid that neighbors show (cube) does not exist for 100 ranks; it does for 125".
std::string describe_missing(const infer::GridRule& rule, std::int64_t ranks) {
  std::string out = "the grid that neighbors show (" + rule.describe() + ") does not exist for " +
                    std::to_string(ranks) + " ranks";
  for (std::int64_t n = ranks + 1; n < 4 * ranks; ++n) {
    if (rule.extents(n)) return out + "; it does for " + std::to_string(n);
  }
  return out;
}

// Where the law does not depend on loops, but the condition where it is not wanted does.
expr::Expr in_first_iterations(const expr::Expr& e) {
  std::vector<expr::Binding> first;
  for (const std::string& name : free_variables(e)) {
    const expr::LeafKind kind = expr::leaf_of(name).kind;
    if (kind == expr::LeafKind::index) first.push_back({name, expr::Expr(0)});
    if (kind == expr::LeafKind::trips) first.push_back({name, expr::Expr(1)});
  }
  return substitute(e, first);
}

}  // namespace

// The fewest ranks on which two laws without parameters differ.
std::optional<std::int64_t> LawSearch::telling_run(const NumberLaw& a, const NumberLaw& b,
                                                   const Samples& samples,
                                                   const NumberLaw& unwanted) const {
  constexpr std::int64_t kMost = 256;
  constexpr std::size_t kRows = 8;  // indices of loops that occur
  std::set<std::vector<std::int64_t>> rows;
  for (const WorldSamples& w : samples.worlds) {
    for (const infer::Sample& s : w.samples) {
      if (rows.size() < kRows) rows.insert(s.parameters);
    }
  }
  const auto is_input = [&](std::int64_t ranks) {
    return std::ranges::any_of(samples.worlds,
                               [&](const WorldSamples& w) { return w.world.ranks == ranks; });
  };
  for (std::int64_t n = 2; n <= kMost; ++n) {
    // On an input both fit the samples, and differ where there are none; the target is what is
    // asked.
    if (is_input(n) || n == ranks_) continue;
    for (const std::vector<std::int64_t>& row : rows) {
      std::vector<expr::Binding> at;
      for (std::size_t k = 0; k < row.size(); ++k) {
        at.push_back({samples.parameters[k], expr::Expr(row[k])});
      }
      const auto here = [&](NumberLaw law) {
        law.expression = in_first_iterations(substitute(law.expression, at));
        return law;
      };
      const auto of_a = wanted_values(here(a), here(unwanted), n);
      const auto of_b = wanted_values(here(b), here(unwanted), n);
      if (of_a && of_b && of_a != of_b) return n;
    }
  }
  return std::nullopt;
}

// A condition for each special value, and a law for the others. Conditions come first: at the
// border of a grid they show that there is one.
Inference<NumberLaw> LawSearch::solved_with_specials(const Samples& samples,
                                                     const std::set<std::int64_t>& specials,
                                                     solve::Effort& effort) {
  Samples others = samples;
  bool is_any = false;
  for (WorldSamples& w : others.worlds) {
    std::erase_if(w.samples, [&](const infer::Sample& s) { return trace::is_special(s.value); });
    is_any = is_any || !w.samples.empty();
  }
  JoinedLaw joined;
  std::vector<std::pair<expr::Expr, std::int64_t>> conditions;
  expr::Expr is_special = 0;
  for (const std::int64_t special : specials) {
    if (!is_any && special == *specials.rbegin()) break;
    Samples condition = samples;
    for (WorldSamples& w : condition.worlds) {
      for (infer::Sample& s : w.samples) s.value = s.value == special ? 1 : 0;
    }
    solve::PartOfEffort part(effort, effort.left() / 2);
    const auto when = solved(condition, *part, {.expression = 0});
    if (!when) return when;
    if (!joined.take(*when)) return NoLaw{.why = NoLaw::Why::grids};
    conditions.emplace_back(when->expression, special);
    is_special = conditions.size() == 1
                     ? when->expression
                     : expr::Expr::make(expr::Op::logical_or, is_special, when->expression);
  }
  expr::Expr law = expression_of(*specials.rbegin());
  if (is_any) {
    const auto rest = solved(others, effort, joined.finish(is_special));
    if (!rest) return rest;
    if (!joined.take(*rest)) return NoLaw{.why = NoLaw::Why::grids};
    law = rest->expression;
  }
  for (const auto& [condition, special] : conditions) {
    law = expr::Expr::conditional(condition, expression_of(special), law);
  }
  return joined.finish(law);
}

Inference<NumberLaw> LawSearch::solved(const Samples& all, solve::Effort& effort,
                                       const NumberLaw& unwanted) {
  Samples samples = all;
  std::erase_if(samples.worlds, [](const WorldSamples& w) { return w.samples.empty(); });
  if (samples.worlds.empty()) return NoLaw{.why = NoLaw::Why::no_samples};
  std::set<std::int64_t> values, specials;
  for (const WorldSamples& w : samples.worlds) {
    for (const infer::Sample& s : w.samples) {
      (trace::is_special(s.value) ? specials : values).insert(s.value);
    }
  }
  if (values.size() + specials.size() == 1) {
    return NumberLaw{.expression = values.empty() ? *specials.begin() : *values.begin()};
  }
  if (samples.worlds.size() < 2) {
    return NoLaw{.why = NoLaw::Why::one_run};
  }
  if (!specials.empty()) return solved_with_specials(samples, specials, effort);
  const Needed needed = drop_needless(samples);
  const auto trips = trips_of_needed(needed.samples, samples);
  Inference<NumberLaw> law = NoLaw{};
  {
    solve::PartOfEffort part(effort, trips.empty() ? effort.left() : effort.left() / 2);
    law = on_any_grid(needed, loops_of(samples), *part, unwanted);
  }
  if (law || law.error().why == NoLaw::Why::rivals || trips.empty()) return law;
  auto with_trips = on_any_grid(drop_needless(samples, trips), loops_of(samples), effort, unwanted);
  return with_trips ? std::move(with_trips) : std::move(law);
}

Inference<NumberLaw> LawSearch::on_any_grid(const Needed& leaves, std::size_t loops,
                                            solve::Effort& effort, const NumberLaw& unwanted) {
  const Samples& needed = leaves.samples;
  GridsSolver solver(std::min(bits_of_values(needed), bits_of_stretches(needed)), longest_, effort);
  std::vector<Placed> all = place(needed, leaves.rank, grids_, ranks_, unwanted, absent_);
  for (Placed& placed : all) {
    placed.vocabulary = found_.within(loops, placed.grid);
    if (!needed.are_distances || !placed.is_seen) continue;
    const std::size_t dimensions = grids_.rules[*placed.grid].dimensions;
    for (solve::KnownLaw& law : distances_of_neighbors(dimensions)) {
      placed.vocabulary.laws.push_back(std::move(law));
    }
  }
  solver.run(all);
  const std::vector<Found>& found = solver.found();
  const auto first = std::ranges::find(found, true, &Found::is_law);
  if (first == found.end()) {
    const auto missing = std::ranges::find_if(
        grids_.seen, [&](std::size_t grid) { return !grids_.target(ranks_, grid); });
    if (missing != grids_.seen.end()) {
      return NoLaw{.why = NoLaw::Why::no_grid_wanted,
                   .said = describe_missing(grids_.rules[*missing], ranks_)};
    }
    if (solver.refused()) return *solver.refused();
    if (found.empty()) return NoLaw{.why = NoLaw::Why::not_found};
    return NoLaw{.why = NoLaw::Why::unseen_grid, .found = {found.front().law.expression}};
  }
  const Found& best = *first;
  for (const Found& other : found) {
    if (&other == &best) continue;
    // What the solver has refused is refused, whatever a grid spares.
    const bool is_rival = best.has_rival && other.has_rival && best.law.grid == other.law.grid &&
                          !(best.law.expression == other.law.expression);
    if (!is_rival && other.cost > best.cost + solve::kDoubt) continue;
    const bool has_parameters = !needed.parameters.empty();
    const bool is_same = best.wanted == other.wanted &&
                         (has_parameters || same_at_target(best.law, other.law, unwanted));
    if (is_rival || !is_same) {
      return NoLaw{.why = NoLaw::Why::rivals,
                   .found = {best.law.expression, other.law.expression},
                   .ranks = telling_run(best.law, other.law, needed, unwanted)};
    }
  }
  if (best.law.grid && best.law.of_rank) see(*best.law.grid);
  return best.law;
}

}  // namespace reprise::extrapolate
