// Places in trees and meshes, as the language's manual numbers them. -1 is no task.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace reprise::conceptual {

// In an n-ary tree, breadth first. REQUIRES: n > 0.
std::int64_t tree_parent(std::int64_t task, std::int64_t n);
std::int64_t tree_child(std::int64_t task, std::int64_t child, std::int64_t n);

// In a k-nomial tree of `tasks` tasks: a task's parent is the task without its highest digit to the
// base k. Children are counted in increasing order. REQUIRES: k > 1.
std::int64_t knomial_parent(std::int64_t task, std::int64_t k, std::int64_t tasks);
std::int64_t knomial_children(std::int64_t task, std::int64_t k, std::int64_t tasks);
std::int64_t knomial_child(std::int64_t task, std::int64_t child, std::int64_t k,
                           std::int64_t tasks);

// A mesh whose first dimension varies fastest; `wraps` says by dimension whether it is a torus.
// REQUIRES: all extents are positive and their product fits.
struct Mesh {
  std::vector<std::int64_t> extents;
  std::vector<bool> wraps;

  // Empty: the task is not in the mesh.
  std::vector<std::int64_t> coordinates(std::int64_t task) const;
  // Fewer offsets than dimensions: the others are zero.
  std::int64_t neighbor(std::int64_t task, std::span<const std::int64_t> offsets) const;
  std::int64_t distance(std::int64_t a, std::int64_t b) const;
};

}  // namespace reprise::conceptual
