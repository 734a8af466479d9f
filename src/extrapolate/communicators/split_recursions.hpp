// Recursions that split communicators: each call of MPI_Comm_split splits the communicator that the
// preceding call created, until no rank splits again.
//
// How deep a rank gets there has no closed form in general: (2 n + 2) / 3 ranks go on, then two
// thirds of these, and so on. But its rank in the communicator and the size of that determine
// whether a rank splits again, and its color and key: the depth of each rank at any number of ranks
// follows by splitting (LocalValues::depths). Trips and the numbers of communicators that count
// from there are laws of what is left when the depth is taken away (Law::depth).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "extrapolate/communicators/local_laws.hpp"
#include "extrapolate/laws/find_law.hpp"
#include "extrapolate/scalable.hpp"
#include "trace/calls/split_columns.hpp"

namespace reprise::extrapolate {

// The recursions of a program, and how deep they are in its inputs.
class SplitRecursions {
 public:
  // Those that ranks leave at different depths, one for each call site that splits its own; none
  // where sizes of the problem are declared. Cost: all executions of splits.
  SplitRecursions(const Aligned& inputs, LocalLaws& local, LawSearch& search);

  const std::vector<Descent>& all() const { return all_; }
  bool is_of(std::uint32_t site) const {
    return std::ranges::find(all_, site, &Descent::site) != all_.end();
  }
  // What is left of a slot's values when the depth is taken away, of each rank or of rank 0: the
  // view of it. Nothing where the values cannot contain the depth. Trips have that of their rank,
  // as the last communicator has; those made behind the recursion are numbered from what rank 0 has
  // made.
  std::optional<SlotView> without(const Depth& depth, const Slot& slot, const SlotView& view) const;

 private:
  struct Levels {
    std::int64_t first = 0;            // the communicator that is split first
    std::vector<std::int64_t> depths;  // [ranks]
  };

  const Aligned* inputs_;
  std::vector<Descent> all_;
  std::vector<std::vector<Levels>> levels_;  // [descents x runs]

  static std::optional<Levels> levels_of(const Run& run, std::uint32_t site,
                                         const trace::SplitColumns& columns);
};

}  // namespace reprise::extrapolate
