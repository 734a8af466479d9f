// The values of a place by stream and iteration, from which laws over both are found.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program/grid/space.hpp"
#include "program/values/alike.hpp"

namespace reprise::program {

// A value of a stream at the indices of the loops inside.
struct Cell {
  std::uint64_t stream = 0;
  std::size_t at = 0;  // index into Cells::indices
  std::int64_t value = 0;
};

// All values of a place within one entry.
struct Cells {
  std::size_t scope = 0;                           // loops that are outside
  std::vector<std::vector<std::int64_t>> indices;  // those at which any stream executes, in order
  std::vector<Cell> cells;                         // stream after stream
};

// `values`: of all streams that ask; ranks become those of MPI_COMM_WORLD. None: no loop is inside,
// or there are too many values. Cost: streams x executions of an entry.
std::optional<Cells> cells_of(const Space& space, const Split& values, const ValueSite& site);

}  // namespace reprise::program
