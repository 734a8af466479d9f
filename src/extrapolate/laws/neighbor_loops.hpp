// Loops over neighbors in one order, in which ranks at a border skip those that they lack.
//
// The neighbors of a rank are a part of one list, in the order of the list. The list is found from
// the peers of the calls, as steps in a grid, which every rank that has two of them meets in the
// same order. Where the neighbors form a box, the trip count and the peers have closed forms
// (laws/neighbor_box.hpp). Otherwise which ranks have a neighbor is a condition; the trip count of
// the loop is the number of conditions that hold; and the i-th iteration is that of the neighbor
// before which i conditions hold.
//
// Where all ranks have all neighbors, as on a torus, the i-th iteration is that of the i-th one.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "extrapolate/laws/find_law.hpp"
#include "extrapolate/laws/neighbor_box.hpp"

namespace reprise::extrapolate {

// Of one neighbor in the list: how many neighbors of the rank come before it, or -1 if the rank
// lacks it [runs x ranks].
using Ordinals = std::vector<std::vector<std::int64_t>>;

// By neighbor in the list: 1 on the ranks that have it, else 0.
using NeighborConditions = std::vector<NumberLaw>;

struct NeighborsInBox {
  NeighborBox box;       // whose steps are the list
  std::size_t grid = 0;  // index into Grids::rules
};

struct NeighborLoop {
  std::string index;               // the parameter that counts the neighbors of a rank
  std::vector<Ordinals> ordinals;  // by neighbor in the list
  std::variant<NeighborConditions, NeighborsInBox> which;

  // Whether all ranks have all neighbors.
  bool is_whole() const;
};

// The neighbors of the innermost loop around a call, from one column of its peers.
std::optional<NeighborLoop> find_neighbor_loop(const SlotView& peers, LawSearch& search);

// The trip count of the loop: how many of the neighbors the rank has.
std::optional<NumberLaw> number_of_neighbors(const NeighborLoop& loop);

// The law of a column of a call in such a loop: a law for each neighbor.
std::optional<NumberLaw> law_of_neighbors(const NeighborLoop& loop, const infer::Samples& samples,
                                          LawSearch& search);

}  // namespace reprise::extrapolate
