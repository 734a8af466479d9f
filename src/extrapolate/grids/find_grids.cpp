#include "extrapolate/grids/find_grids.hpp"

#include <algorithm>
#include <ranges>

#include "compress/merge/rank_columns.hpp"
#include "extrapolate/grids/peers.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {

std::vector<infer::GridRule> usual_rules() {
  using Kind = infer::GridRule::Kind;
  std::vector<infer::GridRule> out;
  for (const std::size_t dimensions : {2, 3, 4}) {
    out.push_back({.kind = Kind::power, .dimensions = dimensions});
    for (const Kind kind : {Kind::balanced, Kind::closest, Kind::greedy}) {
      for (const bool smallest_first : {true, false}) {
        out.push_back({.kind = kind, .dimensions = dimensions, .smallest_first = smallest_first});
      }
    }
  }
  return out;
}

namespace {

constexpr std::size_t kMostGrids = 3;
constexpr std::int64_t kMostDimensions = 8;

std::vector<infer::Samples> all_peers(const Aligned& inputs) {
  std::vector<infer::Samples> out;
  for (std::uint32_t site = 0; site < inputs.sites.size(); ++site) {
    const trace::Function& f = trace::function(inputs.sites[site].function);
    for (std::size_t c = 0; c < f.scalars.size(); ++c) {
      if (!compress::holds_ranks(f, c) || f.scalars[c].kind != trace::Kind::peer) continue;
      for (infer::Samples& peers : first_peers(inputs, site, c)) {
        const auto same = [&](const infer::Samples& other) {
          return std::ranges::equal(other.worlds, peers.worlds, [](const auto& a, const auto& b) {
            return a.world == b.world &&
                   std::ranges::equal(a.samples, b.samples, [](const auto& x, const auto& y) {
                     return x.rank == y.rank && x.value == y.value;
                   });
          });
        };
        if (std::ranges::none_of(out, same)) out.push_back(std::move(peers));
      }
    }
  }
  return out;
}

// The extents of the first grid that a call makes, the slowest dimension first, in every run;
// nothing if it makes none. [runs]
std::optional<std::vector<std::vector<std::int64_t>>> made_by(const Aligned& inputs,
                                                              std::uint32_t site) {
  const trace::Function& f = trace::function(inputs.sites[site].function);
  const auto dims = std::ranges::find(f.lists, "dims", &trace::Column::name);
  if (dims == f.lists.end()) return std::nullopt;
  const auto lengths = f.scalars.size() + 2 * static_cast<std::size_t>(dims - f.lists.begin());
  std::vector<std::vector<std::int64_t>> out;
  for (const Run& run : inputs.runs) {
    const trace::Series& length = run.columns[site][lengths].encoded.front().front();
    const trace::Series& elements = run.columns[site][lengths + 1].encoded.front().front();
    if (length.empty() || elements.empty() || length.at(0) > kMostDimensions) return std::nullopt;
    out.emplace_back();
    for (std::int64_t d = 0; d < length.at(0); ++d) {
      out.back().push_back(elements.at(static_cast<std::uint64_t>(d)));
    }
  }
  return out;
}

// Whether a rule has the extents of a call in all runs, in this order or in the other one.
bool makes(const infer::GridRule& rule, const Aligned& inputs,
           const std::vector<std::vector<std::int64_t>>& made, bool is_reversed) {
  for (std::size_t run = 0; run < made.size(); ++run) {
    auto extents = rule.extents(inputs.runs[run].ranks);
    if (!extents) return false;
    if (is_reversed) std::ranges::reverse(*extents);
    if (*extents != made[run]) return false;
  }
  return true;
}

// The colors of a call that splits all processes, by rank, in every run; nothing if it is another
// call, or some rank does not execute it. [runs x ranks]
std::optional<std::vector<std::vector<std::int64_t>>> colors_of(const Aligned& inputs,
                                                                std::uint32_t site) {
  const trace::Function& f = trace::function(inputs.sites[site].function);
  const auto color = std::ranges::find(f.scalars, "color", &trace::Column::name);
  const auto comm = std::ranges::find(f.scalars, "comm", &trace::Column::name);
  if (color == f.scalars.end() || comm == f.scalars.end()) return std::nullopt;
  std::vector<std::vector<std::int64_t>> out;
  for (const Run& run : inputs.runs) {
    out.emplace_back();
    for (std::size_t r = 0; r < static_cast<std::size_t>(run.ranks); ++r) {
      const auto first = [&](const auto& column) -> const trace::Series& {
        return run.columns[site][static_cast<std::size_t>(column - f.scalars.begin())]
            .encoded.front()[r];
      };
      if (first(color).empty() || first(comm).at(0) != 0) return std::nullopt;
      out.back().push_back(first(color).at(0));
    }
  }
  return out;
}

// Whether the colors are a coordinate in the grids of a rule, of which there are two widths or
// more.
bool splits_along(const infer::GridRule& rule, const Aligned& inputs,
                  const std::vector<std::vector<std::int64_t>>& colors) {
  for (std::size_t d = 0; d < rule.dimensions; ++d) {
    std::set<std::int64_t> widths;
    bool fits = true;
    for (std::size_t run = 0; run < colors.size() && fits; ++run) {
      const auto extents = rule.extents(inputs.runs[run].ranks);
      if (!extents) return false;
      std::int64_t stride = 1;
      for (std::size_t k = 0; k < d; ++k) stride *= (*extents)[k];
      for (std::size_t r = 0; r < colors[run].size() && fits; ++r) {
        fits = colors[run][r] == static_cast<std::int64_t>(r) / stride % (*extents)[d];
      }
      if ((*extents)[0] > 1 && extents->back() > 1) widths.insert((*extents)[0]);
    }
    if (fits && widths.size() > 1) return true;
  }
  return false;
}

// Rows and columns that a program splits off show a grid as well.
void see_split(const Aligned& inputs, const std::vector<infer::GridRule>& rules,
               std::set<std::size_t>& seen) {
  for (std::uint32_t site = 0; site < inputs.sites.size(); ++site) {
    const auto colors = colors_of(inputs, site);
    if (!colors) continue;
    for (std::size_t g = 0; g < rules.size(); ++g) {
      if (splits_along(rules[g], inputs, *colors)) seen.insert(g);
    }
  }
}

// Grids that the program makes are no guesses: those of the rules, or a usual one.
void see_made(const Aligned& inputs, std::vector<infer::GridRule>& rules,
              std::set<std::size_t>& seen) {
  for (std::uint32_t site = 0; site < inputs.sites.size(); ++site) {
    const auto made = made_by(inputs, site);
    if (!made) continue;
    bool is_known = false;
    for (std::size_t g = 0; g < rules.size(); ++g) {
      const bool is_made =
          makes(rules[g], inputs, *made, false) || makes(rules[g], inputs, *made, true);
      if (is_made) seen.insert(g);
      is_known = is_known || is_made;
    }
    if (is_known) continue;
    // The last dimension of MPI's grids varies fastest.
    const auto usual = usual_rules();
    const auto rule = std::ranges::find_if(
        usual, [&](const infer::GridRule& r) { return makes(r, inputs, *made, true); });
    if (rule == usual.end()) continue;
    seen.insert(rules.size());
    rules.push_back(*rule);
  }
}

}  // namespace

Grids find_grids(const Aligned& inputs, std::int64_t ranks,
                 const std::vector<std::int64_t>& wanted) {
  std::vector<infer::GridRule> rules;
  std::vector<infer::Samples> sites = all_peers(inputs);
  while (rules.size() < kMostGrids && !sites.empty()) {
    const auto fits = infer::infer_grid(sites);
    if (fits.empty()) break;
    for (const infer::GridFit& fit : fits) {
      // What is a square in all inputs is no oblong at the target, unless that is asked for.
      const bool simplest = &fit == &fits.front();
      if (!simplest && wanted.empty() && !fits.front().rule.extents(ranks)) break;
      if (rules.size() < kMostGrids) rules.push_back(fit.rule);
    }
    const auto& explained = fits.front().explained;
    std::vector<infer::Samples> rest;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      if (std::ranges::find(explained, i) == explained.end()) rest.push_back(std::move(sites[i]));
    }
    sites = std::move(rest);
  }
  std::set<std::size_t> seen;
  for (std::size_t g = 0; g < rules.size(); ++g) seen.insert(g);
  // What shows no neighbors may still follow a grid, as a transpose does.
  using Kind = infer::GridRule::Kind;
  for (const bool smallest_first : {true, false}) {
    const infer::GridRule rule{
        .kind = Kind::balanced, .dimensions = 2, .smallest_first = smallest_first};
    const auto same = [&](const infer::GridRule& r) {
      return r.kind == rule.kind && r.dimensions == 2 && r.smallest_first == smallest_first;
    };
    const bool missing = wanted.empty() && std::ranges::any_of(rules, [&](const auto& r) {
                           return r.dimensions == 2 && !r.extents(ranks);
                         });
    if (!missing && std::ranges::none_of(rules, same)) rules.push_back(rule);
  }
  see_made(inputs, rules, seen);
  see_split(inputs, rules, seen);
  return {std::move(rules), std::move(seen), wanted};
}

}  // namespace reprise::extrapolate
