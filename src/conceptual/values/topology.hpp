// Places in trees and meshes, as the language's manual numbers them. -1 is no task.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace reprise::conceptual {

// An n-ary tree, breadth first. REQUIRES: n > 0.
struct Tree {
  std::int64_t n = 2;

  std::int64_t parent(std::int64_t task) const;
  std::int64_t child(std::int64_t task, std::int64_t number) const;
};

// A k-nomial tree: a task's parent is the task without its highest digit to the base k. Children
// are counted in increasing order. REQUIRES: k > 1.
struct KnomialTree {
  std::int64_t k = 2, tasks = 0;

  std::int64_t parent(std::int64_t task) const;
  std::int64_t children(std::int64_t task) const;
  std::int64_t child(std::int64_t task, std::int64_t number) const;

 private:
  template <class Visit>
  void for_each_run(std::int64_t task, const Visit& visit) const;
};

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
