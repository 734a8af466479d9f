#include "extrapolate/number_law.hpp"

#include <algorithm>
#include <set>

#include "expr/cost.hpp"
#include "expr/print.hpp"
#include "extrapolate/evidence.hpp"
#include "extrapolate/fit_table.hpp"
#include "extrapolate/joined_law.hpp"
#include "extrapolate/leaves.hpp"
#include "fit/exact.hpp"
#include "fit/families.hpp"
#include "infer/evaluator.hpp"
#include "solve/effort.hpp"
#include "trace/special.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using infer::Sample;
using infer::Samples;
using infer::Standing;
using infer::Table;
using infer::World;
using infer::WorldSamples;

constexpr std::uint32_t kUnseen = 8;    // what a grid costs that no neighbours have shown [bits]
constexpr std::uint32_t kShort = 48;    // a law [bits]
constexpr std::uint32_t kLong = 80;     // a law [bits]
constexpr std::uint32_t kPlainer = 24;  // a law without a grid is a rival of one with a grid [bits]
constexpr std::uint32_t kAlmostSure = 16;   // a law that is no longer has no rivals [bits]
constexpr std::size_t kPatience = 2;        // parameters without a law
constexpr unsigned kSimple = 5;             // nodes
constexpr std::uint32_t kHardlyLonger = 8;  // [bits]: two nodes
constexpr std::int64_t kCompared = 64;      // ranks of the target
constexpr double kOverwhelming = 32;        // [bits] that a law is shorter than the samples

std::string key_of(const Samples& samples) {
  std::string key;
  const auto put = [&key](std::int64_t v) {
    key.append(reinterpret_cast<const char*>(&v), sizeof(v));
  };
  for (const std::string& p : samples.parameters) key += p + ",";
  for (const WorldSamples& w : samples.worlds) {
    put(w.world.ranks);
    for (const Sample& s : w.samples) {
      put(s.rank);
      put(s.value);
      for (const std::int64_t v : s.parameters) put(v);
    }
    key += "|";
  }
  return key;
}

bool is_constant(const Samples& samples) {
  const std::int64_t first = samples.worlds.front().samples.front().value;
  return std::ranges::all_of(samples.worlds, [&](const WorldSamples& w) {
    return std::ranges::all_of(w.samples, [&](const Sample& s) { return s.value == first; });
  });
}

bool has_values(const Samples& samples, bool (*which)(std::int64_t)) {
  return std::ranges::any_of(samples.worlds, [&](const WorldSamples& w) {
    return std::ranges::any_of(w.samples, [&](const Sample& s) { return which(s.value); });
  });
}

bool uses_grid(const Expr& law) {
  const auto used = free_variables(law);
  return std::ranges::any_of(used, [](const std::string& v) { return v[0] == 'x' || v[0] == 'd'; });
}

void collect_numbers(const Expr& law, std::set<std::int64_t>& out) {
  if (law.is_constant()) out.insert(law.value());
  for (const Expr& operand : law.operands()) collect_numbers(operand, out);
}

Error contradicted(const Expr& law) {
  return Error{"'" + print(law) +
               "' explains the samples, but is not found without the largest run"};
}

Result<infer::Law> infer_law(const Samples& samples, const infer::Options& options) {
  return all_zero_or_one(samples) ? infer::infer_ranks(samples, options)
                                  : infer::infer_value(samples, options);
}

Samples without_world(Samples samples, std::size_t world) {
  samples.worlds.erase(samples.worlds.begin() + static_cast<std::ptrdiff_t>(world));
  return samples;
}

// Whether the laws that are found without any one of the runs but the largest predict it. Without
// the largest the others may be too much alike, as where an extent is the same in all of them.
bool predicts_others(const Samples& samples, const infer::Options& options) {
  for (std::size_t left_out = 0; left_out + 1 < samples.worlds.size(); ++left_out) {
    const auto law = infer_law(without_world(samples, left_out), options);
    if (!law || !infer::explains(law->expression, infer::make_table(samples))) return false;
  }
  return true;
}

// Whether the law of all runs is as short as any that is found without one of them. Fewer runs then
// leave several to choose from, which is no contradiction, and the one that is left out chooses it.
// It must be far shorter than the samples.
bool is_shortest_throughout(const Samples& samples, const Expr& law) {
  const std::uint32_t cost = expr::cost_of(law);
  if (bits_of_values(samples) < cost + kOverwhelming) return false;
  for (std::size_t left_out = 0; left_out < samples.worlds.size(); ++left_out) {
    const auto other = infer_law(without_world(samples, left_out), {});
    if (!other || cost > expr::cost_of(other->expression) + kHardlyLonger) {
      return false;
    }
  }
  return true;
}

}  // namespace

Error untold(const Expr& one, const Expr& other) {
  return Error{"the samples do not tell '" + print(one) + "' from '" + print(other) + "'"};
}

bool tells_several(const Error& error) {
  return error.message.find(" do not tell ") != std::string::npos;
}

bool all_zero_or_one(const Samples& samples) {
  return !has_values(samples, [](std::int64_t v) { return v != 0 && v != 1; });
}

std::vector<std::optional<std::size_t>> Grids::in_order() const {
  std::vector<std::optional<std::size_t>> out(seen.begin(), seen.end());
  out.push_back(std::nullopt);
  for (std::size_t g = 0; g < rules.size(); ++g) {
    if (!seen.contains(g)) out.push_back(g);
  }
  return out;
}

std::optional<World> Grids::world(std::int64_t ranks, std::optional<std::size_t> grid) const {
  if (!grid) return World{ranks, {}};
  auto extents = rules[*grid].extents(ranks);
  if (!extents) return std::nullopt;
  return World{ranks, std::move(*extents)};
}

std::optional<World> Grids::target(std::int64_t ranks, std::optional<std::size_t> grid) const {
  if (grid && wanted.size() == rules[*grid].dimensions) return World{ranks, wanted};
  return world(ranks, grid);
}

std::uint32_t LawSearch::cost_on(std::optional<std::size_t> grid, const Expr& law) const {
  return expr::cost_of(law) + (grid && !grids_.seen.contains(*grid) ? kUnseen : 0);
}

Result<NumberLaw> LawSearch::find(const Samples& given) {
  const Samples samples = problem_.add_to(given);
  const std::string key = key_of(samples);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  is_cut_off_ = false;
  auto sought = by_either(samples, solve::kFewSteps);
  if (!sought && is_cut_off_ && !tells_several(sought.error())) {
    if (auto other = solved(samples, solve::kMostSteps)) sought = std::move(other);
  }
  const Result<NumberLaw>& law = known_.emplace(key, std::move(sought)).first->second;
  if (law) collect_numbers(law->expression, *numbers_);
  const auto same = [&](const NumberLaw& c) { return c.expression == law->expression; };
  if (law && law->of_rank && given.parameters.empty() && all_zero_or_one(samples) &&
      std::ranges::none_of(conditions_, same)) {
    conditions_.push_back(*law);
  }
  if (law && law->grid && law->of_rank && uses_grid(law->expression)) see(*law->grid);
  return law;
}

// What the solver does not tell apart no other search tells, unless its law is clearly shorter.
Result<NumberLaw> LawSearch::by_either(const Samples& samples, std::size_t steps) {
  untold_.reset();
  auto law = solved(samples, steps);
  if (law || (tells_several(law.error()) && !untold_)) return law;
  const auto untold = untold_;
  auto other = search(samples);
  if (other) {
    Samples placed = samples;
    for (WorldSamples& w : placed.worlds) {
      if (auto world = grids_.world(w.world.ranks, other->grid)) w.world = std::move(*world);
    }
    if (!is_clear_of_runs(placed, other->expression)) {
      other = Error{"'" + print(other->expression) +
                    "' explains the samples, but is no shorter than they are"};
    }
  }
  if (!untold) return other;
  const bool is_shorter = other && expr::cost_of(other->expression) + fit::kDoubt < *untold;
  return is_shorter ? std::move(other) : std::move(law);
}

bool LawSearch::same_at_target(const NumberLaw& a, const NumberLaw& b) const {
  if (!same_on(a, b, ranks_)) return false;
  if (sizes_ == Sizes::target) return true;
  for (std::int64_t n = 2; n < std::min(ranks_, kCompared); ++n) {
    if (!same_on(a, b, n)) return false;
  }
  return true;
}

std::optional<std::vector<std::int64_t>> LawSearch::values_on(const NumberLaw& law,
                                                              std::int64_t ranks) const {
  const std::int64_t step = ranks / kCompared + 1;
  const auto world = grids_.target(ranks, law.grid);
  if (!world) return std::nullopt;
  const Expr here = substitute(law.expression, problem_.bindings_wanted());
  auto evaluator = infer::Evaluator::make(here, world->extents.size());
  std::vector<std::int64_t> out;
  for (std::int64_t r = 0; evaluator && r < ranks; r += step) {
    const auto v = evaluator->at(r, *world);
    if (!v) return std::nullopt;
    out.push_back(*v);
  }
  return out;
}

bool LawSearch::same_on(const NumberLaw& a, const NumberLaw& b, std::int64_t ranks) const {
  const auto of_a = values_on(a, ranks);
  return of_a && of_a == values_on(b, ranks);
}

bool LawSearch::is_untold(const std::optional<NumberLaw>& law, const NumberLaw& other) const {
  if (!law || same_at_target(*law, other)) return false;
  const std::int64_t longer = std::int64_t{expr::cost_of(other.expression)} -
                              std::int64_t{cost_on(law->grid, law->expression)};
  const bool is_plainer = law->grid && !other.grid;
  return -std::int64_t{fit::kDoubt} <= longer && longer <= (is_plainer ? kPlainer : fit::kDoubt);
}

void LawSearch::forget_failures() {
  std::erase_if(known_, [](const auto& entry) { return !entry.second; });
  refused_ = 0;
}

Result<NumberLaw> LawSearch::search(const Samples& samples) const {
  auto law = search_undivided(samples);
  if (law || tells_several(law.error())) return law;
  if (auto product = multiplied(samples)) return std::move(*product);
  return law;
}

Result<NumberLaw> LawSearch::search_undivided(const Samples& all) const {
  Samples samples = all;
  std::erase_if(samples.worlds, [](const WorldSamples& w) { return w.samples.empty(); });
  if (samples.worlds.empty()) return Error{"there are no samples"};
  if (is_constant(samples)) {
    return NumberLaw{.expression = samples.worlds.front().samples.front().value};
  }
  if (samples.worlds.size() < 2) {
    return Error{"only one run has it, and there it is no constant; add a run"};
  }
  const auto unusual = [](std::int64_t v) { return trace::is_special(v) && v != trace::kProcNull; };
  return has_values(samples, unusual) ? with_specials(samples) : without_specials(samples);
}

Result<NumberLaw> LawSearch::without_specials(const Samples& samples) const {
  const Needed needed = drop_needless(samples);
  const bool specials = has_values(samples, trace::is_special);
  Result<NumberLaw> law = Error{"no law explains the samples"};
  if (!needed.rank && !specials) {
    Sought sought = fit_ranks_alone(needed.samples);
    if (sought.law || sought.several) return sought.law;
    law = std::move(sought.law);
  }
  // What takes a detour is tried before the rank makes the search long.
  if (auto cut = blocks(needed.samples)) return *cut ? plainer_than(**cut, needed.samples) : *cut;
  for (const auto detour : {&LawSearch::by_place_in_list, &LawSearch::where_not_zero,
                            &LawSearch::shortest_by_case, &LawSearch::rotated}) {
    if (auto found = (this->*detour)(needed.samples)) return *found;
  }
  if (auto found = nested(samples)) return *found;
  if (!needed.rank && !specials) {
    auto alone = enumerate_ranks_alone(needed.samples);
    if (alone) return alone;
    const auto share = share_of_ranks(needed.samples);
    if (share && *share) return *share;
    if (auto down = counted_down(samples)) return *down;
    return share ? *share : alone;
  }
  if (auto sum = sum_of_conditions(needed.samples)) return shorter_of(needed.samples, *sum);
  // A short law is taken as it comes; a long one only if no other grid has a shorter one. Grids
  // that nothing shows are tried where those that were seen have no law, not even a doubtful one.
  std::optional<NumberLaw> best;
  bool is_contradicted = false;
  for (const std::optional<std::size_t> grid : grids_.in_order()) {
    const bool is_guess = grid && !grids_.seen.contains(*grid);
    const bool is_told = best && best->grid && grids_.seen.contains(*best->grid);
    if (is_guess && (is_told || is_contradicted)) break;
    auto found = on_grid(needed.samples, grid);
    if (found && found->standing == Standing::contradicted) {
      is_contradicted = is_contradicted || (grid && !is_guess);
      found = contradicted(found->expression);
    }
    if (found && is_guess &&
        bits_of_values(needed.samples) < expr::cost_of(found->expression) + kOverwhelming) {
      continue;
    }
    if (found &&
        (!best || cost_on(grid, found->expression) < cost_on(best->grid, best->expression))) {
      best = *found;
    }
    if (best && cost_on(best->grid, best->expression) <= kShort) break;
    // The first grid that was tried is the likeliest, and so is what speaks against it.
    if (!found && grid == grids_.in_order().front()) law = std::move(found);
  }
  // Long laws of an index are often short ones of what is still to come.
  if (!best || cost_on(best->grid, best->expression) > kShort) {
    const auto down = counted_down(samples);
    if (down && (!best || expr::cost_of(down->expression) < expr::cost_of(best->expression))) {
      return *down;
    }
  }
  const auto is_long = [&] { return !best || cost_on(best->grid, best->expression) > kShort; };
  const auto take = [&](const NumberLaw& other) {
    if (!best || expr::cost_of(other.expression) < expr::cost_of(best->expression)) best = other;
  };
  if (!best || cost_on(best->grid, best->expression) > kAlmostSure) {
    const auto apart = stretches(needed.samples);
    if (apart && !*apart && is_long()) return *apart;
    // Who is at the border of a grid that neighbours have shown is told by that.
    const bool is_border =
        best && best->grid && grids_.seen.contains(*best->grid) && all_zero_or_one(needed.samples);
    if (apart && *apart && !is_border && is_untold(best, **apart)) {
      return untold(best->expression, (*apart)->expression);
    }
    if (apart && *apart) take(**apart);
  }
  if (is_long()) {
    const auto periodic = every_mth(needed.samples);
    if (periodic && periodic->standing != Standing::contradicted) take(*periodic);
  }
  if (best) return *best;
  if (auto counted = with_a_constant(needed.samples)) return *counted;
  return law;
}

// A condition for each special value, and a law for the others.
Result<NumberLaw> LawSearch::with_specials(const Samples& samples) const {
  std::set<std::int64_t> specials;
  Samples others = samples;
  for (WorldSamples& w : others.worlds) {
    std::erase_if(w.samples, [&](const Sample& s) {
      if (trace::is_special(s.value)) specials.insert(s.value);
      return trace::is_special(s.value);
    });
  }
  JoinedLaw joined;
  std::optional<Expr> law;
  if (has_values(others, [](std::int64_t) { return true; })) {
    const auto rest = search(others);
    if (!rest) return rest;
    joined.take(*rest);
    law = rest->expression;
  }
  for (const std::int64_t special : specials) {
    if (!law) {
      law = special;
      continue;
    }
    Samples condition = samples;
    for (WorldSamples& w : condition.worlds) {
      for (Sample& s : w.samples) s.value = s.value == special ? 1 : 0;
    }
    const auto when = search(condition);
    if (!when) return when;
    if (!joined.take(*when)) return Error{"its parts follow different grids"};
    law = Expr::conditional(when->expression, Expr(special), *law);
  }
  return joined.finish(*law);
}

// Starts of blocks are multiples of a quotient, too, where the last ones are left out.
Result<NumberLaw> LawSearch::plainer_than(NumberLaw law, const Samples& samples) const {
  const Table table = infer::make_table(samples, World{ranks_, {}});
  const auto fitted = fit_table(table);
  if (fitted.verdict != fit::Verdict::determined) return law;
  const auto values = infer::values_on_probes(law.expression, table);
  if (infer::values_on_probes(fitted.law, table) == values) return law;
  const bool is_plainer = fitted.cost + fit::kDoubt < expr::cost_of(law.expression);
  if (!is_plainer) return untold(law.expression, fitted.law);
  return NumberLaw{.expression = fitted.law, .of_rank = true};
}

NumberLaw LawSearch::shorter_of(const Samples& samples, NumberLaw law) const {
  auto plain = on_grid(samples, std::nullopt);
  const bool is_shorter = plain && plain->standing == Standing::confirmed &&
                          expr::cost_of(plain->expression) < expr::cost_of(law.expression);
  return is_shorter ? std::move(*plain) : law;
}

Result<NumberLaw> LawSearch::on_grid(const Samples& samples,
                                     std::optional<std::size_t> grid) const {
  Samples placed = samples;
  for (WorldSamples& w : placed.worlds) {
    const auto world = grids_.world(w.world.ranks, grid);
    if (!world) return Error{"there is no grid of " + std::to_string(w.world.ranks) + " ranks"};
    w.world = *world;
  }
  const auto target = grids_.target(ranks_, grid);
  if (!target) {
    return Error{"the grid (" + grids_.rules[*grid].describe() + ") does not exist for " +
                 std::to_string(ranks_) + " ranks"};
  }
  infer::Options options{.target = target};
  if (refused_ >= kPatience) options.largest = kSimple;
  const auto found = infer_law(placed, options);
  // What is long may be put together by chance to say what it was found from.
  if (found && expr::cost_of(found->expression) > kLong &&
      !is_shorter(samples, found->expression)) {
    return Error{"'" + print(found->expression) +
                 "' explains the samples, but is no shorter than they are"};
  }
  if (found && found->standing != Standing::contradicted) {
    return NumberLaw{found->expression, grid, true, found->standing};
  }
  if (found && is_evidence(samples, found->expression) &&
      (predicts_others(placed, options) || is_shortest_throughout(placed, found->expression))) {
    return NumberLaw{found->expression, grid, true, Standing::explains};
  }
  if (!has_values(placed, trace::is_special)) {
    const auto fitted = fit_table(infer::make_table(placed, target));
    if (fitted.verdict == fit::Verdict::determined) {
      return NumberLaw{fitted.law, grid, true, Standing::confirmed};
    }
  }
  if (!found) return found.error();
  return NumberLaw{found->expression, grid, true, Standing::contradicted};
}

}  // namespace reprise::extrapolate
