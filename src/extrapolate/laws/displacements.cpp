#include "extrapolate/laws/displacements.hpp"

#include <algorithm>
#include <array>

#include "expr/prefix_sum.hpp"
#include "expr/simplify.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using trace::Encoding;

// What the displacements count in: so many times each count. Nothing unless they are prefix sums.
// 0 if no count says it.
std::optional<std::int64_t> unit_of(const SlotView& displacements, const SlotView& counts) {
  std::int64_t unit = 0;
  for (std::size_t run = 0; run < counts.inputs().runs.size(); ++run) {
    const auto ranks = static_cast<std::size_t>(counts.inputs().runs[run].ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const auto& starts = displacements.series(run, rank, Encoding::absolute);
      const auto& sizes = counts.series(run, rank, Encoding::absolute);
      if (starts.empty() && sizes.empty()) continue;
      if (starts.empty() || sizes.empty()) return std::nullopt;
      SlotWalk walk = displacements.walk(run, rank), other = counts.walk(run, rank);
      trace::SeriesCursor start(starts), size(sizes);
      std::int64_t before = 0;  // the sum of the counts
      while (walk.next()) {
        if (!other.next() || walk.parameters() != other.parameters()) return std::nullopt;
        const std::int64_t index = walk.parameters()[walk.parameters().size() - 2];
        if (index == 0) before = 0;
        const std::int64_t here = start.next(), count = size.next();
        if (unit == 0 && before > 0) unit = here / before;
        const bool is_told = before == 0 || unit > 0;
        if (!is_told || count < 0 || here != unit * before) return std::nullopt;
        before += count;
      }
      if (other.next()) return std::nullopt;
    }
  }
  return unit;
}

// Over the place in the list: what all elements have, or an expression.
std::optional<NumberLaw> number_of(const SlotView& counts, const Law& law, LawSearch& search) {
  if (law.depth || law.encoding != Encoding::absolute) return std::nullopt;
  if (law.form == Law::Form::indexed) return law.number;
  if (law.local) return std::nullopt;
  if (law.form == Law::Form::series && law.series.is_constant()) {
    return NumberLaw{.expression = law.series.at(0)};
  }
  if (law.form != Law::Form::series && law.form != Law::Form::terms) return std::nullopt;
  auto indexed = find_indexed(counts, Encoding::absolute, search);
  return indexed ? std::optional(std::move(indexed->number)) : std::nullopt;
}

// Of a payload; what makes a datatype has none, and begins with them.
bool are_counts(const trace::Function& f, std::size_t list) {
  if (f.payloads.empty()) return list == 0 && f.lists[list].kind == trace::Kind::integer;
  return std::ranges::any_of(f.payloads, [list](const trace::Payload& p) {
    return p.blocks == trace::Blocks::listed && p.count == static_cast<int>(list);
  });
}

}  // namespace

std::optional<std::uint32_t> counts_before(const trace::Function& function, std::uint32_t column) {
  const auto scalars = static_cast<std::uint32_t>(function.scalars.size());
  if (column < scalars + 2 || (column - scalars) % 2 == 0) return std::nullopt;
  const std::size_t list = (column - scalars) / 2;
  const bool follows =
      function.lists[list].kind == trace::Kind::integer && are_counts(function, list - 1);
  return follows ? std::optional(column - 2) : std::nullopt;
}

std::optional<Law> displacements(const SlotView& displacements, const SlotView& counts,
                                 const Law& law_of_counts, LawSearch& search) {
  const auto unit = unit_of(displacements, counts);
  if (!unit || *unit == 0) return std::nullopt;
  const auto count = number_of(counts, law_of_counts, search);
  if (!count) return std::nullopt;
  const Expr index = Expr::variable(expr::kElement), k = Expr::variable("k");
  const std::array<expr::Binding, 1> at = {expr::Binding{index.name(), k}};
  Law law = law_of_counts;
  law.form = Law::Form::indexed;
  law.series = {};
  law.terms = {};
  law.number = *count;
  law.number.expression =
      expr::simplify(Expr(*unit) * expr::prefix_sum(k, index, substitute(count->expression, at)));
  const bool has_all_values = count->standing != solve::Standing::approximate;
  if (!law.local && has_all_values && !explains(displacements, law, search)) return std::nullopt;
  return law;
}

}  // namespace reprise::extrapolate
