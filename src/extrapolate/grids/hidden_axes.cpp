#include "extrapolate/grids/hidden_axes.hpp"

#include <algorithm>
#include <vector>

#include "extrapolate/grids/find_grids.hpp"
#include "extrapolate/grids/peers.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using AxisWidths = std::vector<std::int64_t>;
using infer::GridRule;
using infer::WorldSamples;

// Whether each rank is its own peer.
bool is_own(const WorldSamples& world) {
  return world.world.ranks > 1 &&
         std::ranges::all_of(world.samples, [](const auto& s) { return s.value == s.rank; });
}

// Whether a rank is at most one step from another, along one axis of a torus.
bool is_step(std::int64_t rank, std::int64_t peer, const AxisWidths& extents) {
  std::size_t steps = 0;
  for (const std::int64_t extent : extents) {
    const std::int64_t apart = (peer % extent - rank % extent + extent) % extent;
    if (apart != 0 && apart != 1 && apart != extent - 1) return false;
    steps += apart != 0;
    rank /= extent;
    peer /= extent;
  }
  return steps <= 1;
}

// Whether all peers are neighbors on the grids of a rule, or the rank itself.
bool explains(const GridRule& rule, const std::vector<infer::Samples>& peers) {
  for (const infer::Samples& execution : peers) {
    for (const WorldSamples& w : execution.worlds) {
      const auto extents = rule.extents(w.world.ranks);
      if (!extents) return false;
      const auto is_neighbor = [&](const auto& s) {
        return s.value == trace::kProcNull || is_step(s.rank, s.value, *extents);
      };
      if (!std::ranges::all_of(w.samples, is_neighbor)) return false;
    }
  }
  return true;
}

// The extents that are not 1, in ascending order.
AxisWidths wide(AxisWidths extents) {
  std::erase(extents, 1);
  std::ranges::sort(extents);
  return extents;
}

// Whether on some input each rank is its own peer, and the law's grid has no axis there that is one
// rank wide.
bool has_hidden_axis(const std::vector<infer::Samples>& peers, const Grids& grids,
                     std::optional<std::size_t> grid) {
  for (const infer::Samples& execution : peers) {
    for (const WorldSamples& w : execution.worlds) {
      if (!is_own(w)) continue;
      const auto own = grid ? grids.rules[*grid].extents(w.world.ranks) : std::nullopt;
      if (!own || std::ranges::find(*own, 1) == own->end()) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::string> doubt_of_hidden_axes(const Aligned& inputs, std::uint32_t site,
                                                std::size_t column, std::int64_t target,
                                                const Grids& grids,
                                                std::optional<std::size_t> grid) {
  if (!grids.wanted.empty()) return std::nullopt;
  const std::vector<infer::Samples> peers = first_peers(inputs, site, column);
  if (!has_hidden_axis(peers, grids, grid)) return std::nullopt;
  // Who is its own peer always says nothing of others.
  const auto is_always_own = [](const infer::Samples& s) {
    return std::ranges::all_of(s.worlds, is_own);
  };
  if (std::ranges::all_of(peers, is_always_own)) return std::nullopt;
  const auto own = grid ? grids.rules[*grid].extents(target) : AxisWidths{target};
  for (const GridRule& rule : usual_rules()) {
    const auto extents = rule.extents(target);
    if (!extents || !own || wide(*extents) == wide(*own) || !explains(rule, peers)) continue;
    return "ranks are their own peers, as along an axis that is one rank wide, and " +
           infer::extents_text(wide(*own)) + " and " + infer::extents_text(*extents) + " on " +
           std::to_string(target) +
           " ranks both fit the peers of the inputs; use --grid, or add a run that decides";
  }
  return std::nullopt;
}

}  // namespace reprise::extrapolate
