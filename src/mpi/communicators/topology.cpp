#include "mpi/communicators/topology.hpp"

#include <algorithm>

#include "mpi/arguments.hpp"
#include "trace/values/special.hpp"

namespace reprise::mpi {

using trace::Kind;
using List = std::vector<std::int64_t>;

namespace {

// At least 1, even in a damaged trace.
std::int64_t extent_of(const Grid& grid, std::size_t dimension) {
  return std::max<std::int64_t>(1, grid.dims[dimension]);
}

}  // namespace

Grid sub_grid(const Grid& grid, const List& remain) {
  Grid out;
  const std::size_t n = std::min({remain.size(), grid.dims.size(), grid.periods.size()});
  for (std::size_t i = 0; i < n; ++i) {
    if (remain[i] == 0) continue;
    out.dims.push_back(grid.dims[i]);
    out.periods.push_back(grid.periods[i]);
  }
  return out;
}

std::int64_t dropped_coordinates(const Grid& grid, const List& remain, std::int64_t rank) {
  std::int64_t out = 0, weight = 1;
  for (std::size_t d = grid.dims.size(); d-- > 0;) {
    const std::int64_t extent = extent_of(grid, d), at = rank % extent;
    rank /= extent;
    if (d < remain.size() && remain[d] != 0) continue;
    out = trace::wrapping_add(out, trace::wrapping_mul(at, static_cast<std::uint64_t>(weight)));
    weight = trace::wrapping_mul(weight, static_cast<std::uint64_t>(extent));
  }
  return out;
}

std::int64_t count_present(const List& neighbors) {
  return std::ranges::count_if(neighbors, [](std::int64_t r) { return r != trace::kProcNull; });
}

Neighbors grid_neighbors(const Grid& grid, std::int64_t rank) {
  List out(2 * grid.dims.size());
  std::int64_t rest = rank, stride = 1;
  for (std::size_t d = grid.dims.size(); d-- > 0;) {
    const std::int64_t extent = extent_of(grid, d), at = rest % extent;
    rest /= extent;
    const bool wraps = d < grid.periods.size() && grid.periods[d] != 0;
    const auto neighbor = [&](std::int64_t to) {
      if ((to < 0 || to >= extent) && !wraps) return trace::kProcNull;
      const std::int64_t there = to < 0 ? extent - 1 : to >= extent ? 0 : to;
      return trace::wrapping_add(rank, trace::wrapping_mul(trace::wrapping_sub(there, at),
                                                           static_cast<std::uint64_t>(stride)));
    };
    out[2 * d] = neighbor(at - 1);
    out[2 * d + 1] = neighbor(at + 1);
    stride = trace::wrapping_mul(stride, static_cast<std::uint64_t>(extent));
  }
  return {out, out};
}

Neighbors named_neighbors(const trace::Event& event, std::int64_t rank) {
  Neighbors out;
  if (const List* index = list_named(event, "index")) {
    const List* edges = list_named(event, "edges");
    if (!edges || rank < 0 || rank >= std::ssize(*index)) return out;
    const auto own = static_cast<std::size_t>(rank);
    const std::int64_t first = std::max<std::int64_t>(0, own > 0 ? (*index)[own - 1] : 0);
    const std::int64_t end = std::min<std::int64_t>((*index)[own], std::ssize(*edges));
    if (first < end) out.sources.assign(edges->begin() + first, edges->begin() + end);
    out.destinations = out.sources;
    return out;
  }
  const List *sources = list_named(event, "sources"),
             *destinations = list_named(event, "destinations");
  if (sources && destinations && !list_named(event, "degrees")) return {*sources, *destinations};
  return out;
}

std::vector<Edge> named_edges(const trace::Event& event) {
  std::vector<Edge> out;
  const List *sources = list_named(event, "sources"), *degrees = list_named(event, "degrees"),
             *destinations = list_named(event, "destinations");
  if (!sources || !degrees || !destinations) return out;
  std::size_t at = 0;
  for (std::size_t i = 0; i < degrees->size() && i < sources->size(); ++i) {
    for (std::int64_t k = 0; k < (*degrees)[i] && at < destinations->size(); ++k, ++at)
      out.push_back({(*sources)[i], (*destinations)[at]});
  }
  return out;
}

bool makes_duplicate(const trace::Function& f) {
  namespace traits = trace::traits;
  const auto made = trace::made_column(f, Kind::comm);
  if (!made || (f.traits & (traits::kInter | traits::kIntra | traits::kLocal)) ||
      !(f.traits & traits::kCollective) || !f.lists.empty()) {
    return false;
  }
  // The only input is a communicator.
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    const Kind kind = f.scalars[c].kind;
    const bool is_place = c == *made + 1 || c == *made + 2;
    if (!is_place && kind != Kind::comm && kind != Kind::polls && kind != Kind::request)
      return false;
  }
  return true;
}

}  // namespace reprise::mpi
