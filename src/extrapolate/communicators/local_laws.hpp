// Laws of the calls in a communicator, over the rank in it and its size.
//
// A component on a third of all ranks, a row of a grid, or one half of a half is treated as a world
// of its own: samples of all communicators of one size, in all runs, are samples of one world.
#pragma once

#include "extrapolate/grids/frozen_extents.hpp"
#include "extrapolate/laws/find_law.hpp"

namespace reprise::extrapolate {

class LocalLaws {
 public:
  // `grids`: of all ranks; `target`: the number of ranks extrapolated to. Cost: that of finding
  // grids.
  LocalLaws(const Aligned& inputs, const Grids& grids, std::int64_t target);

  // The law of a column of a call in such a communicator. Where there are no samples of
  // communicators, as where the call is in MPI_COMM_WORLD throughout: NoLaw::Why::not_local.
  Inference<Law> find(const Slot& slot, const SlotView& view);

  // Of samples whose worlds are communicators.
  Inference<NumberLaw> find(const infer::Samples& samples) { return search_.find(samples); }

  // Those of all ranks, and behind them those of the communicators: what the laws name.
  const std::vector<infer::GridRule>& rules() const { return search_.grids().rules; }

 private:
  const Aligned* inputs_;
  LawSearch search_;
  FrozenExtents frozen_;
};

}  // namespace reprise::extrapolate
