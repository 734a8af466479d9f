#include "compress/loop_evidence.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace reprise::compress {
namespace {

constexpr int kMaxRounds = 3;  // of loops three deep the innermost is told apart first

constexpr std::size_t kPerLoop = 6;
enum Number : std::size_t {
  kMostTrips,
  kFewestTrips,
  kLongestPeriod,
  kShortestPeriod,
  kLongestSkips,
  kShortestSkips,
};

// With which period most of a column's values repeat; 0: with none.
std::uint64_t period_of(const trace::Series& column, std::uint64_t executions) {
  for (const trace::Term& t : column.terms()) {
    if (t.is_run() || t.step != 0) continue;
    if (t.count == trace::kUnbounded || t.count * t.period > executions / 2) return t.period;
  }
  return 0;
}

// Trips of an inner loop that go into those of each entry, or none.
std::optional<std::int64_t> choose(std::size_t loop, const std::vector<std::int64_t>& numbers,
                                   const SiteCode& code) {
  const auto number = [&](std::size_t l, Number n) { return numbers[kPerLoop * l + n]; };
  const std::int64_t most = number(loop, kMostTrips), fewest = -number(loop, kFewestTrips);
  const auto divides = [&](std::int64_t n) {
    return n > 1 && n < fewest && most % n == 0 && fewest % n == 0;
  };
  if (number(loop, kLongestPeriod) != LoopEvidence::kNone) {
    const std::int64_t longest = number(loop, kLongestPeriod);
    const std::int64_t shortest = -number(loop, kShortestPeriod);
    if (longest % shortest == 0 && divides(shortest)) return shortest;
  }
  if (number(loop, kLongestSkips) != LoopEvidence::kNone) {
    const std::int64_t longest = number(loop, kLongestSkips);
    if (longest % -number(loop, kShortestSkips) == 0 && divides(longest)) return longest;
  }
  // The same loop of the code elsewhere.
  std::set<std::int64_t> elsewhere;
  for (std::size_t l = 0; l < code.parents().size(); ++l) {
    if (l == loop || !code.is_same_loop(l, loop) || number(l, kMostTrips) == LoopEvidence::kNone)
      continue;
    if (number(l, kMostTrips) == -number(l, kFewestTrips)) elsewhere.insert(number(l, kMostTrips));
  }
  if (elsewhere.empty()) return std::nullopt;
  const std::int64_t least = *elsewhere.begin();
  const bool is_common = divides(least) && std::ranges::all_of(elsewhere, [least](std::int64_t n) {
                           return n % least == 0;
                         });
  return is_common ? std::optional(least) : std::nullopt;
}

}  // namespace

void LoopEvidence::add(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of,
                       const LoopTree& tree) {
  if (stream.sites.empty()) return;
  std::vector<PassCount> counts;
  const std::vector<trace::Series> trips = parse(stream, site_of, tree, &counts);
  numbers.resize(kPerLoop * tree.item_of_loop.size(), kNone);
  const auto note = [this](std::size_t loop, Number n, std::int64_t value) {
    std::int64_t& known = numbers[kPerLoop * loop + n];
    known = std::max(known, value);
  };
  std::map<std::uint32_t, std::size_t> loop_of_item;
  for (std::size_t l = 0; l < tree.item_of_loop.size(); ++l) {
    const std::uint32_t item = tree.item_of_loop[l];
    if (item == 0 || counts[item].most == 0) continue;
    loop_of_item[item] = l;
    note(l, kMostTrips, static_cast<std::int64_t>(counts[item].most));
    note(l, kFewestTrips, -static_cast<std::int64_t>(counts[item].fewest));
  }
  for (const auto& [body, loop] : loop_of_item) {
    for (const std::uint32_t item : tree.items[body].body) {
      const std::uint64_t period = period_of(trips[item], counts[body].passes);
      if (period < 2 || period >= counts[body].fewest) continue;
      note(loop, kLongestSkips, static_cast<std::int64_t>(period));
      note(loop, kShortestSkips, -static_cast<std::int64_t>(period));
    }
  }
  for (std::size_t i = 0; i < stream.sites.size(); ++i) {
    const FoldedSite& site = stream.sites[i];
    const std::uint32_t body = tree.items[tree.leaf_of[site_of[i]]].parent;
    const auto loop = loop_of_item.find(body);
    if (loop == loop_of_item.end() || site.executions != counts[body].passes) continue;
    for (const trace::Series& column : site.columns) {
      const std::uint64_t period = period_of(column, site.executions);
      if (period < 2 || period >= counts[body].fewest) continue;
      note(loop->second, kLongestPeriod, static_cast<std::int64_t>(period));
      note(loop->second, kShortestPeriod, -static_cast<std::int64_t>(period));
    }
  }
}

void LoopEvidence::merge(const LoopEvidence& other) {
  if (numbers.size() < other.numbers.size()) numbers.resize(other.numbers.size(), kNone);
  for (std::size_t i = 0; i < other.numbers.size(); ++i)
    numbers[i] = std::max(numbers[i], other.numbers[i]);
}

namespace {

class Chooser {
 public:
  using Join = std::function<void(const LoopTree& tree, LoopEvidence& all)>;

  Chooser(const FlowGraph& graph, const SiteCode& code, const Join& join)
      : graph_(graph), code_(code), join_(join), tree_(find_loops(graph, code)) {}

  LoopTree run() {
    make_regular();
    for (int round = 0; round < kMaxRounds && count_trips(); ++round) {
    }
    return std::move(tree_);
  }

 private:
  bool is_irregular(const LoopEvidence& all, std::uint32_t loop) const {
    const std::int64_t most = all.numbers[kPerLoop * loop + kMostTrips];
    return most != LoopEvidence::kNone && most != -all.numbers[kPerLoop * loop + kFewestTrips];
  }

  LoopEvidence evidence() const {
    LoopEvidence all;
    all.numbers.assign(kPerLoop * tree_.item_of_loop.size(), LoopEvidence::kNone);
    join_(tree_, all);
    return all;
  }

  using Loops = std::vector<std::uint32_t>;

  // What is chosen for a loop whose trips vary.
  struct Change {
    Loops dissolved;
    bool runs_together = false;
  };

  void apply(const std::map<std::uint32_t, Change>& changes) {
    for (const auto& [loop, c] : changes) {
      choices_.dissolved.insert(c.dissolved.begin(), c.dissolved.end());
      if (c.runs_together) choices_.run_together.insert(loop);
    }
    tree_ = find_loops(graph_, code_, choices_);
  }

  // Keeps those changes that make the trips of a loop the same everywhere.
  void choose_regular(std::map<std::uint32_t, Change> changes) {
    const auto is_gone = [&](const auto& c) { return tree_.item_of_loop[c.first] == 0; };
    std::erase_if(changes, is_gone);
    if (changes.empty()) return;
    const LoopEvidence before = evidence();
    std::erase_if(changes, [&](const auto& c) { return !is_irregular(before, c.first); });
    if (changes.empty()) return;
    const LoopChoices unchanged = choices_;
    apply(changes);
    const LoopEvidence after = evidence();
    const std::size_t tried = changes.size();
    std::erase_if(changes, [&](const auto& c) { return is_irregular(after, c.first); });
    if (changes.size() == tried) return;
    choices_ = unchanged;
    apply(changes);
  }

  // By loop, the loops of the same function within it.
  std::map<std::uint32_t, Change> ways() const {
    std::map<std::uint32_t, Change> out;
    for (std::uint32_t l = 0; l < tree_.item_of_loop.size(); ++l) {
      const std::uint32_t outer = code_.parents()[l];
      if (tree_.item_of_loop[l] != 0 && outer != SiteCode::kNoLoop &&
          tree_.item_of_loop[outer] != 0 && code_.is_in_same_call(l, outer)) {
        out[outer].dissolved.push_back(l);
      }
    }
    return out;
  }

  // Loops within loops may go, iterations be told apart, or both.
  void make_regular() {
    choose_regular(ways());
    std::map<std::uint32_t, Change> all;
    for (std::uint32_t l = 0; l < tree_.item_of_loop.size(); ++l) all[l].runs_together = true;
    choose_regular(std::move(all));
    std::map<std::uint32_t, Change> both = ways();
    for (auto& [loop, c] : both) c.runs_together = true;
    choose_regular(std::move(both));
  }

  // Whether it found one more.
  bool count_trips() {
    std::vector<std::uint32_t> open;
    for (const std::uint32_t loop : tree_.directly_within) {
      if (!choices_.trips.contains(loop)) open.push_back(loop);
    }
    if (open.empty()) return false;
    const LoopEvidence all = evidence();
    bool is_new = false;
    for (const std::uint32_t loop : open) {
      if (all.numbers[kPerLoop * loop] == LoopEvidence::kNone) continue;
      if (const auto n = choose(loop, all.numbers, code_)) {
        choices_.trips[loop] = static_cast<std::uint64_t>(*n);
        is_new = true;
      }
    }
    if (is_new) tree_ = find_loops(graph_, code_, choices_);
    return is_new;
  }

  const FlowGraph& graph_;
  const SiteCode& code_;
  const Join& join_;
  LoopChoices choices_;
  LoopTree tree_;
};

}  // namespace

LoopTree find_loops(const FlowGraph& graph, const SiteCode& code,
                    const std::function<void(const LoopTree& tree, LoopEvidence& all)>& join) {
  return Chooser(graph, code, join).run();
}

}  // namespace reprise::compress
