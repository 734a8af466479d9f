#include "compress/flow_graph.hpp"

#include <algorithm>
#include <set>

#include "compress/strong_parts.hpp"

namespace reprise::compress {
namespace {

// Beyond so many different sets of neighbours of one site, further ones are united with the last:
// the sets only serve to tell nested loops from branches.
constexpr std::size_t kMaxWays = 64;

// Adds the values of terms that do not move; false if one does.
bool collect(const std::vector<trace::Term>& terms, std::set<std::int64_t>& out) {
  for (const trace::Term& t : terms) {
    if (t.step != 0) return false;
    if (t.is_run()) {
      out.insert(t.value);
    } else if (!collect(t.body, out)) {
      return false;
    }
  }
  return true;
}

// The distinct values among the first n of a series.
std::set<std::int64_t> distinct(const trace::Series& series, std::uint64_t n) {
  std::set<std::int64_t> out;
  if (collect(series.terms(), out)) return out;
  out.clear();
  trace::SeriesCursor c(series);
  while (n > 0 && !c.at_end()) {
    const std::uint64_t same = c.step() == 0 ? std::min(n, c.peek_count()) : 1;
    out.insert(c.peek());
    c.skip(same);
    n -= same;
  }
  return out;
}

}  // namespace

FlowGraph::FlowGraph(const FoldedStream& stream, const std::vector<SiteName>& names) {
  std::vector<std::vector<std::uint32_t>> predecessors(stream.sites.size());
  std::vector<std::vector<std::uint32_t>> successors(stream.sites.size());
  if (!stream.sites.empty()) predecessors[0].push_back(kStart);
  for (std::uint32_t i = 0; i < stream.sites.size(); ++i) {
    const FoldedSite& site = stream.sites[i];
    for (const std::int64_t next : distinct(site.successors, site.followed)) {
      predecessors[static_cast<std::size_t>(next)].push_back(i);
      successors[i].push_back(static_cast<std::uint32_t>(next));
    }
  }
  for (std::uint32_t i = 0; i < stream.sites.size(); ++i) {
    sites_.push_back({names[i], {}, {}, {}});
    if (i > 0) sites_[i - 1].first_behind.push_back(i);
    order_.push_back(i);
    index_.emplace(names[i], i);
    add_way(sites_[i].arrivals, std::move(predecessors[i]));
    add_way(sites_[i].departures, std::move(successors[i]));
  }
}

void FlowGraph::add_way(Ways& ways, std::vector<std::uint32_t> sites) {
  std::ranges::sort(sites);
  if (std::ranges::find(ways, sites) != ways.end()) return;
  if (ways.size() < kMaxWays) {
    ways.push_back(std::move(sites));
    return;
  }
  std::vector<std::uint32_t> both;
  std::ranges::set_union(ways.back(), sites, std::back_inserter(both));
  ways.back() = std::move(both);
}

void FlowGraph::merge(const FlowGraph& other) {
  std::vector<std::uint32_t> here(other.sites_.size());
  std::vector<std::vector<std::uint32_t>> behind(sites_.size() + other.sites_.size());
  std::vector<std::uint32_t> front;
  std::uint32_t before = kStart;
  for (const std::uint32_t theirs : other.order_) {
    const auto [entry, is_new] =
        index_.emplace(other.sites_[theirs].name, static_cast<std::uint32_t>(sites_.size()));
    here[theirs] = entry->second;
    if (is_new) {
      sites_.push_back({other.sites_[theirs].name, {}, {}, {}});
      (before == kStart ? front : behind[before]).push_back(entry->second);
    }
    before = entry->second;
  }
  // A new site may stand behind another new one: place them depth first.
  std::vector<std::uint32_t> order;
  const auto place = [&](std::uint32_t first) {
    std::vector<std::uint32_t> stack{first};
    while (!stack.empty()) {
      const std::uint32_t s = stack.back();
      stack.pop_back();
      order.push_back(s);
      stack.insert(stack.end(), behind[s].rbegin(), behind[s].rend());
    }
  };
  for (const std::uint32_t s : front) place(s);
  for (const std::uint32_t s : order_) place(s);
  order_ = std::move(order);

  const auto add = [&here](Ways& ways, const Ways& theirs) {
    for (std::vector<std::uint32_t> way : theirs) {
      for (std::uint32_t& s : way) s = s == kStart ? kStart : here[s];
      add_way(ways, std::move(way));
    }
  };
  for (std::uint32_t theirs = 0; theirs < other.sites_.size(); ++theirs) {
    std::vector<std::uint32_t>& behind_here = sites_[here[theirs]].first_behind;
    for (const std::uint32_t s : other.sites_[theirs].first_behind) {
      const auto at = std::ranges::lower_bound(behind_here, here[s]);
      if (at == behind_here.end() || *at != here[s]) behind_here.insert(at, here[s]);
    }
    add(sites_[here[theirs]].arrivals, other.sites_[theirs].arrivals);
    add(sites_[here[theirs]].departures, other.sites_[theirs].departures);
  }
}

std::vector<std::uint32_t> FlowGraph::order() const {
  std::vector<Sites> behind;
  for (const Site& s : sites_) behind.push_back(s.first_behind);
  std::vector<std::uint32_t> place(size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) place[order_[i]] = i;
  std::vector<std::uint32_t> out;
  const auto any = [](std::uint32_t) { return true; };
  for (Sites part : StrongParts(size()).find_in_order(order_, behind, any, place)) {
    std::ranges::sort(part, {}, [&place](std::uint32_t s) { return place[s]; });
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

std::vector<std::uint32_t> FlowGraph::predecessors(std::uint32_t site) const {
  std::set<std::uint32_t> all;
  for (const auto& arrival : sites_[site].arrivals) all.insert(arrival.begin(), arrival.end());
  return {all.begin(), all.end()};
}

// The sites in those ways that have none of `others`, which are sorted.
std::vector<std::uint32_t> FlowGraph::without(const Ways& ways,
                                              const std::vector<std::uint32_t>& others) {
  std::vector<std::uint32_t> out;
  for (const auto& way : ways) {
    if (std::ranges::none_of(
            way, [&](std::uint32_t s) { return std::ranges::binary_search(others, s); })) {
      out.insert(out.end(), way.begin(), way.end());
    }
  }
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

std::vector<std::uint32_t> FlowGraph::arrives_without(std::uint32_t site,
                                                      std::vector<std::uint32_t> others) const {
  std::ranges::sort(others);
  return without(sites_[site].arrivals, others);
}

std::vector<std::uint32_t> FlowGraph::leaves_without(std::uint32_t site,
                                                     std::uint32_t other) const {
  return without(sites_[site].departures, {other});
}

bool FlowGraph::leaves_for_both(std::uint32_t site, std::uint32_t other) const {
  return std::ranges::any_of(sites_[site].departures, [&](const auto& way) {
    return std::ranges::binary_search(way, site) && std::ranges::binary_search(way, other);
  });
}

std::size_t FlowGraph::ways_of(std::uint32_t site) const {
  std::size_t n = 0;
  for (const Ways* ways : {&sites_[site].arrivals, &sites_[site].departures}) {
    for (const auto& way : *ways) n += way.size();
  }
  return n;
}

void FlowGraph::encode(ByteWriter& out) const {
  out.varint(sites_.size());
  for (const Site& s : sites_) {
    out.text(s.name.function);
    out.fixed64(s.name.callpath);
  }
  for (const std::uint32_t s : order_) out.varint(s);
  const auto encode_sites = [&out](const std::vector<std::uint32_t>& sites) {
    out.varint(sites.size());
    for (const std::uint32_t p : sites) out.varint(p == kStart ? 0 : std::uint64_t{p} + 1);
  };
  for (const Site& s : sites_) {
    encode_sites(s.first_behind);
    for (const Ways* ways : {&s.arrivals, &s.departures}) {
      out.varint(ways->size());
      for (const auto& way : *ways) encode_sites(way);
    }
  }
}

FlowGraph FlowGraph::decode(ByteReader& in) {
  FlowGraph graph;
  graph.sites_.resize(in.count(9));
  const std::size_t n = graph.sites_.size();
  for (std::size_t i = 0; i < n; ++i) {
    Site& s = graph.sites_[i];
    s.name.function = in.text();
    s.name.callpath = in.fixed64();
    if (!graph.index_.emplace(s.name, static_cast<std::uint32_t>(i)).second)
      in.fail("a call site that comes twice");
  }
  const auto site = [&](std::uint64_t value) {
    if (value >= n) in.fail("a call site that is not there");
    return static_cast<std::uint32_t>(value < n ? value : 0);
  };
  std::vector<bool> placed(n, false);
  for (std::size_t i = 0; i < n && !in.failed(); ++i) {
    const std::uint32_t s = site(in.varint());
    if (placed[s]) in.fail("a call site that comes twice");
    placed[s] = true;
    graph.order_.push_back(s);
  }
  const auto decode_sites = [&](std::vector<std::uint32_t>& sites) {
    sites.resize(in.count());
    for (std::uint32_t& p : sites) {
      const std::uint64_t value = in.varint();
      p = value == 0 ? kStart : site(value - 1);
    }
    std::ranges::sort(sites);
  };
  for (Site& s : graph.sites_) {
    decode_sites(s.first_behind);
    if (std::ranges::find(s.first_behind, kStart) != s.first_behind.end())
      in.fail("a call site that is not there");
    for (Ways* ways : {&s.arrivals, &s.departures}) {
      ways->resize(in.count());
      for (auto& way : *ways) decode_sites(way);
    }
  }
  return graph;
}

}  // namespace reprise::compress
