// The targets of the search for laws: the trips of each item of the tree, and each column of each
// call site.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "extrapolate/inputs/align.hpp"
#include "extrapolate/inputs/executions.hpp"

namespace reprise::extrapolate {

struct Slot {
  static constexpr std::uint32_t kTrips = ~std::uint32_t{0};

  std::uint32_t item = 0;         // whose trips, or the call
  std::uint32_t site = 0;         // of a column
  std::uint32_t column = kTrips;  // of the site; kTrips: these are trips

  bool is_trips() const { return column == kTrips; }
};

// How a slot's values are laid out: one for each pass of the body around an item, for each
// execution of a call, or for each element of a list in each execution.
struct SlotShape {
  std::vector<std::uint32_t> chain;  // items whose trips make the executions, the outermost first
  std::vector<std::size_t> loops;    // places in the chain that are loops
  bool is_element = false;           // of a list; its lengths are the column before
  std::vector<std::string> parameters;  // t0, t1: trips of the loops; i0, i1: their indices; index
                                        // and length in a list
};

// The items of which some stream takes more than one trip in a pass.
std::vector<bool> find_repeated(const Aligned& inputs);

SlotShape shape_of(const compress::LoopTree& tree, std::span<const Site> sites,
                   const std::vector<bool>& repeated, Slot slot);

// The meaning of the numbers of a slot for a grid: ranks (peer), sizes of communicators and grids
// (integer), or others.
trace::Kind meaning_of(std::span<const Site> sites, const Slot& slot);

// The parameters of each value of a slot on one stream, in order.
class SlotWalk {
 public:
  // `chain`: trips of the items of the shape's chain; `lengths` only counts for elements.
  SlotWalk(const SlotShape& shape, std::vector<NumberCursor> chain, NumberCursor lengths = {},
           Toll toll = {});

  bool next();
  const std::vector<std::int64_t>& parameters() const { return parameters_; }
  // How many executions were begun so far.
  std::uint64_t executions() const { return count_; }
  // The first passes and the last ones of every loop, and the ends of lists.
  bool is_telling() const;

 private:
  const SlotShape* shape_;
  Executions executions_;
  NumberCursor lengths_;
  Toll toll_;
  std::uint64_t count_ = 0;
  std::int64_t length_ = 0, index_ = 0;
  std::vector<std::int64_t> parameters_;
};

// Every slot of a program: trips from the root down, then the columns of each call in `order`.
std::vector<Slot> all_slots(const compress::LoopTree& tree, std::span<const Site> sites,
                            std::span<const std::uint32_t> order);

}  // namespace reprise::extrapolate
