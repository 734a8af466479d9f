#include "cli/look/deadlock_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <compare>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "cli/text.hpp"
#include "trace/calls/places.hpp"
#include "trace/cursors/executions.hpp"

namespace reprise::cli {

using nlohmann::ordered_json;
using trace::Trace;
using transform::Awaited;
using transform::Deadlock;
using transform::Waiting;

namespace {

constexpr std::size_t kMostAlike = 4;     // lines of ranks in one call that wait for other ranks
constexpr std::size_t kMostInCycle = 16;  // lines of a cycle
constexpr std::size_t kMostCycles = 2;

using RankList = std::vector<std::uint64_t>;
// A call that ranks are in, and the one that began what they wait for (Waiting, Awaited).
using Site = std::pair<std::uint32_t, std::uint32_t>;
using RanksBySite = std::map<Site, RankList>;

Site site_of(const Waiting& w) { return {w.call, w.reason().operation}; }

// "rank 1", "rank 1 or 2", "any of ranks 1..4".
std::string peers_text(std::uint64_t self, const std::vector<Awaited>& any_of) {
  RankList ranks;
  for (const Awaited& a : any_of) {
    if (a.is_from_any)
      return a.peer ? fmt::format("any rank (such as rank {})", *a.peer) : "any rank";
    if (!a.peer) return "some rank";
    ranks.push_back(*a.peer);
  }
  std::ranges::sort(ranks);
  ranks.erase(std::ranges::unique(ranks).begin(), ranks.end());
  if (ranks.size() == 1) return ranks[0] == self ? "itself" : ranks_text(ranks);
  if (ranks.size() == 2) return fmt::format("rank {} or {}", ranks[0], ranks[1]);
  return "any of " + ranks_text(ranks);
}

// REQUIRES: all are for the same, but for the peer.
std::string awaited_text(const Trace& trace, std::uint64_t self,
                         const std::vector<Awaited>& any_of) {
  const std::string peers = peers_text(self, any_of);
  const Awaited& first = any_of.front();
  switch (first.what) {
    case Awaited::For::message: return "a message from " + peers;
    case Awaited::For::receiver: return peers + " to receive";
    case Awaited::For::collective: break;
  }
  const bool is_persistent =
      trace::function(trace.calls[first.operation].function).traits & trace::traits::kPersistent;
  return fmt::format("{} to {} {}", peers, is_persistent ? "start" : "reach",
                     trace::describe_call(trace, first.operation));
}

// "rank 1 or 2 to receive, or for a message from rank 3, in MPI_Waitany in main a.c:5".
std::string wait_text(const Trace& trace, const Waiting& w) {
  std::vector<std::vector<Awaited>> parts;
  for (const Awaited& a : w.any_of) {
    const auto part = std::ranges::find_if(parts, [&](const auto& p) {
      return p.front().what == a.what && p.front().operation == a.operation;
    });
    part == parts.end() ? parts.push_back({a}) : part->push_back(a);
  }
  std::string out;
  for (const auto& part : parts)
    out += (out.empty() ? "" : ", or for ") + awaited_text(trace, w.rank, part);
  const Awaited& last = parts.back().front();
  const bool is_collective = last.what == Awaited::For::collective;
  if (is_collective && last.operation == w.call) return out;
  return fmt::format("{}{} in {}", out, parts.size() > 1 || is_collective ? "," : "",
                     trace::describe_call(trace, w.call));
}

std::string wait_line(const Trace& trace, const RankList& ranks, const Waiting& w) {
  return fmt::format("\n  {} {} for {}", ranks_text(ranks), ranks.size() == 1 ? "waits" : "wait",
                     wait_text(trace, w));
}

std::string sites_text(const Trace& trace, RanksBySite& ranks_in, std::string_view end = "") {
  std::string out;
  for (auto& [site, ranks] : ranks_in) {
    std::ranges::sort(ranks);
    out += fmt::format("\n  {} in {}", ranks_text(ranks), trace::describe_call(trace, site.first));
    if (site.second != site.first) out += ", for " + trace::describe_call(trace, site.second);
    out += end;
  }
  return out;
}

// Of a long one the first few ranks and the last one have lines of their own.
std::string cycle_text(const Trace& trace, const Deadlock& d, const RankList& cycle) {
  std::string out;
  RanksBySite between;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Waiting& w = *d.find(cycle[i]);
    if (cycle.size() > kMostInCycle && i >= kMostAlike && i + 1 < cycle.size()) {
      between[site_of(w)].push_back(w.rank);
      continue;
    }
    out += sites_text(trace, between, ", of the same cycle");
    between.clear();
    out += wait_line(trace, {w.rank}, w);
  }
  return out;
}

std::string cycles_text(const Trace& trace, const Deadlock& d) {
  std::string out;
  RanksBySite left;
  for (std::size_t i = 0; i < d.cycles.size(); ++i) {
    if (i < kMostCycles) {
      out += (i == 0 ? "" : "\nand these for each other:") + cycle_text(trace, d, d.cycles[i]);
      continue;
    }
    for (const std::uint64_t rank : d.cycles[i]) left[site_of(*d.find(rank))].push_back(rank);
  }
  if (!left.empty())
    out += fmt::format("\nand these, in {} of their own:",
                       counted(d.cycles.size() - kMostCycles, "cycle")) +
           sites_text(trace, left);
  RanksBySite behind;
  for (const std::uint64_t rank : d.behind_cycles) behind[site_of(*d.find(rank))].push_back(rank);
  if (!behind.empty())
    out += (d.cycles.size() == 1 ? "\nthese wait for it:" : "\nthese wait for them:") +
           sites_text(trace, behind);
  return out;
}

// Those that do not wait for ranks of a cycle.
std::vector<const Waiting*> apart_from_cycles(const Deadlock& d) {
  std::set<std::uint64_t> others(d.behind_cycles.begin(), d.behind_cycles.end());
  for (const RankList& cycle : d.cycles) others.insert(cycle.begin(), cycle.end());
  std::vector<const Waiting*> out;
  for (const Waiting& w : d.waiting) {
    if (!others.contains(w.rank)) out.push_back(&w);
  }
  return out;
}

// Ranks that wait in one call for the same; of many such groups, the first ones.
std::string apart_text(const Trace& trace, const std::vector<const Waiting*>& apart) {
  struct Group {
    const Waiting* first;
    RankList ranks;
  };
  std::map<Site, std::vector<Group>> groups_in;
  std::map<std::pair<Site, std::vector<Awaited>>, std::size_t> group_of;
  for (const Waiting* w : apart) {
    std::vector<Group>& groups = groups_in[site_of(*w)];
    const auto [entry, is_new] = group_of.try_emplace({site_of(*w), w->any_of}, groups.size());
    if (is_new) groups.push_back({w, {}});
    groups[entry->second].ranks.push_back(w->rank);
  }
  std::string out;
  for (const auto& [site, groups] : groups_in) {
    RanksBySite left;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups.size() <= kMostAlike || i + 1 < kMostAlike) {
        out += wait_line(trace, groups[i].ranks, *groups[i].first);
      } else {
        left[site].insert(left[site].end(), groups[i].ranks.begin(), groups[i].ranks.end());
      }
    }
    out += sites_text(trace, left, ", for other ranks");
  }
  return out;
}

// What a rank did that waits for nobody.
struct End {
  enum class What : std::uint8_t { unknown, ended, aborted, exited, outside, unfinished } what{};
  std::uint32_t call = 0;  // the last one

  auto operator<=>(const End&) const = default;
};

End end_of(const Trace& trace, std::uint64_t rank, const LastSeen& seen) {
  if (const auto found = seen.unfinished.find(rank); found != seen.unfinished.end())
    return {End::What::unfinished, found->second};
  const std::optional<std::uint32_t> last = trace::last_call(trace, rank * trace.threads);
  if (!last) return {End::What::unknown, 0};
  const std::uint32_t does = trace::function(trace.calls[*last].function).traits;
  if (does & trace::traits::kFinalize) return {End::What::ended, 0};
  if (does & trace::traits::kAbort) return {End::What::aborted, *last};
  return {seen.exited.contains(rank) ? End::What::exited : End::What::outside, *last};
}

// What is said of a call that had not returned while nothing is known for which it waits.
std::string not_waiting_text(const trace::Function& function, bool is_one) {
  namespace traits = trace::traits;
  constexpr std::uint32_t kMatched =
      traits::kSend | traits::kRecv | traits::kProbe | traits::kCollective | traits::kComplete;
  if (function.traits & kMatched) {
    return fmt::format(", and all that {0} waited for was there: {0} would have gone on",
                       is_one ? "it" : "they");
  }
  if (function.traits & (traits::kRma | traits::kRmaSync | traits::kIo))
    return ", which may wait for ranks that are not known";
  return ", which waits for no other rank";
}

std::string end_text(const Trace& trace, const RankList& ranks, const End& end) {
  const bool is_one = ranks.size() == 1;
  const std::string who = ranks_text(ranks);
  const char* was = is_one ? "was" : "were";
  switch (end.what) {
    case End::What::unknown: return fmt::format("of {} no call is known", who);
    case End::What::ended: return fmt::format("{} {} ended", who, is_one ? "has" : "have");
    case End::What::aborted:
      return fmt::format("{} had called {}", who, trace::describe_call(trace, end.call));
    case End::What::exited:
      return fmt::format("{} had exited, after {}", who, trace::describe_call(trace, end.call));
    case End::What::outside:
      return fmt::format("{} {} outside MPI, after {}", who, was,
                         trace::describe_call(trace, end.call));
    case End::What::unfinished: break;
  }
  return fmt::format("{} {} in {}{}", who, was, trace::describe_call(trace, end.call),
                     not_waiting_text(trace::function(trace.calls[end.call].function), is_one));
}

// Of the ranks that are not blocked those that others wait for, or that were in a call.
std::string ends_text(const Trace& trace, const Deadlock& d, const LastSeen& seen) {
  std::set<std::uint64_t> awaited;
  for (const Waiting& w : d.waiting) {
    for (const Awaited& a : w.any_of) {
      if (a.peer) awaited.insert(*a.peer);
    }
  }
  std::map<End, RankList> ranks_by;
  for (const std::uint64_t rank : d.not_blocked) {
    if (awaited.contains(rank) || seen.unfinished.contains(rank))
      ranks_by[end_of(trace, rank, seen)].push_back(rank);
  }
  std::string out;
  for (const auto& [end, ranks] : ranks_by) out += "\n  " + end_text(trace, ranks, end);
  return out;
}

ordered_json awaited_json(const Trace& trace, const Awaited& a) {
  static constexpr const char* reasons[] = {"message", "receiver", "collective"};
  return {{"operation", trace::function(trace.calls[a.operation].function).name},
          {"operation_place", trace::describe_place(trace, trace.calls[a.operation].callpath)},
          {"waits_for", reasons[static_cast<int>(a.what)]},
          {"peer", a.peer ? ordered_json(*a.peer) : ordered_json(nullptr)},
          {"from_any", a.is_from_any}};
}

}  // namespace

std::string deadlock_text(const Trace& trace, const Deadlock& d, const LastSeen& seen) {
  std::string out = cycles_text(trace, d);
  const std::string apart = apart_text(trace, apart_from_cycles(d)) + ends_text(trace, d, seen);
  if (!out.empty() && !apart.empty()) out += "\nthe others:";
  return out + apart;
}

ordered_json deadlock_json(const Trace& trace, const Deadlock& d) {
  ordered_json waiting = ordered_json::array();
  for (const Waiting& w : d.waiting) {
    ordered_json any_of = ordered_json::array();
    for (const Awaited& a : w.any_of) any_of.push_back(awaited_json(trace, a));
    waiting.push_back({{"rank", w.rank},
                       {"call", trace::function(trace.calls[w.call].function).name},
                       {"place", trace::describe_place(trace, trace.calls[w.call].callpath)},
                       {"any_of", any_of}});
  }
  return {{"cycles", d.cycles}, {"waiting", waiting}};
}

}  // namespace reprise::cli
