#include "extrapolate/frozen_extents.hpp"

#include <array>
#include <cstdlib>

namespace reprise::extrapolate {
namespace {

using infer::GridRule;

// Adds the extents of one rule.
void add_frozen(const GridRule& rule, std::span<const std::int64_t> inputs, std::int64_t target,
                std::set<std::int64_t>& out) {
  const auto wanted = rule.extents(target);
  const auto first = rule.extents(inputs.front());
  if (!wanted || !first) return;
  for (std::size_t d = 0; d < rule.dimensions; ++d) {
    const std::int64_t extent = (*first)[d];
    bool frozen = extent > 1 && (*wanted)[d] != extent;
    for (const std::int64_t ranks : inputs) {
      const auto extents = rule.extents(ranks);
      frozen = frozen && extents && (*extents)[d] == extent;
    }
    if (frozen) out.insert(extent);
  }
}

using Numbers = std::set<std::int64_t>;

std::optional<std::int64_t> in_expression(const expr::Expr& e, const Numbers& frozen) {
  if (e.is_constant()) {
    const std::int64_t size = e.value() == INT64_MIN ? 0 : std::abs(e.value());
    return frozen.contains(size) ? std::optional(size) : std::nullopt;
  }
  for (const expr::Expr& operand : e.operands()) {
    if (auto found = in_expression(operand, frozen)) return found;
  }
  return std::nullopt;
}

std::optional<std::int64_t> in_terms(const std::vector<TermLaw>& terms, const Numbers& frozen) {
  for (const TermLaw& t : terms) {
    if (auto found = in_expression(t.value.expression, frozen)) return found;
    if (auto found = in_expression(t.step.expression, frozen)) return found;
    if (auto found = in_terms(t.body, frozen)) return found;
  }
  return std::nullopt;
}

std::optional<std::int64_t> in_series(const std::vector<trace::Term>& terms,
                                      const Numbers& frozen) {
  for (const trace::Term& t : terms) {
    if (auto found = in_expression(t.value, frozen)) return found;
    if (auto found = in_expression(t.step, frozen)) return found;
    if (auto found = in_series(t.body, frozen)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::set<std::int64_t> frozen_extents(std::span<const std::int64_t> inputs, std::int64_t target) {
  using Kind = GridRule::Kind;
  std::set<std::int64_t> out;
  for (const Kind kind : {Kind::power, Kind::balanced, Kind::closest}) {
    for (const std::size_t dimensions : {2, 3}) {
      add_frozen({.kind = kind, .dimensions = dimensions}, inputs, target, out);
    }
  }
  return out;
}

std::optional<std::int64_t> frozen_number(const Law& law, const std::set<std::int64_t>& frozen) {
  switch (law.form) {
    case Law::Form::distribution:
    case Law::Form::none: return std::nullopt;
    case Law::Form::series: return in_series(law.series.terms(), frozen);
    case Law::Form::terms: return in_terms(law.terms, frozen);
    case Law::Form::indexed: return in_expression(law.number.expression, frozen);
  }
  return std::nullopt;
}

}  // namespace reprise::extrapolate
