#include "analyze/grid.hpp"

#include <algorithm>

namespace reprise::analyze {

Grid sub_grid(const Grid& grid, const std::vector<std::int64_t>& remain) {
  Grid out;
  const std::size_t n = std::min({remain.size(), grid.dims.size(), grid.periods.size()});
  for (std::size_t i = 0; i < n; ++i) {
    if (remain[i] == 0) continue;
    out.dims.push_back(grid.dims[i]);
    out.periods.push_back(grid.periods[i]);
  }
  return out;
}

std::vector<bool> null_neighbors(const Grid& grid, std::int64_t rank) {
  std::vector<bool> out(2 * grid.dims.size(), false);
  for (std::size_t i = grid.dims.size(); i-- > 0;) {
    const std::int64_t size = std::max<std::int64_t>(1, grid.dims[i]), at = rank % size;
    rank /= size;
    if (i < grid.periods.size() && grid.periods[i] != 0) continue;
    out[2 * i] = at == 0;
    out[2 * i + 1] = at == size - 1;
  }
  return out;
}

}  // namespace reprise::analyze
