#include "extrapolate/grids/frozen_extents.hpp"

#include <algorithm>
#include <cstdlib>

#include "expr/leaf.hpp"
#include "infer/evaluator.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;
using infer::GridRule;
using trace::Kind;
using Extents = std::vector<std::int64_t>;

constexpr std::uint32_t kMostOccurrences = 6;  // all ways to replace them are tried, 63
// Of the inputs on which laws are compared, and of the ranks on each: scalable traces may name any
// number of ranks, and a few lines decide as well as many.
constexpr std::size_t kMostLines = 16;
constexpr std::int64_t kMostRanksOfLine = 1024;

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

// The product of the extents of dimensions [first, last) on each input, and behind them that at the
// target.
std::vector<std::int64_t> products(const std::vector<Extents>& all, std::size_t first,
                                   std::size_t last) {
  std::vector<std::int64_t> out;
  for (const Extents& e : all) {
    std::int64_t product = 1;
    for (std::size_t d = first; d < last; ++d) product *= e[d];
    out.push_back(product);
  }
  return out;
}

// A product if it is the same on all inputs and another at the target.
std::optional<std::int64_t> frozen(const std::vector<std::int64_t>& products, Lines lines) {
  const std::int64_t here = *std::max_element(products.begin(), products.end() - 1);
  const bool same = std::all_of(products.begin(), products.end() - 1, [&](std::int64_t p) {
    return p == here || (p == 1 && lines == Lines::say_nothing);
  });
  if (!same || here < 2 || products.back() == here) return std::nullopt;
  return here;
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
    return infer::extents_text(all.back()) + " and " + infer::extents_text(rival->back()) +
           on_target + " both fit the grids of the inputs; use --grid, or add a run that decides";
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

// The occurrences of a number in a law, in order, that may be a width instead.
class Occurrences {
 public:
  // `anywhere`: also those that are not calculated with the place of a rank.
  Occurrences(std::int64_t number, bool anywhere) : number_(number), anywhere_(anywhere) {}

  std::uint32_t count(const Expr& law) {
    replace(law, 0, number_);
    return next_;
  }

  // The law with `width` for each occurrence whose bit in `which` is set.
  Expr replace(const Expr& law, std::uint32_t which, std::int64_t width) {
    next_ = 0;
    which_ = which;
    width_ = width;
    return replaced(law, anywhere_);
  }

 private:
  // `here`: whether the number itself is an occurrence.
  Expr replaced(const Expr& e, bool here) {
    for (const std::int64_t sign : {1, -1}) {
      if (here && e.is_constant(sign * number_)) return is_next() ? Expr(sign * width_) : e;
    }
    const bool has_place = std::ranges::any_of(e.operands(), is_place);
    const bool calculates = e.op() == Op::add || e.op() == Op::subtract || e.op() == Op::multiply ||
                            e.op() == Op::divide || e.op() == Op::modulo;
    std::vector<Expr> operands;
    for (const Expr& operand : e.operands()) {
      // On an axis of two, of four, the last place has all bits.
      if (e.op() == Op::bit_xor && has_place && operand.is_constant(number_ - 1)) {
        operands.push_back(is_next() ? Expr(width_ - 1) : operand);
      } else {
        operands.push_back(replaced(operand, anywhere_ || (calculates && has_place)));
      }
    }
    return operands.empty() ? e : Expr::make(e.op(), operands);
  }

  // Whether the next occurrence is to be replaced.
  bool is_next() {
    const bool wanted = next_ < kMostReplaced && (which_ >> next_ & 1) != 0;
    ++next_;
    return wanted;
  }

  static constexpr std::uint32_t kMostReplaced = 32;  // bits of which_

  std::int64_t number_;
  bool anywhere_;
  std::uint32_t which_ = 0, next_ = 0;
  std::int64_t width_ = 0;
};

// The value in the first iteration of the loops around.
Expr in_first_iteration(const Expr& e) {
  std::vector<expr::Binding> first;
  for (const std::string& name : free_variables(e)) {
    if (expr::leaf_of(name).kind == expr::LeafKind::index) first.push_back({name, Expr(0)});
  }
  return substitute(e, first);
}

// The law of a number that a law has for values.
struct ValueLaw {
  NumberLaw number;
  bool is_first = false;  // whether the first execution has it; later ones may be missing on lines
};

// The laws of the numbers that a law has for values, not of how many there are of each.
// `is_first`: whether the first term is that of the first execution.
void collect_values(const std::vector<TermLaw>& terms, bool is_first, std::vector<ValueLaw>& out) {
  for (const TermLaw& t : terms) {
    if (t.body.empty()) out.push_back({t.value, is_first});
    out.push_back({t.step, false});
    collect_values(t.body, is_first, out);
    is_first = false;
  }
}

void collect_values(const std::vector<trace::Term>& terms, bool is_first,
                    std::vector<ValueLaw>& out) {
  for (const trace::Term& t : terms) {
    if (t.body.empty()) out.push_back({{.expression = t.value}, is_first});
    out.push_back({{.expression = t.step}, false});
    collect_values(t.body, is_first, out);
    is_first = false;
  }
}

std::vector<ValueLaw> values_of(const Law& law) {
  std::vector<ValueLaw> out;
  if (law.form == Law::Form::series) collect_values(law.series.terms(), true, out);
  if (law.form == Law::Form::terms) collect_values(law.terms, true, out);
  if (law.form == Law::Form::indexed) out.push_back({law.number, true});
  return out;
}

}  // namespace

FrozenExtents::FrozenExtents(std::span<const std::int64_t> inputs, std::int64_t target,
                             const Grids& grids)
    : target_(target), grids_(grids) {
  using RuleKind = GridRule::Kind;
  for (const RuleKind kind : {RuleKind::power, RuleKind::balanced, RuleKind::closest}) {
    for (const std::size_t dimensions : {2, 3}) {
      for (const bool smallest_first : {true, false}) {
        const GridRule rule{
            .kind = kind, .dimensions = dimensions, .smallest_first = smallest_first};
        const bool given = grids.wanted.size() == dimensions;
        const auto all = all_extents(rule, inputs, given ? grids.wanted : rule.extents(target));
        if (!all) continue;
        const bool lines_say_nothing = dimensions == 2;
        for (std::size_t d = 1; d < dimensions; ++d) {
          add_width(inputs, products(*all, 0, d), lines_say_nothing, strides_);
          add_width(inputs, products(*all, d, dimensions), lines_say_nothing, strides_);
        }
        for (std::size_t d = 0; d < dimensions && dimensions == 2; ++d) {
          add_width(inputs, products(*all, d, d + 1), lines_say_nothing, extents_);
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
      if (const auto n = frozen(products(*all, d, d + 1), Lines::count)) why_.back() = why(*n);
      if (const auto n = frozen(products(*all, d, d + 1), Lines::say_nothing)) {
        why_of_offsets_.back() = why(*n, " that are not one rank wide");
      }
    }
  }
}

void FrozenExtents::add_width(std::span<const std::int64_t> inputs,
                              const std::vector<std::int64_t>& products, bool lines_say_nothing,
                              Widths& out) {
  const auto number = frozen(products, lines_say_nothing ? Lines::say_nothing : Lines::count);
  if (!number) return;
  Width width{.number = *number};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (products[i] == 1 && width.lines.size() < kMostLines) width.lines.push_back(inputs[i]);
  }
  if (std::ranges::find(out, width) == out.end()) out.push_back(std::move(width));
}

std::optional<std::string> FrozenExtents::doubt(const Law& law, Kind kind,
                                                const std::optional<NumberLaw>& absent) const {
  const bool is_offset = law.encoding != trace::Encoding::absolute;
  for (const ValueLaw& v : values_of(law)) {
    const std::optional<NumberLaw> unknown;
    if (auto why = doubt(v.number, kind, is_offset, v.is_first ? absent : unknown)) return why;
  }
  return std::nullopt;
}

std::optional<std::string> FrozenExtents::doubt(const NumberLaw& law, Kind kind, bool is_offset,
                                                const std::optional<NumberLaw>& absent) const {
  if (law.grid) {
    const std::string& why =
        is_offset && why_[*law.grid].empty() ? why_of_offsets_[*law.grid] : why_[*law.grid];
    const bool on_grid = uses(law.expression, {expr::LeafKind::coordinate, expr::LeafKind::extent});
    if (on_grid && !why.empty()) return why;
  }
  std::optional<std::int64_t> number;
  if (kind == Kind::integer) number = rival(law, extents_, true, absent);
  if (!number && is_offset) number = rival(law, strides_, true, absent);
  if (!number && law.of_rank) number = rival(law, strides_, false, absent);
  if (!number) return std::nullopt;
  return std::to_string(*number) +
         " and the extent of a grid both fit the samples, but the extent is different on " +
         std::to_string(target_) + " ranks; add a run on a grid of another width";
}

std::optional<std::int64_t> FrozenExtents::rival(const NumberLaw& law, const Widths& widths,
                                                 bool anywhere,
                                                 const std::optional<NumberLaw>& absent) const {
  for (const Width& width : widths) {
    const std::uint32_t count = Occurrences(width.number, anywhere).count(law.expression);
    if (count == 0) continue;
    if (count > kMostOccurrences || !absent) return width.number;
    for (std::uint32_t which = 1; which < 1U << count; ++which) {
      const Expr other = Occurrences(width.number, anywhere).replace(law.expression, which, 1);
      if (!is_other_on_lines(law, {.expression = other, .grid = law.grid}, width.lines, *absent)) {
        return width.number;
      }
    }
  }
  return std::nullopt;
}

bool FrozenExtents::is_other_on_lines(const NumberLaw& law, const NumberLaw& other,
                                      std::span<const std::int64_t> lines,
                                      const NumberLaw& absent) const {
  const auto on = [&](const NumberLaw& n, std::int64_t ranks) {
    std::vector<std::optional<std::int64_t>> out;
    const auto world = grids_.world(ranks, n.grid);
    if (!world) return out;
    auto evaluator =
        infer::Evaluator::make(in_first_iteration(n.expression), world->extents.size());
    const std::int64_t compared = std::min(ranks, kMostRanksOfLine);
    for (std::int64_t r = 0; evaluator && r < compared; ++r) {
      out.push_back(evaluator->at(r, *world));
    }
    return out;
  };
  for (const std::int64_t ranks : lines) {
    const auto a = on(law, ranks), b = on(other, ranks), nowhere = on(absent, ranks);
    for (std::size_t r = 0; r < std::min({a.size(), b.size(), nowhere.size()}); ++r) {
      if (nowhere[r] == 0 && a[r] != b[r]) return true;
    }
  }
  return false;
}

}  // namespace reprise::extrapolate
