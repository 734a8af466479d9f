#include "extrapolate/values/matching_counts.hpp"

#include <algorithm>
#include <vector>

#include "expr/leaf.hpp"
#include "expr/simplify.hpp"
#include "trace/calls/predefined.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;

// Whether the calls are on a communicator of all ranks in their order, such as MPI_COMM_WORLD.
bool is_on_all_ranks(const Slot& slot, const Aligned& inputs) {
  const int column = trace::function(inputs.sites[slot.site].function).communicator;
  if (column < 0) return false;
  return std::ranges::all_of(inputs.runs, [&](const Run& run) {
    const auto& by_rank = run.columns[slot.site][static_cast<std::size_t>(column)].encoded.front();
    for (std::size_t r = 0; r < by_rank.size(); ++r) {
      if (by_rank[r].empty()) continue;
      if (!by_rank[r].is_constant()) return false;
      const std::int64_t comm = by_rank[r].at(0);
      const trace::Membership place = run.places[r].find(trace::Kind::comm, comm);
      const trace::Membership wanted{static_cast<std::int64_t>(r), run.ranks};
      if (comm != trace::kWorld && place != wanted) return false;
    }
    return true;
  });
}

// Exchanges the rank and the index of a list: the rank and its coordinates become those of rank
// `index`, and the index becomes the rank.
std::vector<expr::Binding> at_place(std::size_t dimensions) {
  const Expr index = Expr::variable(expr::kElement);
  std::vector<expr::Binding> out = {{std::string(expr::kRank), index},
                                    {index.name(), Expr::variable(expr::kRank)}};
  Expr rest = index;
  for (std::size_t k = 0; k < dimensions; ++k) {
    const Expr extent = Expr::variable(expr::extent_name(k));
    const bool is_last = k + 1 == dimensions;
    out.push_back({expr::coordinate_name(k), is_last ? rest : rest % extent});
    rest = rest / extent;
  }
  return out;
}

}  // namespace

std::optional<std::uint32_t> matching_counts_of(const trace::Function& function,
                                                std::uint32_t column) {
  const auto scalars = static_cast<std::uint32_t>(function.scalars.size());
  if (column < scalars || (column - scalars) % 2 == 0) return std::nullopt;
  const auto list = static_cast<int>((column - scalars) / 2);
  const auto own = std::ranges::find_if(function.payloads, [list](const trace::Payload& p) {
    return p.blocks == trace::Blocks::listed && p.count == list;
  });
  if (own == function.payloads.end()) return std::nullopt;
  for (const trace::Payload& other : function.payloads) {
    if (other.direction == own->direction) continue;
    const bool is_list = other.blocks == trace::Blocks::listed;
    if (is_list && other.count < list)
      return scalars + 2 * static_cast<std::uint32_t>(other.count) + 1;
    if (other.blocks == trace::Blocks::one && other.count >= 0) {
      return static_cast<std::uint32_t>(other.count);
    }
  }
  return std::nullopt;
}

std::optional<Law> law_of_matching_counts(const Slot& slot, const SlotView& counts,
                                          const Law& other_side, const LawSearch& search) {
  const auto other = single_number(other_side);
  if (!other || !is_on_all_ranks(slot, counts.inputs())) return std::nullopt;
  const std::size_t dimensions = other->grid ? search.grids().rules[*other->grid].dimensions : 0;
  Law law{.form = Law::Form::indexed, .number = *other};
  Expr& number = law.number.expression;
  number = expr::simplify(substitute(number, at_place(dimensions)));
  law.number.of_rank = uses(number, {expr::LeafKind::rank, expr::LeafKind::coordinate});
  return explains(counts, law, search) ? std::optional(std::move(law)) : std::nullopt;
}

}  // namespace reprise::extrapolate
