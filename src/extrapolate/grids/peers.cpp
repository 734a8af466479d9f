#include "extrapolate/grids/peers.hpp"

#include <optional>

#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

constexpr std::uint64_t kPositions = 8;  // executions of a site that are looked at

// The peers of the k-th execution; nothing if a rank that comes here does so less often, or if a
// value is neither a rank nor MPI_PROC_NULL.
std::optional<infer::Samples> peers_at(const Aligned& inputs, std::uint32_t site,
                                       std::size_t column, std::uint64_t k) {
  infer::Samples out;
  std::size_t n = 0;
  for (const Run& run : inputs.runs) {
    infer::WorldSamples world{{run.ranks, {}}, {}};
    const auto& encoded = run.columns[site][column].encoded.front();
    for (std::int64_t r = 0; r < run.ranks; ++r) {
      const trace::Series& s = encoded[static_cast<std::size_t>(r)];
      if (s.empty()) continue;
      if (run.executions[site][static_cast<std::size_t>(r)] <= k) return std::nullopt;
      const std::int64_t v = s.at(k);
      if ((trace::is_special(v) && v != trace::kProcNull) || v >= run.ranks) return std::nullopt;
      world.samples.push_back({r, v, {}});
      ++n;
    }
    if (!world.samples.empty()) out.worlds.push_back(std::move(world));
  }
  if (n == 0 || out.worlds.size() < 2) return std::nullopt;
  return out;
}

}  // namespace

std::vector<infer::Samples> first_peers(const Aligned& inputs, std::uint32_t site,
                                        std::size_t column) {
  std::vector<infer::Samples> out;
  for (std::uint64_t k = 0; k < kPositions; ++k) {
    auto peers = peers_at(inputs, site, column, k);
    if (!peers) break;
    out.push_back(std::move(*peers));
  }
  return out;
}

}  // namespace reprise::extrapolate
