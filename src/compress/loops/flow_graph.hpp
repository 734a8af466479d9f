// Which site follows which, over any number of streams: what the loops of a trace are made from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compress/fold/stream_folder.hpp"

namespace reprise::compress {

// A site in terms that hold in every process: the name of the function and a call path by content.
struct SiteName {
  std::string function;
  std::uint64_t callpath = 0;  // hash of its frames

  auto operator<=>(const SiteName&) const = default;
};

// By site of a stream, which sites come next and how often.
std::vector<std::map<std::uint32_t, std::uint64_t>> steps_of(const FoldedStream& stream);

class FlowGraph {
 public:
  FlowGraph() = default;
  // The graph of one stream; `names` are those of its sites, in the same order.
  FlowGraph(const FoldedStream& stream, const std::vector<SiteName>& names);

  // Adds the sites and edges of another graph.
  void merge(const FlowGraph& other);

  std::size_t size() const { return sites_.size(); }
  const SiteName& name(std::uint32_t site) const { return sites_[site].name; }
  bool has(const SiteName& name) const { return index_.contains(name); }

  // Sites in program order, as well as the first executions tell it: that of every stream if there
  // is such an order; where streams contradict each other, each behind the one that it followed
  // when it was added. Cost: O(n log n) for sites and what followed them first.
  std::vector<std::uint32_t> order() const;

  // The graph of groups of sites. `group_of`: by site, the group that it is in, or the number of
  // groups for a site outside; what is outside is one more group behind the others. Steps within a
  // group of several sites are left out. A step that `is_kept(from, to)` denies goes outside and
  // comes back from there. Cost: O(n log n) for what the sites in groups know of their predecessors
  // and successors.
  template <class IsKept>
  FlowGraph contracted(const std::vector<std::vector<std::uint32_t>>& groups,
                       const std::vector<std::uint32_t>& group_of, const IsKept& is_kept) const;

  // Whether each step between two of these sites leads from one to itself or to a later one.
  bool leads_forward(const std::vector<std::uint32_t>& sites) const;

  // The sites that come directly before `site`; kStart for the beginning of a stream.
  std::vector<std::uint32_t> predecessors(std::uint32_t site) const;

  // The sites from which some stream comes to `site` that comes from none of `others`; sorted.
  std::vector<std::uint32_t> arrives_without(std::uint32_t site,
                                             std::vector<std::uint32_t> others) const;
  // Whether some stream comes to `site` from none but those that `counts` is true of (kStart too).
  template <class Counts>
  bool arrives_only(std::uint32_t site, const Counts& counts) const {
    return std::ranges::any_of(sites_[site].arrivals, [&](const auto& sites) {
      return !sites.empty() && std::ranges::all_of(sites, counts);
    });
  }
  // The sites to which some stream goes from `site` that never goes from it to `other`; sorted.
  std::vector<std::uint32_t> leaves_without(std::uint32_t site, std::uint32_t other) const;
  // Whether some stream goes from `site` both to itself and to `other`.
  bool leaves_for_both(std::uint32_t site, std::uint32_t other) const;

  // The predecessors and successors of a site, counted in each set of them that streams have: about
  // the cost of the questions above.
  std::size_t edges_by_stream(std::uint32_t site) const;

  // graph := varint sites, (text function, fixed64 callpath){sites}, varint order{sites},
  //          (sites first_behind, steps, sets arrivals, sets departures){sites}
  // steps := varint size, (varint site, varint times)*
  // sites := varint size, (varint site + 1, or 0 for the start)*
  // sets  := varint sets, (sites)*
  void encode(ByteWriter& out) const;
  static FlowGraph decode(ByteReader& in);

  static constexpr std::uint32_t kStart = ~std::uint32_t{0};

 private:
  // The sets of predecessors, or successors, that a site has in different streams.
  using SiteSets = std::vector<std::vector<std::uint32_t>>;

  struct Site {
    SiteName name;
    // The sites whose first execution comes next behind that of this one, in any stream; sorted.
    std::vector<std::uint32_t> first_behind;
    std::map<std::uint32_t, std::uint64_t> steps;  // site that came next -> how often
    SiteSets arrivals, departures;
  };

  static void add_set(SiteSets& sets, std::vector<std::uint32_t> sites);
  static std::vector<std::uint32_t> without(const SiteSets& sets,
                                            const std::vector<std::uint32_t>& others);

  std::vector<Site> sites_;
  std::vector<std::uint32_t> order_;  // new ones stand behind the site that they followed
  std::map<SiteName, std::uint32_t> index_;
};

template <class IsKept>
FlowGraph FlowGraph::contracted(const std::vector<std::vector<std::uint32_t>>& groups,
                                const std::vector<std::uint32_t>& group_of,
                                const IsKept& is_kept) const {
  const auto outside = static_cast<std::uint32_t>(groups.size());
  FlowGraph out;
  out.sites_.resize(groups.size() + 1);
  std::vector<std::uint32_t> leaving;
  for (std::uint32_t g = 0; g < outside; ++g) {
    // The groups at the other ends of steps.
    const auto others = [&](const std::vector<std::uint32_t>& sites, const auto& keeps) {
      std::vector<std::uint32_t> ends;
      for (const std::uint32_t other : sites) {
        if (other == kStart) {
          ends.push_back(kStart);
        } else if (group_of[other] != g || groups[g].size() == 1) {
          ends.push_back(keeps(other) ? group_of[other] : outside);
        }
      }
      return ends;
    };
    for (const std::uint32_t s : groups[g]) {
      for (const auto& sites : sites_[s].arrivals) {
        auto from = others(sites, [&](std::uint32_t p) { return is_kept(p, s); });
        if (!from.empty()) add_set(out.sites_[g].arrivals, std::move(from));
      }
      for (const auto& sites : sites_[s].departures) {
        auto to = others(sites, [&](std::uint32_t t) { return is_kept(s, t); });
        if (std::ranges::find(to, outside) != to.end()) leaving.push_back(g);
        if (!to.empty() || sites.empty()) add_set(out.sites_[g].departures, std::move(to));
      }
    }
  }
  if (!leaving.empty()) add_set(out.sites_[outside].arrivals, std::move(leaving));
  for (std::uint32_t g = 0; g <= outside; ++g) out.order_.push_back(g);
  return out;
}

}  // namespace reprise::compress
