// A place in the grid, axis by axis: _0 + _1 * d0 + _2 * d0 * d1, each coordinate a goal.
#include <algorithm>
#include <optional>

#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;

constexpr std::uint32_t kOfAxis = 7;  // [bits]

// The axes of the grid, the one along which ranks are consecutive first; fewer than two where there
// is no grid.
std::vector<Axis> axes_of_grid(const Table& table) {
  std::vector<Axis> out;
  for (const Axis& a : table.axes()) {
    if (table.leaves()[a.coordinate].kind == LeafKind::coordinate) out.push_back(a);
  }
  std::ranges::stable_sort(out, {},
                           [&](const Axis& a) { return table.leaves()[a.coordinate].number; });
  return out;
}

// The coordinates of the places, one goal for each axis; nothing where a value is none.
std::optional<std::vector<Goal>> coordinates(const View& view, const std::vector<Axis>& axes) {
  const Goal& goal = view.goal();
  std::vector<Goal> out(axes.size());
  for (std::size_t i = 0; i < goal.rows.size(); ++i) {
    std::int64_t rest = goal.values[i];
    if (rest < 0) return std::nullopt;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const std::int64_t extent = view.leaf(axes[k].extent, i);
      if (extent < 1) return std::nullopt;
      out[k].rows.push_back(goal.rows[i]);
      out[k].values.push_back(rest % extent);
      rest /= extent;
    }
    if (rest != 0) return std::nullopt;
  }
  return out;
}

}  // namespace

void places(const View& view, Reductions& out) {
  const std::vector<Axis> axes = axes_of_grid(view.table());
  if (axes.size() < 2 || view.goal().leaves == 0) return;
  if (!view.take(view.goal().rows.size() * axes.size())) return;
  auto goals = coordinates(view, axes);
  if (!goals) return;
  Expr form = hole(0);
  Expr stride = Expr::variable(view.table().leaves()[axes.front().extent].name);
  for (std::size_t k = 1; k < axes.size(); ++k) {
    form = form + hole(k) * stride;
    stride = stride * Expr::variable(view.table().leaves()[axes[k].extent].name);
  }
  out.push_back({form, kOfAxis * static_cast<std::uint32_t>(axes.size()), 0, std::move(*goals)});
}

}  // namespace reprise::solve
