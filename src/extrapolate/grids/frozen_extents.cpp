#include "extrapolate/grids/frozen_extents.hpp"

#include <algorithm>
#include <cstdlib>

#include "expr/leaf.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;
using infer::GridRule;
using trace::Kind;
using Extents = std::vector<std::int64_t>;

// The extents of a rule on all inputs, and behind them those at the target; nothing if there are
// none somewhere.
std::optional<std::vector<Extents>> all_extents(const GridRule& rule,
                                                std::span<const std::int64_t> inputs,
                                                const std::optional<Extents>& wanted) {
  std::vector<Extents> out;
  for (const std::int64_t ranks : inputs) {
    auto extents = rule.extents(ranks);
    if (!extents) return std::nullopt;
    out.push_back(std::move(*extents));
  }
  if (!wanted) return std::nullopt;
  out.push_back(*wanted);
  return out;
}

// What a grid that is a line on an input says of an extent.
enum class Lines : std::uint8_t { count, say_nothing };

// The product of the extents from dimension `first` on, below `last`, if it is the same on all
// inputs and another at the target.
std::optional<std::int64_t> frozen(const std::vector<Extents>& all, std::size_t first,
                                   std::size_t last, Lines lines) {
  std::vector<std::int64_t> products;
  for (const Extents& e : all) {
    std::int64_t product = 1;
    for (std::size_t d = first; d < last; ++d) product *= e[d];
    products.push_back(product);
  }
  const std::int64_t here = *std::max_element(products.begin(), products.end() - 1);
  const bool same = std::all_of(products.begin(), products.end() - 1, [&](std::int64_t p) {
    return p == here || (p == 1 && lines == Lines::say_nothing);
  });
  if (!same || here < 2 || products.back() == here) return std::nullopt;
  return here;
}

std::string text_of(const Extents& extents) {
  std::string out;
  for (auto d = extents.rbegin(); d != extents.rend(); ++d) {
    out += (out.empty() ? "" : "x") + std::to_string(*d);
  }
  return out;
}

// Why the extents of a rule at the target, the last of `all`, are not known though they are on all
// inputs.
std::string why_unknown(const GridRule& rule, std::span<const std::int64_t> inputs,
                        const std::vector<Extents>& all, std::int64_t target) {
  using RuleKind = GridRule::Kind;
  const std::string on_target = " on " + std::to_string(target) + " ranks";
  if (rule.kind == RuleKind::fixed) {
    return "the grids of all inputs have the same extent " + std::to_string(rule.fixed_extent) +
           " along d" + std::to_string(rule.fixed_dimension) + ", and no rule gives it" +
           on_target + "; use --grid";
  }
  for (const RuleKind kind : {RuleKind::balanced, RuleKind::closest, RuleKind::greedy}) {
    GridRule other = rule;
    other.kind = kind;
    const auto rival = all_extents(other, inputs, other.extents(target));
    if (!rival || rival->back() == all.back()) continue;
    if (!std::equal(all.begin(), all.end() - 1, rival->begin())) continue;
    return text_of(all.back()) + " and " + text_of(rival->back()) + on_target +
           " both fit the grids of the inputs; use --grid, or add a run that decides";
  }
  return {};
}

// Whether the value follows the place of a rank or the number of ranks, other than by conditions.
bool is_place(const Expr& e) {
  if (e.is_variable()) {
    using expr::LeafKind;
    return uses(e, {LeafKind::rank, LeafKind::ranks, LeafKind::coordinate, LeafKind::extent});
  }
  switch (e.op()) {
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not: return false;
    default: return std::ranges::any_of(e.operands(), is_place);
  }
}

using Numbers = std::set<std::int64_t>;

std::optional<std::int64_t> number_in(const Expr& e, const Numbers& numbers) {
  if (!e.is_constant() || e.value() == INT64_MIN) return std::nullopt;
  const std::int64_t size = std::abs(e.value());
  return numbers.contains(size) ? std::optional(size) : std::nullopt;
}

// A number that is calculated with where the place of a rank is.
std::optional<std::int64_t> number_beside_place(const Expr& e, const Numbers& numbers) {
  const bool calculates = e.op() == Op::add || e.op() == Op::subtract || e.op() == Op::multiply ||
                          e.op() == Op::divide || e.op() == Op::modulo;
  if (calculates && std::ranges::any_of(e.operands(), is_place)) {
    for (const Expr& operand : e.operands()) {
      if (auto found = number_in(operand, numbers)) return found;
    }
  }
  // On an axis of two, of four, the last place has all bits.
  if (e.op() == Op::bit_xor && std::ranges::any_of(e.operands(), is_place)) {
    for (const Expr& operand : e.operands()) {
      if (!operand.is_constant() || operand.value() == INT64_MAX) continue;
      if (auto found = number_in(operand.value() + 1, numbers)) return found;
    }
  }
  for (const Expr& operand : e.operands()) {
    if (auto found = number_beside_place(operand, numbers)) return found;
  }
  return std::nullopt;
}

// A number anywhere.
std::optional<std::int64_t> number_anywhere(const Expr& e, const Numbers& numbers) {
  if (auto found = number_in(e, numbers)) return found;
  for (const Expr& operand : e.operands()) {
    if (auto found = number_anywhere(operand, numbers)) return found;
  }
  return std::nullopt;
}

// The laws of the numbers that a law has for values, not of how many there are of each.
void collect_values(const std::vector<TermLaw>& terms, std::vector<NumberLaw>& out) {
  for (const TermLaw& t : terms) {
    if (t.body.empty()) out.push_back(t.value);
    out.push_back(t.step);
    collect_values(t.body, out);
  }
}

void collect_values(const std::vector<trace::Term>& terms, std::vector<NumberLaw>& out) {
  for (const trace::Term& t : terms) {
    if (t.body.empty()) out.push_back({.expression = t.value});
    out.push_back({.expression = t.step});
    collect_values(t.body, out);
  }
}

std::vector<NumberLaw> values_of(const Law& law) {
  std::vector<NumberLaw> out;
  if (law.form == Law::Form::series) collect_values(law.series.terms(), out);
  if (law.form == Law::Form::terms) collect_values(law.terms, out);
  if (law.form == Law::Form::indexed) out.push_back(law.number);
  return out;
}

}  // namespace

FrozenExtents::FrozenExtents(std::span<const std::int64_t> inputs, std::int64_t target,
                             const Grids& grids)
    : target_(target) {
  using RuleKind = GridRule::Kind;
  for (const RuleKind kind : {RuleKind::power, RuleKind::balanced, RuleKind::closest}) {
    for (const std::size_t dimensions : {2, 3}) {
      for (const bool smallest_first : {true, false}) {
        const GridRule rule{
            .kind = kind, .dimensions = dimensions, .smallest_first = smallest_first};
        const bool given = grids.wanted.size() == dimensions;
        const auto all = all_extents(rule, inputs, given ? grids.wanted : rule.extents(target));
        if (!all) continue;
        const Lines lines = dimensions == 2 ? Lines::say_nothing : Lines::count;
        for (std::size_t d = 1; d < dimensions; ++d) {
          if (const auto n = frozen(*all, 0, d, lines)) strides_.insert(*n);
          if (const auto n = frozen(*all, d, dimensions, lines)) strides_.insert(*n);
        }
        for (std::size_t d = 0; d < dimensions && dimensions == 2; ++d) {
          if (const auto n = frozen(*all, d, d + 1, lines)) extents_.insert(*n);
        }
      }
    }
  }
  for (std::size_t g = 0; g < grids.rules.size(); ++g) {
    why_.emplace_back();
    why_of_offsets_.emplace_back();
    const auto world = grids.target(target, g);
    const auto all =
        all_extents(grids.rules[g], inputs, world ? std::optional(world->extents) : std::nullopt);
    if (!all) continue;
    if (grids.wanted.size() != grids.rules[g].dimensions) {
      why_.back() = why_unknown(grids.rules[g], inputs, *all, target);
    }
    for (std::size_t d = 0; d < grids.rules[g].dimensions; ++d) {
      const auto why = [&](std::int64_t n, std::string_view of_which = "") {
        return "the grids of all inputs" + std::string(of_which) + " have the same extent " +
               std::to_string(n) + " along d" + std::to_string(d) + ", which is " +
               std::to_string(all->back()[d]) + " on " + std::to_string(target) +
               " ranks; add a run on a grid that is wider there";
      };
      const bool line =
          std::all_of(all->begin(), all->end() - 1, [d](const Extents& e) { return e[d] == 1; });
      if (line && all->back()[d] != 1) why_.back() = why(1);
      if (const auto n = frozen(*all, d, d + 1, Lines::count)) why_.back() = why(*n);
      if (const auto n = frozen(*all, d, d + 1, Lines::say_nothing)) {
        why_of_offsets_.back() = why(*n, " that are not one rank wide");
      }
    }
  }
}

std::optional<std::string> FrozenExtents::doubt(const Law& law, Kind kind) const {
  const bool is_offset = law.encoding != trace::Encoding::absolute;
  for (const NumberLaw& n : values_of(law)) {
    if (auto why = doubt(n, kind, is_offset)) return why;
  }
  return std::nullopt;
}

std::optional<std::string> FrozenExtents::doubt(const NumberLaw& law, Kind kind,
                                                bool is_offset) const {
  if (law.grid) {
    const std::string& why =
        is_offset && why_[*law.grid].empty() ? why_of_offsets_[*law.grid] : why_[*law.grid];
    const bool on_grid = uses(law.expression, {expr::LeafKind::coordinate, expr::LeafKind::extent});
    if (on_grid && !why.empty()) return why;
  }
  std::optional<std::int64_t> number;
  if (kind == Kind::integer) number = number_anywhere(law.expression, extents_);
  if (is_offset) number = number_anywhere(law.expression, strides_);
  if (!number && (law.of_rank || is_offset)) number = number_beside_place(law.expression, strides_);
  if (!number) return std::nullopt;
  return std::to_string(*number) +
         " and the extent of a grid both fit the samples (a grid that is one rank wide cannot "
         "distinguish them), but the extent is different on " +
         std::to_string(target_) + " ranks; add a run on a grid of another width";
}

}  // namespace reprise::extrapolate
