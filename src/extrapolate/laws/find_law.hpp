// Finds the law of a slot, from simple to complex forms: one series everywhere; a series of one
// shape whose numbers are laws; an expression over the indices of the loops around. Every law
// explains every sample of every input.
#pragma once

#include <memory>
#include <vector>

#include "extrapolate/inputs/slot.hpp"
#include "extrapolate/laws/law.hpp"

namespace reprise::extrapolate {

// A slot's values in the inputs.
class SlotView {
 public:
  SlotView(const Aligned& inputs, const SlotShape& shape, Slot slot)
      : inputs_(&inputs), shape_(&shape), slot_(slot) {}

  const Aligned& inputs() const { return *inputs_; }
  const SlotShape& shape() const { return *shape_; }
  // In how many encodings the values are known, and one of a rank in a run; empty if it never comes
  // here.
  std::size_t encodings() const;
  const trace::Series& series(std::size_t run, std::size_t rank, trace::Encoding e) const;
  SlotWalk walk(std::size_t run, std::size_t rank) const;
  // The same slot with other values in one encoding. [runs x ranks]
  SlotView with(std::vector<std::vector<trace::Series>> values) const;
  // Whether the values are the extents of a grid, as MPI_Cart_create has them.
  bool is_extents() const;

 private:
  const Aligned* inputs_;
  const SlotShape* shape_;
  Slot slot_;
  std::shared_ptr<const std::vector<std::vector<trace::Series>>> instead_;  // null: the inputs'
};

// The series that all ranks of all runs have, in one of the encodings; 0 for a slot without values.
std::optional<Law> find_same(const SlotView& slot);

// The law, or why there is none. A slot without any values has the law 0.
// `neighbor_loop`: of the loop around a call, or null.
struct NeighborLoop;
Inference<Law> find_law(const SlotView& slot, LawSearch& search,
                        const NeighborLoop* neighbor_loop = nullptr);

// An expression over the indices of the loops around, and of the list, or why there is none.
Inference<Law> find_indexed(const SlotView& slot, trace::Encoding e, LawSearch& search);

// Whether an indexed law has all values of the slot.
bool explains(const SlotView& slot, const Law& law, const LawSearch& search);

}  // namespace reprise::extrapolate
