// Cartesian topologies, as far as it takes to know who has neighbours where.
#pragma once

#include <cstdint>
#include <vector>

namespace reprise::analyze {

struct Grid {
  std::vector<std::int64_t> dims;     // processes in each dimension, the slowest first
  std::vector<std::int64_t> periods;  // 0: ends at its borders

  bool operator==(const Grid&) const = default;
};

// The dimensions of a grid that MPI_Cart_sub keeps.
Grid sub_grid(const Grid& grid, const std::vector<std::int64_t>& remain);

// Which of the neighbours of a rank are MPI_PROC_NULL, in MPI's order: two in each dimension, the
// lower one first. Ranks are laid out row by row (MPI 3.1, section 7.2).
std::vector<bool> null_neighbors(const Grid& grid, std::int64_t rank);

}  // namespace reprise::analyze
