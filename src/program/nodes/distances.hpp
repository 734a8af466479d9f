// Peers in the same directions as others, so many times as far away: the levels of a multigrid,
// whose exchanges are one procedure with the distance as a parameter.
#pragma once

#include <optional>
#include <vector>

#include "program/nodes/slots.hpp"
#include "program/program.hpp"

namespace reprise::program {

// Where a value stands.
struct DistancePlace {
  std::size_t loops = 0;      // around the function
  bool is_each_time = false;  // every iteration of the innermost of them calls the function once
  bool is_once = true;        // each call of the function executes it once
  // Iterations of the only loop of the function around the value, which each execute it.
  std::optional<std::int64_t> trips = {};
};

class Distances {
 public:
  // `extents`: of the grid; empty: it is not known where it wraps.
  explicit Distances(std::vector<std::int64_t> extents) : extents_(std::move(extents)) {}

  // Whether a value consists only of peers at steps in the grid.
  static bool is_near(const Value& value);
  // How far away the peers are, if the value is one that others can be multiples of: one neighbor,
  // or one for each iteration of a loop of the function.
  static std::optional<std::int64_t> length_of(const Value& value, const DistancePlace& place);
  // The factor between the distances of the peers of a value and those of `base`, expressed at the
  // call of the function; none: they lie in other directions.
  std::optional<Value> between(const Value& base, const Value& value,
                               const DistancePlace& place) const;

 private:
  std::optional<std::int64_t> between(const Neighbor& base, const Neighbor& other) const;
  std::optional<Content> between(const std::vector<Neighbor>& base, const Content& other,
                                 const DistancePlace& place) const;

  std::vector<std::int64_t> extents_;
};

// The behavior of neighbors at the ends of the grid, by dimension; empty without a grid.
struct GridEnds {
  bool has_neighbors = false;
  std::vector<bool> wraps;  // one wraps there
  std::vector<bool> stops;  // one is MPI_PROC_NULL beyond an end

  bool is_cyclic(std::size_t dimension) const { return wraps[dimension] && !stops[dimension]; }
};
// Cost: the nodes.
GridEnds grid_ends(const Program& program);

// Gives all neighbors of a recorded program that meet no border the dimensions that are cyclic, so
// that they are the same on all sets of ranks.
void find_cyclic(Program& program);

}  // namespace reprise::program
