#include "extrapolate/laws/number_law.hpp"

#include <algorithm>
#include <set>

#include "expr/cost.hpp"
#include "expr/leaf.hpp"
#include "expr/print.hpp"
#include "infer/evaluator.hpp"
#include "solve/effort.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using infer::Sample;
using infer::Samples;
using infer::World;
using infer::WorldSamples;

constexpr std::int64_t kCompared = 64;  // ranks of the target
// Laws that others may repeat: shorter ones are found as soon, and of more each would be one of too
// many.
constexpr std::uint32_t kLong = 32;  // [bits]
constexpr std::size_t kMostRepeated = 256;

std::string key_of(const Samples& samples) {
  std::string key;
  const auto put = [&key](std::int64_t v) {
    key.append(reinterpret_cast<const char*>(&v), sizeof(v));
  };
  for (const std::string& p : samples.parameters) key += p + ",";
  if (samples.are_distances) key += "distances";
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

void collect_numbers(const Expr& law, std::set<std::int64_t>& out) {
  if (law.is_constant()) out.insert(law.value());
  for (const Expr& operand : law.operands()) collect_numbers(operand, out);
}

bool is_comparison(const Expr& e) {
  using expr::Op;
  switch (e.op()) {
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal: return true;
    default: return false;
  }
}

void collect_conditions(const Expr& law, std::vector<Expr>& out) {
  if (is_comparison(law)) out.push_back(law);
  for (const Expr& operand : law.operands()) collect_conditions(operand, out);
}

// Constants that are shared out: those that a number of ranks divides.
void collect_things(const Expr& law, std::set<std::int64_t>& out) {
  if (law.op() == expr::Op::divide) {
    const Expr &things = law.operands()[0], &ranks = law.operands()[1];
    const bool is_shared = uses(ranks, {expr::LeafKind::ranks, expr::LeafKind::extent});
    if (things.is_constant() && things.value() > 1 && is_shared) out.insert(things.value());
  }
  for (const Expr& operand : law.operands()) collect_things(operand, out);
}

// Coordinates that move with the index of a sum: those of the cells of a multi-partition.
void collect_moves(const Expr& law, const std::string& index, std::vector<Expr>& out) {
  if (law.op() == expr::Op::sum) {
    const std::string& own = law.operands()[0].name();
    return collect_moves(law.operands()[2], own, out);
  }
  const bool moves = law.op() == expr::Op::modulo && free_variables(law).contains(index);
  if (moves && std::ranges::find(out, law) == out.end()) out.push_back(law);
  for (const Expr& operand : law.operands()) collect_moves(operand, index, out);
}

// Within `loops` loops what was found within `within`, of the same innermost loops; nothing if it
// is of more of them.
std::optional<Expr> of_innermost(const Expr& law, std::size_t within, std::size_t loops) {
  for (const std::string& name : free_variables(law)) {
    const expr::Leaf leaf = expr::leaf_of(name);
    const bool is_of_loop =
        leaf.kind == expr::LeafKind::index || leaf.kind == expr::LeafKind::trips;
    if (is_of_loop && leaf.number + loops < within) return std::nullopt;
  }
  std::vector<expr::Binding> renamed;
  for (std::size_t k = 1; k <= std::min(loops, within); ++k) {
    renamed.push_back({expr::index_name(within - k), Expr::variable(expr::index_name(loops - k))});
    renamed.push_back({expr::trips_name(within - k), Expr::variable(expr::trips_name(loops - k))});
  }
  return substitute(law, renamed);
}

}  // namespace

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

std::size_t loops_of(const Samples& samples) {
  std::size_t n = 0;
  while (std::ranges::count(samples.parameters, expr::index_name(n)) != 0) ++n;
  return n;
}

void FoundLaws::add(const NumberLaw& law, std::size_t loops) {
  collect_numbers(law.expression, numbers_);
  if (law.standing == solve::Standing::confirmed) {
    divisions_ |= law.divisions;
    collect_things(law.expression, things_);
    collect_moves(law.expression, {}, moves_);
  }
  // Others are sought where these explain nothing: they need not be certain.
  borders_ = static_cast<solve::BorderSet>(borders_ | law.borders);
  const auto add_to = [&](std::vector<Found>& all, const Expr& e) {
    const bool is_known = std::ranges::any_of(all, [&](const Found& f) {
      return f.loops == loops && f.grid == law.grid && f.known.law == e;
    });
    if (!is_known && all.size() < kMostRepeated) {
      all.push_back({{e, law.standing}, law.grid, loops});
    }
  };
  if (expr::cost_of(law.expression) >= kLong) add_to(laws_, law.expression);
  std::vector<Expr> conditions;
  collect_conditions(law.expression, conditions);
  for (const Expr& c : conditions) add_to(conditions_, c);
}

solve::Vocabulary FoundLaws::within(std::size_t loops, std::optional<std::size_t> grid) const {
  solve::Vocabulary out{.numbers = numbers_,
                        .things = things_,
                        .divisions = divisions_,
                        .borders = borders_,
                        .moves = moves_};
  const auto is_elsewhere = [&](const Found& f) { return f.grid && f.grid != grid; };
  for (const Found& f : laws_) {
    if (is_elsewhere(f)) continue;
    const auto& [law, standing, cost] = f.known;
    out.laws.push_back(f.known);
    // What a list has for each rank is what that rank has.
    if (uses(law, {expr::LeafKind::rank})) {
      const expr::Binding element{std::string(expr::kRank), Expr::variable(expr::kElement)};
      out.laws.push_back({substitute(law, std::span(&element, 1)), standing, cost});
    }
    const auto inner = of_innermost(law, f.loops, loops);
    if (loops != f.loops && inner) out.laws.push_back({*inner, standing, cost});
  }
  for (const Found& f : conditions_) {
    if (is_elsewhere(f)) continue;
    out.conditions.push_back(f.known.law);
    const auto inner = of_innermost(f.known.law, f.loops, loops);
    if (loops != f.loops && inner) out.conditions.push_back(*inner);
  }
  return out;
}

Inference<NumberLaw> LawSearch::find(const Samples& given) {
  const Samples samples = problem_.add_to(given);
  const std::string key = key_of(samples) + print(absent_.expression);
  const auto found = known_.find(key);
  if (found != known_.end() && (found->second.law || found->second.longest >= longest_)) {
    return found->second.law;
  }
  const std::size_t most = vain_.is_over() ? solve::kMostStepsOfLate : solve::kMostSteps;
  solve::Effort effort(most);
  const Inference<NumberLaw>& law =
      known_.insert_or_assign(key, Known{solved(samples, effort, {.expression = 0}), longest_})
          .first->second.law;
  if (law) found_.add(*law, loops_of(samples));
  if (!law) vain_.take(most - effort.left());
  if (law && law->grid && law->of_rank &&
      uses(law->expression, {expr::LeafKind::coordinate, expr::LeafKind::extent}))
    see(*law->grid);
  return law;
}

bool LawSearch::same_at_target(const NumberLaw& a, const NumberLaw& b,
                               const NumberLaw& unwanted) const {
  const auto is_same_on = [&](std::int64_t ranks) {
    return wanted_values(a, unwanted, ranks) == wanted_values(b, unwanted, ranks);
  };
  if (!is_same_on(ranks_)) return false;
  if (sizes_ == Sizes::target) return true;
  for (std::int64_t n = 2; n < std::min(ranks_, kCompared); ++n) {
    if (!is_same_on(n)) return false;
  }
  return true;
}

std::optional<LawSearch::Values> LawSearch::values_on(const NumberLaw& law,
                                                      std::int64_t ranks) const {
  const std::int64_t step = ranks / kCompared + 1;
  const auto world = grids_.target(ranks, law.grid);
  if (!world) return std::nullopt;
  const Expr here = substitute(law.expression, problem_.bindings_wanted());
  auto evaluator = infer::Evaluator::make(here, world->extents.size());
  Values out;
  for (std::int64_t r = 0; evaluator && r < ranks; r += step) {
    out.push_back(evaluator->at(r, *world));
  }
  return out;
}

std::optional<LawSearch::Values> LawSearch::wanted_values(const NumberLaw& law,
                                                          const NumberLaw& unwanted,
                                                          std::int64_t ranks) const {
  auto out = values_on(law, ranks);
  if (!out) return out;
  for (const NumberLaw* nowhere : {&unwanted, &absent_}) {
    const auto mask = values_on(*nowhere, ranks);
    // A condition over loops has no value without them.
    for (std::size_t i = 0; mask && i < std::min(mask->size(), out->size()); ++i) {
      if ((*mask)[i].value_or(0) != 0) (*out)[i] = std::nullopt;
    }
  }
  return out;
}

void LawSearch::forget_failures() {
  std::erase_if(known_, [](const auto& entry) { return !entry.second.law; });
}

}  // namespace reprise::extrapolate
