#include "infer/grid.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "infer/digits.hpp"
#include "trace/values/special.hpp"

namespace reprise::infer {
namespace {

// The same offset of the rank, modulo the number of ranks, in all worlds.
bool is_plain_offset(const Samples& site) {
  Samples line = site;
  for (WorldSamples& w : line.worlds) w.world.extents = {w.world.ranks};
  return find_digit_offset(line).has_value();
}

std::vector<GridRule> rules(std::span<const Samples> sites) {
  using Kind = GridRule::Kind;
  std::vector<GridRule> out;
  std::vector<std::int64_t> divisors;
  for (std::int64_t d = 2; d <= 64; ++d) {
    bool divides = true;
    for (const Samples& s : sites) {
      for (const WorldSamples& w : s.worlds) divides &= w.world.ranks % d == 0;
    }
    if (divides) divisors.push_back(d);
  }
  for (std::size_t n = 2; n <= expr::kMaxDimensions; ++n) {
    out.push_back({.kind = Kind::power, .dimensions = n});
    for (const Kind kind : {Kind::balanced, Kind::closest, Kind::greedy}) {
      if (kind == Kind::greedy && n == 2) continue;
      for (const bool smallest_first : {true, false}) {
        out.push_back({.kind = kind, .dimensions = n, .smallest_first = smallest_first});
      }
    }
    for (const std::int64_t d : divisors) {
      for (std::size_t i = 0; i < n; ++i) {
        for (const bool smallest_first : {true, false}) {
          if (n == 2 && !smallest_first) continue;
          out.push_back({Kind::fixed, n, smallest_first, i, d, {}});
        }
      }
    }
  }
  return out;
}

// Few runs, all of whose grids are small, have some row length in which a peer is a few rows away.
bool is_far(std::int64_t step) { return step < -2 || step > 2; }

// The site's steps if the worlds have these extents.
std::optional<DigitOffset> steps_on(Samples site, const std::map<std::int64_t, World>& worlds) {
  for (WorldSamples& w : site.worlds) {
    const auto found = worlds.find(w.world.ranks);
    if (found == worlds.end()) return std::nullopt;
    w.world = found->second;
  }
  return find_digit_offset(site);
}

// Grids without a rule: those of the largest world that explain the most sites, and for every other
// world the first with which the same sites have the same steps.
std::optional<GridFit> listed_grid(std::span<const Samples> sites,
                                   std::span<const std::size_t> candidates) {
  std::map<std::int64_t, World> worlds;
  for (const std::size_t i : candidates) {
    for (const WorldSamples& w : sites[i].worlds)
      worlds.emplace(w.world.ranks, World{w.world.ranks, {}});
  }
  const auto only = [&](const Samples& site, const std::map<std::int64_t, World>& known) {
    Samples part{site.parameters, {}};
    for (const WorldSamples& w : site.worlds) {
      if (known.contains(w.world.ranks)) part.worlds.push_back(w);
    }
    return part;
  };
  for (std::size_t n = 2; n <= expr::kMaxDimensions; ++n) {
    std::optional<GridFit> best;
    for (auto& first : factorizations(worlds.rbegin()->first, n)) {
      std::map<std::int64_t, World> known;
      known[worlds.rbegin()->first] = {worlds.rbegin()->first, first};
      std::vector<std::size_t> explained(candidates.begin(), candidates.end());
      const auto keep = [&] {
        std::vector<std::size_t> kept;
        for (const std::size_t i : explained) {
          if (steps_on(only(sites[i], known), known)) kept.push_back(i);
        }
        return kept;
      };
      explained = keep();
      for (auto w = std::next(worlds.rbegin()); w != worlds.rend() && !explained.empty(); ++w) {
        std::vector<std::size_t> most;
        World chosen;
        for (auto& extents : factorizations(w->first, n)) {
          known[w->first] = {w->first, extents};
          if (auto kept = keep(); kept.size() > most.size()) {
            most = std::move(kept);
            chosen = known[w->first];
          }
        }
        known[w->first] = chosen;
        explained = std::move(most);
      }
      if (explained.empty() || (best && explained.size() <= best->explained.size())) continue;
      best = GridFit{{.kind = GridRule::Kind::listed, .dimensions = n}, explained};
      for (const auto& [ranks, world] : known) best->rule.listed.push_back(world);
    }
    if (best) return best;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Samples> on_grid(const Samples& samples, const GridRule& rule) {
  Samples out = samples;
  for (WorldSamples& w : out.worlds) {
    auto extents = rule.extents(w.world.ranks);
    if (!extents) return std::nullopt;
    w.world.extents = std::move(*extents);
  }
  return out;
}

std::vector<GridFit> infer_grid(std::span<const Samples> sites) {
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (!sites[i].worlds.empty() && !is_plain_offset(sites[i])) candidates.push_back(i);
  }
  if (candidates.empty()) return {};
  struct Fit : GridFit {
    std::size_t far = 0;  // sites whose peers are no close neighbors
  };
  std::vector<Fit> fits;
  for (const GridRule& rule : rules(sites)) {
    Fit fit{{rule, {}}};
    std::vector<bool> stepped(rule.dimensions, false);
    for (const std::size_t i : candidates) {
      const auto placed = on_grid(sites[i], rule);
      const auto offset = placed ? find_digit_offset(*placed) : std::nullopt;
      if (!offset) continue;
      fit.explained.push_back(i);
      fit.far += std::ranges::any_of(offset->steps, is_far) ? 1 : 0;
      for (std::size_t d = 0; d < rule.dimensions; ++d) {
        if (offset->steps[d] != 0) stepped[d] = true;
      }
    }
    // Dimensions along which nobody is a neighbor make any row length; one of them may be there.
    const auto along = static_cast<std::size_t>(std::count(stepped.begin(), stepped.end(), true));
    if (!fit.explained.empty() && along + 1 >= rule.dimensions) fits.push_back(std::move(fit));
  }
  if (fits.empty()) {
    const auto listed = listed_grid(sites, candidates);
    return listed ? std::vector{*listed} : std::vector<GridFit>{};
  }
  std::ranges::stable_sort(fits, {}, &Fit::far);
  std::ranges::stable_sort(fits, std::greater<>(), [](const Fit& f) { return f.explained.size(); });
  const std::size_t most = fits.front().explained.size();
  std::erase_if(fits, [&](const Fit& f) { return f.explained.size() < most; });
  return {fits.begin(), fits.end()};
}

}  // namespace reprise::infer
