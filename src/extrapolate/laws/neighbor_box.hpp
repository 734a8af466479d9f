// Neighbors in a box: every place at most one step away along each dimension of a grid, in the
// order of nested loops over the dimensions, without those beyond a border. Stencils of 9 and 27
// points have such neighbors, and so have meshes whose parts share edges and corners, or only those
// with parts before or after them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "expr/expr.hpp"

namespace reprise::extrapolate {

using Step = std::vector<std::int64_t>;  // along each dimension

// The neighbors of one rank, in order; none for a rank without neighbors.
struct Visit {
  std::size_t run = 0, rank = 0;
  std::vector<Step> steps;
};

class NeighborBox {
 public:
  // The box that all ranks visit, in one order; nothing if there is none, if several orders differ,
  // or if a dimension has no more than two places in every run: neighbors across such a border are
  // those on the other side. `extents`: of the grid [runs].
  static std::optional<NeighborBox> find(std::span<const Visit> visits,
                                         const std::vector<std::vector<std::int64_t>>& extents);

  // All steps, in order.
  const std::vector<Step>& steps() const { return steps_; }
  // How many places are within the grid, over x0, d0 and so on.
  expr::Expr number() const;
  // The step along a dimension to the place with this index, among those within the grid.
  expr::Expr step(std::size_t dimension, const expr::Expr& index) const;
  // The rank there.
  expr::Expr rank(const expr::Expr& index) const;
  // Chooses from the values of all steps, in their order, the one at the place with this index.
  expr::Expr choose(const std::vector<expr::Expr>& values, const expr::Expr& index) const;

  // Whether it is visited by a rank at these coordinates.
  bool explains(const Visit& visit, std::span<const std::int64_t> coordinates,
                std::span<const std::int64_t> extents) const;

 private:
  struct Axis {
    std::size_t dimension = 0;
    bool before = false, after = false;  // whether the box has places there
    bool ascending = true;               // those before come first
  };
  using Places = std::vector<std::size_t>;  // indices into steps_

  NeighborBox(std::vector<Axis> axes, bool has_self);
  expr::Expr choose(const Places& places, std::size_t axis, const std::vector<expr::Expr>& values,
                    const expr::Expr& index) const;

  std::vector<Axis> axes_;  // the outermost loop first
  bool has_self_ = false;   // the rank itself is one of the places
  std::vector<Step> steps_;
};

}  // namespace reprise::extrapolate
