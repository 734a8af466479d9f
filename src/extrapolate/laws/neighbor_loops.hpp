// Loops over places of which some ranks have only a part: loops over neighbors in one order, in
// which ranks at a border skip some.
//
// What a rank executes is then a part of one list of places, in the order of the list. The list is
// found from the peers of the calls, as steps in a grid, which every rank that has two of them
// meets in the same order. Where the places are a box, the trip count and the peers have closed
// forms (laws/neighbor_box.hpp). Otherwise which ranks have a place is a condition; the trip count
// of the loop is the number of conditions that hold; and in the i-th iteration a call is at the
// place before which i conditions hold.
//
// Where all ranks have all places, as on a torus, the i-th iteration is at the i-th place.
#pragma once

#include <optional>
#include <vector>

#include "extrapolate/laws/find_law.hpp"
#include "extrapolate/laws/neighbor_box.hpp"

namespace reprise::extrapolate {

struct Neighbor {
  NumberLaw has = {};                             // which ranks have it; not set in a box
  std::vector<std::vector<std::int64_t>> before;  // [runs x ranks] places before it, or -1
};

struct NeighborLoop {
  std::string index;  // the parameter that counts the places that a rank has
  std::vector<Neighbor> places;
  bool is_whole = false;  // all ranks have all places
  std::size_t grid = 0;   // index into Grids::rules; not set if it is whole
  std::optional<NeighborBox> box = {};
};

// The places of the innermost loop around a call, from one column of its peers.
std::optional<NeighborLoop> find_neighbor_loop(const SlotView& peers, LawSearch& search);

// The trip count of the loop: how many of the places the rank has.
std::optional<NumberLaw> number_of_places(const NeighborLoop& loop);

// The law of a column of a call in such a loop: a law for each place.
std::optional<NumberLaw> law_of_places(const NeighborLoop& loop, const infer::Samples& samples,
                                       LawSearch& search);

}  // namespace reprise::extrapolate
