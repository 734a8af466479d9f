#include "extrapolate/laws/neighbor_box.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include "expr/leaf.hpp"
#include "expr/simplify.hpp"
#include "infer/samples.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;

Expr coordinate(std::size_t dimension) { return Expr::variable(expr::coordinate_name(dimension)); }
Expr extent(std::size_t dimension) { return Expr::variable(expr::extent_name(dimension)); }

bool is_self(const Step& step) {
  return std::ranges::all_of(step, [](std::int64_t s) { return s == 0; });
}

}  // namespace

NeighborBox::NeighborBox(std::vector<Axis> axes, bool has_self)
    : axes_(std::move(axes)), has_self_(has_self), steps_{Step(axes_.size(), 0)} {
  for (const Axis& axis : axes_) {
    std::vector<std::int64_t> along;
    if (axis.before) along.push_back(-1);
    along.push_back(0);
    if (axis.after) along.push_back(1);
    if (!axis.ascending) std::ranges::reverse(along);
    std::vector<Step> longer;
    for (const Step& step : steps_) {
      for (const std::int64_t s : along) {
        longer.push_back(step);
        longer.back()[axis.dimension] = s;
      }
    }
    steps_ = std::move(longer);
  }
  if (!has_self_) std::erase_if(steps_, is_self);
}

std::optional<std::vector<std::int64_t>> NeighborBox::target(
    const Step& step, std::span<const std::int64_t> coordinates,
    std::span<const std::int64_t> extents) const {
  std::vector<std::int64_t> out(step.size());
  for (const Axis& axis : axes_) {
    const std::size_t k = axis.dimension;
    out[k] = coordinates[k] + step[k];
    if (axis.cyclic) out[k] = (out[k] + extents[k]) % extents[k];
    if (out[k] < 0 || out[k] >= extents[k]) return std::nullopt;
  }
  return out;
}

bool NeighborBox::explains(const RankSteps& rank, std::span<const std::int64_t> coordinates,
                           std::span<const std::int64_t> extents) const {
  std::size_t n = 0;
  for (const Step& step : steps_) {
    const auto there = target(step, coordinates, extents);
    if (!there) continue;
    if (n == rank.steps.size()) return false;
    for (std::size_t k = 0; k < step.size(); ++k) {
      if ((*there)[k] - coordinates[k] != rank.steps[n][k]) return false;
    }
    ++n;
  }
  return n == rank.steps.size();
}

std::vector<NeighborBox> NeighborBox::find_all(
    std::span<const RankSteps> ranks, const std::vector<std::vector<std::int64_t>>& extents,
    std::size_t cyclic) {
  const std::size_t dimensions = extents.front().size();
  std::vector<Axis> axes(dimensions);
  bool has_self = false;
  for (std::size_t k = 0; k < dimensions; ++k) {
    axes[k].dimension = k;
    axes[k].cyclic = axes[k].before = axes[k].after = (cyclic >> k & 1) != 0;
  }
  for (const RankSteps& rank : ranks) {
    for (const Step& step : rank.steps) {
      has_self = has_self || is_self(step);
      for (std::size_t k = 0; k < dimensions; ++k) {
        if (axes[k].cyclic) {
          const std::int64_t extent = extents[rank.run][k];
          const std::int64_t after = (step[k] % extent + extent) % extent;
          if (after > 1 && after != extent - 1) return {};
          continue;
        }
        if (step[k] < -1 || step[k] > 1) return {};
        axes[k].before = axes[k].before || step[k] < 0;
        axes[k].after = axes[k].after || step[k] > 0;
      }
    }
  }
  for (std::size_t k = 0; k < dimensions; ++k) {
    const bool is_wide = std::ranges::any_of(extents, [k](const auto& e) { return e[k] > 2; });
    if ((axes[k].before || axes[k].after) && !is_wide) return {};
  }
  std::vector<NeighborBox> found;
  do {
    for (std::size_t directions = 0; directions >> dimensions == 0; ++directions) {
      for (Axis& axis : axes) axis.ascending = (directions >> axis.dimension & 1) == 0;
      NeighborBox box(axes, has_self);
      const bool holds = std::ranges::all_of(ranks, [&](const RankSteps& r) {
        const auto& e = extents[r.run];
        return box.explains(r, infer::coordinates(static_cast<std::int64_t>(r.rank), e), e);
      });
      const auto is_same = [&](const NeighborBox& f) { return f.steps_ == box.steps_; };
      if (holds && std::ranges::none_of(found, is_same)) found.push_back(std::move(box));
    }
  } while (std::ranges::next_permutation(axes, {}, &Axis::dimension).found);
  return found;
}

std::optional<NeighborBox> NeighborBox::find(
    std::span<const RankSteps> ranks, const std::vector<std::vector<std::int64_t>>& extents) {
  const std::size_t dimensions = extents.front().size();
  std::vector<NeighborBox> found;
  for (int n = 0; n < static_cast<int>(dimensions) && found.empty(); ++n) {
    for (std::size_t cyclic = 0; cyclic >> dimensions == 0; ++cyclic) {
      if (std::popcount(cyclic) == n)
        std::ranges::move(find_all(ranks, extents, cyclic), std::back_inserter(found));
    }
  }
  return found.size() == 1 ? std::optional(std::move(found.front())) : std::nullopt;
}

Expr NeighborBox::before_along(const Axis& axis) {
  if (axis.cyclic || !axis.before) return axis.before ? 1 : 0;
  return Expr::make(Op::greater, coordinate(axis.dimension), Expr(0));
}

Expr NeighborBox::after_along(const Axis& axis) {
  if (axis.cyclic || !axis.after) return axis.after ? 1 : 0;
  return Expr::make(Op::less, coordinate(axis.dimension), extent(axis.dimension) - Expr(1));
}

Expr NeighborBox::number() const {
  Expr product = 1;
  for (const Axis& axis : axes_) {
    product = product * (Expr(1) + before_along(axis) + after_along(axis));
  }
  return expr::simplify(has_self_ ? product : product - Expr(1));
}

Expr NeighborBox::step(std::size_t dimension, const Expr& index) const {
  // The index of a neighbor is a number with one digit for each loop, the innermost last; `own` is
  // that of the rank itself.
  Expr stride = 1, own = 0;
  Expr own_along = 0, stride_along = 1, along = 1;
  bool ascending = true, is_outermost = false, is_innermost = true;
  for (std::size_t a = axes_.size(); a-- > 0;) {
    const Axis& axis = axes_[a];
    const Expr before = before_along(axis), after = after_along(axis);
    const Expr digit = axis.ascending ? before : after;
    const Expr choices = Expr(1) + before + after;
    if (axis.dimension == dimension) {
      own_along = digit;
      stride_along = stride;
      along = choices;
      ascending = axis.ascending;
      is_outermost = a == 0;
      is_innermost = a + 1 == axes_.size();
    }
    own = own + digit * stride;
    stride = stride * choices;
  }
  Expr digit = index;
  if (!has_self_) digit = digit + Expr::make(Op::greater_equal, index, expr::simplify(own));
  if (!is_innermost) digit = digit / stride_along;
  if (!is_outermost) digit = digit % along;
  return expr::simplify(ascending ? digit - own_along : own_along - digit);
}

Expr NeighborBox::rank(const Expr& index) const {
  Expr out = Expr::variable(expr::kRank);
  std::vector<bool> is_cyclic(axes_.size());
  for (const Axis& axis : axes_) is_cyclic[axis.dimension] = axis.cyclic;
  Expr stride = 1;
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    Expr distance = step(k, index);
    if (is_cyclic[k]) distance = (coordinate(k) + distance) % extent(k) - coordinate(k);
    out = out + distance * stride;
    stride = stride * extent(k);
  }
  return expr::simplify(out);
}

Expr NeighborBox::choose(const std::vector<Expr>& values, const Expr& index) const {
  Indices all;
  for (std::size_t p = 0; p < steps_.size(); ++p) all.push_back(p);
  return choose(all, 0, values, index);
}

Expr NeighborBox::choose(const Indices& indices, std::size_t dimension,
                         const std::vector<Expr>& values, const Expr& index) const {
  const bool is_one = std::ranges::all_of(
      indices, [&](std::size_t p) { return values[p] == values[indices.front()]; });
  if (is_one) return values[indices.front()];
  std::array<Indices, 3> groups;  // before, at the same coordinate, after the rank
  for (const std::size_t p : indices) {
    groups[static_cast<std::size_t>(steps_[p][dimension] + 1)].push_back(p);
  }
  std::array<std::optional<Expr>, 3> chosen;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!groups[g].empty()) chosen[g] = choose(groups[g], dimension + 1, values, index);
  }
  const auto& [before, same, after] = chosen;
  std::optional<Expr> out = after ? after : before;
  const Expr there = step(dimension, index);
  if (before && after && *before != *after) {
    out = Expr::conditional(Expr::make(Op::less, there, Expr(0)), *before, *after);
  }
  if (!out) return *same;
  if (!same || *same == *out) return *out;
  return Expr::conditional(Expr::make(Op::equal, there, Expr(0)), *same, *out);
}

}  // namespace reprise::extrapolate
