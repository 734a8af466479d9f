#include "compress/loops/flow_graph.hpp"

#include <algorithm>

#include "compress/loops/strong_parts.hpp"

namespace reprise::compress {
namespace {

// Beyond so many different sets of predecessors, or successors, of one site, further ones are
// united with the last: the sets only serve to tell nested loops from branches.
constexpr std::size_t kMaxSets = 64;

using Steps = std::map<std::uint32_t, std::uint64_t>;

// Adds how often each value is among the first n of a list of terms, `times` over. Cost: O(terms);
// a repeat with a stride is counted iteration by iteration, O(n) at worst.
void count(const std::vector<trace::Term>& terms, std::uint64_t n, std::int64_t shift,
           std::uint64_t times, Steps& out) {
  for (const trace::Term& t : terms) {
    if (n == 0) return;
    const bool is_endless = t.count == trace::kUnbounded;
    const std::uint64_t repeats = is_endless ? n / t.period : std::min(t.count, n / t.period);
    const std::uint64_t rest =
        is_endless || repeats < t.count ? std::min(n - repeats * t.period, t.period) : 0;
    const auto moved = [&](std::uint64_t repeat) {
      return trace::wrapping_add(shift, trace::wrapping_mul(t.step, repeat));
    };
    const auto add = [&](std::int64_t at, std::uint64_t values, std::uint64_t so_often) {
      if (values == 0 || so_often == 0) return;
      if (t.is_run()) {
        out[static_cast<std::uint32_t>(trace::wrapping_add(t.value, at))] += so_often;
      } else {
        count(t.body, values, at, so_often, out);
      }
    };
    if (t.step == 0) {
      add(shift, t.period, repeats * times);
    } else {
      for (std::uint64_t r = 0; r < repeats; ++r) add(moved(r), t.period, times);
    }
    add(moved(repeats), rest, times);
    n -= repeats * t.period + rest;
  }
}

}  // namespace

std::vector<Steps> steps_of(const FoldedStream& stream) {
  std::vector<Steps> out;
  for (const FoldedSite& site : stream.sites)
    count(site.successors.terms(), site.followed, 0, 1, out.emplace_back());
  return out;
}

FlowGraph::FlowGraph(const FoldedStream& stream, const std::vector<SiteName>& names) {
  std::vector<std::vector<std::uint32_t>> predecessors(stream.sites.size());
  std::vector<std::vector<std::uint32_t>> successors(stream.sites.size());
  std::vector<Steps> steps = steps_of(stream);
  if (!stream.sites.empty()) predecessors[0].push_back(kStart);
  for (std::uint32_t i = 0; i < stream.sites.size(); ++i) {
    for (const auto& [next, times] : steps[i]) {
      predecessors[next].push_back(i);
      successors[i].push_back(next);
    }
  }
  for (std::uint32_t i = 0; i < stream.sites.size(); ++i) {
    sites_.push_back({names[i], {}, std::move(steps[i]), {}, {}});
    if (i > 0) sites_[i - 1].first_behind.push_back(i);
    order_.push_back(i);
    index_.emplace(names[i], i);
    add_set(sites_[i].arrivals, std::move(predecessors[i]));
    add_set(sites_[i].departures, std::move(successors[i]));
  }
}

void FlowGraph::add_set(SiteSets& sets, std::vector<std::uint32_t> sites) {
  std::ranges::sort(sites);
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  if (std::ranges::find(sets, sites) != sets.end()) return;
  if (sets.size() < kMaxSets) {
    sets.push_back(std::move(sites));
    return;
  }
  std::vector<std::uint32_t> both;
  std::ranges::set_union(sets.back(), sites, std::back_inserter(both));
  sets.back() = std::move(both);
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
      sites_.push_back({other.sites_[theirs].name, {}, {}, {}, {}});
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

  const auto add = [&here](SiteSets& sets, const SiteSets& theirs) {
    for (std::vector<std::uint32_t> sites : theirs) {
      for (std::uint32_t& s : sites) s = s == kStart ? kStart : here[s];
      add_set(sets, std::move(sites));
    }
  };
  for (std::uint32_t theirs = 0; theirs < other.sites_.size(); ++theirs) {
    std::vector<std::uint32_t>& behind_here = sites_[here[theirs]].first_behind;
    for (const std::uint32_t s : other.sites_[theirs].first_behind) {
      const auto at = std::ranges::lower_bound(behind_here, here[s]);
      if (at == behind_here.end() || *at != here[s]) behind_here.insert(at, here[s]);
    }
    Steps& steps_here = sites_[here[theirs]].steps;
    for (const auto& [next, times] : other.sites_[theirs].steps) steps_here[here[next]] += times;
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

bool FlowGraph::leads_forward(const std::vector<std::uint32_t>& sites) const {
  constexpr std::uint32_t kOutside = 0;
  std::vector<std::uint32_t> place(size(), kOutside);
  for (std::uint32_t i = 0; i < sites.size(); ++i) place[sites[i]] = i + 1;
  return std::ranges::all_of(sites, [&](std::uint32_t to) {
    return std::ranges::all_of(sites_[to].arrivals, [&](const auto& from_sites) {
      return std::ranges::all_of(from_sites, [&](std::uint32_t from) {
        return from == kStart || place[from] <= place[to];
      });
    });
  });
}

std::vector<std::uint32_t> FlowGraph::predecessors(std::uint32_t site) const {
  std::vector<std::uint32_t> all;
  for (const auto& sites : sites_[site].arrivals) all.insert(all.end(), sites.begin(), sites.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// The sites in those sets that have none of `others`, which are sorted.
std::vector<std::uint32_t> FlowGraph::without(const SiteSets& sets,
                                              const std::vector<std::uint32_t>& others) {
  std::vector<std::uint32_t> out;
  for (const auto& sites : sets) {
    if (std::ranges::none_of(
            sites, [&](std::uint32_t s) { return std::ranges::binary_search(others, s); })) {
      out.insert(out.end(), sites.begin(), sites.end());
    }
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
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
  return std::ranges::any_of(sites_[site].departures, [&](const auto& sites) {
    return std::ranges::binary_search(sites, site) && std::ranges::binary_search(sites, other);
  });
}

std::size_t FlowGraph::edges_by_stream(std::uint32_t site) const {
  std::size_t n = 0;
  for (const SiteSets* sets : {&sites_[site].arrivals, &sites_[site].departures}) {
    for (const auto& sites : *sets) n += sites.size();
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
    out.varint(s.steps.size());
    for (const auto& [next, times] : s.steps) {
      out.varint(next);
      out.varint(times);
    }
    for (const SiteSets* sets : {&s.arrivals, &s.departures}) {
      out.varint(sets->size());
      for (const auto& sites : *sets) encode_sites(sites);
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
    for (std::size_t steps = in.count(2); steps > 0 && !in.failed(); --steps) {
      const std::uint32_t next = site(in.varint());
      s.steps[next] = in.varint();
    }
    for (SiteSets* sets : {&s.arrivals, &s.departures}) {
      sets->resize(in.count());
      for (auto& sites : *sets) decode_sites(sites);
    }
  }
  return graph;
}

}  // namespace reprise::compress
