#include "compress/flow_graph.hpp"

#include <algorithm>
#include <set>

namespace reprise::compress {
namespace {

// Beyond so many different sets of predecessors of one site, further ones are united with the
// last: the sets only serve to tell nested loops from branches.
constexpr std::size_t kMaxArrivals = 64;

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
  if (!stream.sites.empty()) predecessors[0].push_back(kStart);
  for (std::uint32_t i = 0; i < stream.sites.size(); ++i) {
    const FoldedSite& site = stream.sites[i];
    for (const std::int64_t next : distinct(site.successors, site.followed)) {
      predecessors[static_cast<std::size_t>(next)].push_back(i);
    }
  }
  for (std::uint32_t i = 0; i < stream.sites.size(); ++i) {
    sites_.push_back({names[i], {}});
    order_.push_back(i);
    index_.emplace(names[i], i);
    std::ranges::sort(predecessors[i]);
    add_arrival(sites_[i], std::move(predecessors[i]));
  }
}

void FlowGraph::add_arrival(Site& site, std::vector<std::uint32_t> predecessors) {
  const auto found = std::ranges::find(site.arrivals, predecessors);
  if (found != site.arrivals.end()) return;
  if (site.arrivals.size() < kMaxArrivals) {
    site.arrivals.push_back(std::move(predecessors));
    return;
  }
  std::vector<std::uint32_t> both;
  std::ranges::set_union(site.arrivals.back(), predecessors, std::back_inserter(both));
  site.arrivals.back() = std::move(both);
}

void FlowGraph::merge(const FlowGraph& other) {
  std::vector<std::uint32_t> here(other.sites_.size());
  std::vector<std::uint32_t> added_after(sites_.size() + other.sites_.size() + 1, kStart);
  std::vector<std::vector<std::uint32_t>> behind(sites_.size() + other.sites_.size());
  std::vector<std::uint32_t> front;
  std::uint32_t before = kStart;
  for (const std::uint32_t theirs : other.order_) {
    const auto [entry, is_new] =
        index_.emplace(other.sites_[theirs].name, static_cast<std::uint32_t>(sites_.size()));
    here[theirs] = entry->second;
    if (is_new) {
      sites_.push_back({other.sites_[theirs].name, {}});
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

  for (std::uint32_t theirs = 0; theirs < other.sites_.size(); ++theirs) {
    for (std::vector<std::uint32_t> arrival : other.sites_[theirs].arrivals) {
      for (std::uint32_t& p : arrival) p = p == kStart ? kStart : here[p];
      std::ranges::sort(arrival);
      add_arrival(sites_[here[theirs]], std::move(arrival));
    }
  }
}

std::vector<std::uint32_t> FlowGraph::predecessors(std::uint32_t site) const {
  std::set<std::uint32_t> all;
  for (const auto& arrival : sites_[site].arrivals) all.insert(arrival.begin(), arrival.end());
  return {all.begin(), all.end()};
}

bool FlowGraph::always_with(std::uint32_t site, std::uint32_t a,
                            const std::vector<std::uint32_t>& others) const {
  return std::ranges::all_of(sites_[site].arrivals, [&](const auto& arrival) {
    return !std::ranges::binary_search(arrival, a) ||
           std::ranges::any_of(
               others, [&](std::uint32_t o) { return std::ranges::binary_search(arrival, o); });
  });
}

void FlowGraph::encode(ByteWriter& out) const {
  out.varint(sites_.size());
  for (const Site& s : sites_) {
    out.text(s.name.function);
    out.fixed64(s.name.callpath);
  }
  for (const std::uint32_t s : order_) out.varint(s);
  for (const Site& s : sites_) {
    out.varint(s.arrivals.size());
    for (const auto& arrival : s.arrivals) {
      out.varint(arrival.size());
      for (const std::uint32_t p : arrival) out.varint(p == kStart ? 0 : std::uint64_t{p} + 1);
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
    graph.index_.emplace(s.name, static_cast<std::uint32_t>(i));
  }
  const auto site = [&](std::uint64_t value) {
    if (value >= n) in.fail("a call site that is not there");
    return static_cast<std::uint32_t>(value < n ? value : 0);
  };
  for (std::size_t i = 0; i < n && !in.failed(); ++i) graph.order_.push_back(site(in.varint()));
  for (Site& s : graph.sites_) {
    s.arrivals.resize(in.count());
    for (auto& arrival : s.arrivals) {
      arrival.resize(in.count());
      for (std::uint32_t& p : arrival) {
        const std::uint64_t value = in.varint();
        p = value == 0 ? kStart : site(value - 1);
      }
    }
  }
  return graph;
}

}  // namespace reprise::compress
