// Neighbors in a box: all ranks that are at most one step away along each dimension of a grid, in
// the order of nested loops over the dimensions. Beyond a border there are none, or, along a cyclic
// dimension, the ranks at the other end. Stencils of 9 and 27 points have such neighbors, and so do
// meshes whose parts share edges and corners. Along a dimension that is not cyclic the box may also
// have only the ranks before, or only those after.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "expr/expr.hpp"

namespace reprise::extrapolate {

using Step = std::vector<std::int64_t>;  // along each dimension

// The neighbors of one rank, in order, as steps to their coordinates.
struct RankSteps {
  std::size_t run = 0, rank = 0;
  std::vector<Step> steps;
};

class NeighborBox {
 public:
  // The box whose neighbors all ranks visit, in one order, with as few cyclic dimensions as there
  // can be, though not all; nothing if there is none, if several fit, or if a dimension of the box
  // has at most two ranks in every run, where a neighbor within the grid and one across the border
  // of a ring are the same rank. `extents`: of the grid [runs x dimensions]. Cost: at most 4^d d!
  // comparisons with the steps of all ranks for d dimensions.
  static std::optional<NeighborBox> find(std::span<const RankSteps> ranks,
                                         const std::vector<std::vector<std::int64_t>>& extents);

  // All steps, in order.
  const std::vector<Step>& steps() const { return steps_; }
  // Where a step leads from these coordinates; nothing if that is beyond a border.
  std::optional<std::vector<std::int64_t>> target(const Step& step,
                                                  std::span<const std::int64_t> coordinates,
                                                  std::span<const std::int64_t> extents) const;
  // How many of them lead to a rank, over x0, d0 and so on.
  expr::Expr number() const;
  // The step along a dimension to the neighbor with this index, among those that lead to a rank.
  expr::Expr step(std::size_t dimension, const expr::Expr& index) const;
  // The rank of that neighbor.
  expr::Expr rank(const expr::Expr& index) const;
  // Chooses the value of the neighbor with this index. `values`: one for each of steps().
  expr::Expr choose(const std::vector<expr::Expr>& values, const expr::Expr& index) const;

  // Whether a rank at these coordinates visits the neighbors of the box, in its order.
  bool explains(const RankSteps& rank, std::span<const std::int64_t> coordinates,
                std::span<const std::int64_t> extents) const;

 private:
  struct Axis {
    std::size_t dimension = 0;
    bool before = false, after = false;  // whether the box has neighbors there
    bool ascending = true;               // those before come first
    bool cyclic = false;
  };
  using Indices = std::vector<std::size_t>;  // into steps_

  NeighborBox(std::vector<Axis> axes, bool has_self);
  // Those that explain the steps of all ranks, with these cyclic dimensions: bit k is for dimension
  // k. One of those with the same steps.
  static std::vector<NeighborBox> find_all(std::span<const RankSteps> ranks,
                                           const std::vector<std::vector<std::int64_t>>& extents,
                                           std::size_t cyclic);
  // Whether it has a neighbor before, or after, along an axis: 0 or 1.
  static expr::Expr before_along(const Axis& axis);
  static expr::Expr after_along(const Axis& axis);
  expr::Expr choose(const Indices& indices, std::size_t dimension,
                    const std::vector<expr::Expr>& values, const expr::Expr& index) const;

  std::vector<Axis> axes_;  // the outermost loop first
  bool has_self_ = false;   // the rank itself is one of its neighbors
  std::vector<Step> steps_;
};

}  // namespace reprise::extrapolate
