#include "compress/loops/loop_evidence.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "trace/calls/functions.hpp"

namespace reprise::compress {
namespace {

constexpr int kMaxRounds = 3;  // of loops three deep the innermost is told apart first

constexpr std::size_t kPerLoop = 8;
enum Number : std::size_t {
  kMostTrips,
  kFewestTrips,
  kLongestPeriod,
  kShortestPeriod,
  kLongestUnit,
  kShortestUnit,
  kLongestSkips,
  kShortestSkips,
};

constexpr std::size_t kPerSite = 2;  // whether iterations end with it, and begin with it

// How many numbers there are of the loops and sites of a tree.
std::size_t all_numbers(const LoopTree& tree) {
  return kPerLoop * tree.item_of_loop.size() + kPerSite * tree.leaf_of.size();
}

// The first of the numbers of a site.
std::size_t place_of_site(const LoopTree& tree, std::uint32_t site) {
  return kPerLoop * tree.item_of_loop.size() + kPerSite * site;
}

// The pattern that most of a column's values repeat; null: there is none.
const trace::Term* pattern_of(const trace::Series& column, std::uint64_t executions) {
  for (const trace::Term& t : column.terms()) {
    if (t.is_run() || t.step != 0) continue;
    if (t.count == trace::kUnbounded || t.count * t.period > executions / 2) return &t;
  }
  return nullptr;
}

// Its period; 0: there is none.
std::uint64_t period_of(const trace::Series& column, std::uint64_t executions) {
  const trace::Term* pattern = pattern_of(column, executions);
  return pattern ? pattern->period : 0;
}

// The length of the runs of equal values that terms consist of; 0: they differ, or are none.
std::uint64_t equal_runs_of(const std::vector<trace::Term>& terms) {
  std::uint64_t out = 0;
  for (const trace::Term& t : terms) {
    const std::uint64_t run = !t.is_run() ? equal_runs_of(t.body) : t.step == 0 ? t.count : 0;
    if (run == 0 || (out != 0 && run != out)) return 0;
    out = run;
  }
  return out;
}

// The length of the runs that terms consist of, whatever their strides; 0 if lengths differ, or if
// there is none of two or more values.
std::uint64_t runs_of(const std::vector<trace::Term>& terms) {
  std::uint64_t out = 0;
  for (const trace::Term& t : terms) {
    const std::uint64_t run = t.is_run() ? t.count : runs_of(t.body);
    if (run < 2 || (out != 0 && run != out)) return 0;
    out = run;
  }
  return out;
}

// The periods of the patterns that most of a column consists of, the innermost first: 3 and 15 for
// 1 1 1 2 2 2 .. 5 5 5 again and again. Where no pattern repeats as a whole, the length of the
// runs: 6 for 1 .. 6 11 .. 16 31 .. 36 and so on.
std::vector<std::uint64_t> patterns_of(const trace::Series& column, std::uint64_t executions) {
  const trace::Term* pattern = pattern_of(column, executions);
  if (!pattern) {
    const std::uint64_t run = runs_of(column.terms());
    return run > 1 && run < executions ? std::vector{run} : std::vector<std::uint64_t>{};
  }
  std::vector<std::uint64_t> out{pattern->period};
  const std::vector<trace::Term>* terms = &pattern->body;
  while (terms->size() == 1 && !terms->front().is_run()) {
    out.push_back(terms->front().period);
    terms = &terms->front().body;
  }
  const std::uint64_t run = equal_runs_of(*terms);
  if (run > 1 && run < out.back()) out.push_back(run);
  std::ranges::reverse(out);
  return out;
}

// Trips of an inner loop that go into those of each entry, or none. `around`: how many loops lie
// directly around it.
std::optional<std::int64_t> choose(std::size_t loop, const std::vector<std::int64_t>& numbers,
                                   std::size_t around, const SiteCode& code) {
  const auto number = [&](std::size_t l, Number n) { return numbers[kPerLoop * l + n]; };
  const std::int64_t most = number(loop, kMostTrips), fewest = -number(loop, kFewestTrips);
  const auto divides = [&](std::int64_t n) {
    return n > 1 && n < fewest && most % n == 0 && fewest % n == 0;
  };
  const auto common = [&](Number longest, Number shortest) -> std::optional<std::int64_t> {
    if (number(loop, longest) == LoopEvidence::kNone) return std::nullopt;
    const std::int64_t least = -number(loop, shortest);
    const bool is_common = number(loop, longest) % least == 0 && divides(least);
    return is_common ? std::optional(least) : std::nullopt;
  };
  if (around > 1) {
    if (const auto unit = common(kLongestUnit, kShortestUnit)) return unit;
  }
  if (const auto period = common(kLongestPeriod, kShortestPeriod)) return period;
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
  std::vector<IterationCount> counts;
  std::vector<trace::Series> trips;
  if (only_trips) {
    counts = count_iterations(stream, site_of, tree);
  } else {
    trips = parse(stream, site_of, tree, &counts);
  }
  numbers.resize(all_numbers(tree), kNone);
  const IterationEnds shown = iteration_ends(stream, site_of, tree);
  for (const std::uint32_t site : shown.ends) numbers[place_of_site(tree, site)] = 1;
  for (const std::uint32_t site : shown.begins) numbers[place_of_site(tree, site) + 1] = 1;
  const auto note = [this](std::size_t loop, Number n, std::int64_t value) {
    std::int64_t& known = numbers[kPerLoop * loop + n];
    known = std::max(known, value);
  };
  std::map<std::uint32_t, std::size_t> loop_of_item;
  for (std::size_t l = 0; l < tree.item_of_loop.size(); ++l) {
    const std::uint32_t item = tree.item_of_loop[l];
    if (item == 0 || counts[item].trips.most == 0) continue;
    loop_of_item[item] = l;
    note(l, kMostTrips, static_cast<std::int64_t>(counts[item].trips.most));
    note(l, kFewestTrips, -static_cast<std::int64_t>(counts[item].trips.fewest));
  }
  if (only_trips) return;
  const auto note_patterns = [&note](std::size_t loop, const std::vector<std::uint64_t>& patterns,
                                     std::uint64_t executions, std::uint64_t fewest) {
    std::vector<std::int64_t> iterations;
    for (const std::uint64_t p : patterns) {
      if (p % executions == 0 && p >= 2 * executions && p / executions <= fewest)
        iterations.push_back(static_cast<std::int64_t>(p / executions));
    }
    // A pattern says something of the loops within what comes again as a whole.
    if (iterations.empty()) return;
    if (static_cast<std::uint64_t>(iterations.back()) * executions != patterns.back()) return;
    const bool is_visit = static_cast<std::uint64_t>(iterations.back()) == fewest;
    if (!is_visit) {
      note(loop, kLongestPeriod, iterations.back());
      note(loop, kShortestPeriod, -iterations.back());
    }
    if (iterations.size() < 2) return;
    note(loop, kLongestUnit, iterations.front());
    note(loop, kShortestUnit, -iterations.front());
  };
  for (const auto& [body, loop] : loop_of_item) {
    for (const std::uint32_t item : tree.items[body].body) {
      const std::uint64_t period = period_of(trips[item], counts[body].iterations);
      if (period < 2 || period >= counts[body].trips.fewest) continue;
      note(loop, kLongestSkips, static_cast<std::int64_t>(period));
      note(loop, kShortestSkips, -static_cast<std::int64_t>(period));
    }
  }
  for (std::size_t i = 0; i < stream.sites.size(); ++i) {
    const FoldedSite& site = stream.sites[i];
    const std::uint32_t innermost = tree.items[tree.leaf_of[site_of[i]]].parent;
    if (!loop_of_item.contains(innermost) || site.executions != counts[innermost].iterations)
      continue;
    const std::size_t scalars = trace::function(site.key.function).scalars.size();
    for (std::size_t c = 0; c < site.columns.size(); ++c) {
      // Lists do not have one element for each execution.
      if (c > scalars && (c - scalars) % 2 == 1) continue;
      const std::vector<std::uint64_t> patterns = patterns_of(site.columns[c], site.executions);
      // Executions per iteration of a loop, as far as the trip counts of inner loops are known.
      std::uint64_t executions = 1;
      for (std::uint32_t body = innermost;; body = tree.items[body].parent) {
        const auto loop = loop_of_item.find(body);
        if (loop == loop_of_item.end()) break;
        note_patterns(loop->second, patterns, executions, counts[body].trips.fewest);
        if (counts[body].trips.most != counts[body].trips.fewest) break;
        executions *= counts[body].trips.most;
      }
    }
  }
}

namespace {

class Chooser {
 public:
  using Join = std::function<void(const LoopTree& tree, LoopEvidence& all)>;

  Chooser(const FlowGraph& graph, const SiteCode& code, const Join& join)
      : graph_(graph), code_(code), join_(join), order_(code.in_program_order(graph.order())) {
    find_tree();
  }

  LoopTree run() {
    make_regular();
    for (int round = 0; round < kMaxRounds && count_trips(); ++round) {
    }
    return std::move(now_->tree);
  }

 private:
  bool is_irregular(const LoopEvidence& all, std::uint32_t loop) const {
    const std::int64_t most = all.numbers[kPerLoop * loop + kMostTrips];
    return most != LoopEvidence::kNone && most != -all.numbers[kPerLoop * loop + kFewestTrips];
  }

  // The tree and the evidence of one set of choices.
  struct Tried {
    LoopChoices choices;
    LoopTree tree;
    std::optional<LoopEvidence> evidence;
  };

  // For the present choices, unless they were tried before.
  void find_tree() {
    const auto found = std::ranges::find(tried_, choices_, &Tried::choices);
    now_ = found != tried_.end()
               ? &*found
               : &tried_.emplace_back(
                     Tried{choices_, find_loops(graph_, code_, order_, choices_), std::nullopt});
  }

  const LoopTree& tree() const { return now_->tree; }

  enum class Needed : std::uint8_t { trips, all };

  const LoopEvidence& evidence(Needed needed) {
    std::optional<LoopEvidence>& all = now_->evidence;
    if (all && (needed == Needed::trips || !all->only_trips)) return *all;
    all.emplace();
    all->numbers.assign(all_numbers(tree()), LoopEvidence::kNone);
    all->only_trips = needed == Needed::trips;
    join_(tree(), *all);
    return *all;
  }

  using Loops = std::vector<std::uint32_t>;

  // What is chosen for a loop whose trips vary.
  struct Change {
    Loops dissolved = {};
    std::optional<RunTogether::By> runs_together = {};
    std::map<std::uint32_t, std::uint64_t> trips = {};  // by loop, of loops directly within
  };

  // Loops that run together have as many iterations as on the stream that shows most.
  void apply(const std::map<std::uint32_t, Change>& changes) {
    for (const auto& [loop, c] : changes) {
      choices_.dissolved.insert(c.dissolved.begin(), c.dissolved.end());
      choices_.trips.insert(c.trips.begin(), c.trips.end());
    }
    find_tree();
    if (std::ranges::none_of(changes,
                             [](const auto& c) { return c.second.runs_together.has_value(); }))
      return;
    const LoopEvidence& all = evidence(Needed::trips);
    for (const auto& [loop, c] : changes) {
      const std::int64_t most = all.numbers[kPerLoop * loop + kMostTrips];
      if (!c.runs_together || most <= 0) continue;
      RunTogether& chosen = choices_.run_together[loop];
      chosen = {static_cast<std::uint64_t>(most), *c.runs_together};
      for (const std::uint32_t item : tree().items[tree().item_of_loop[loop]].body) {
        const std::uint32_t site = tree().items[item].site;
        if (site == LoopTree::kBody) continue;
        const std::size_t at = place_of_site(tree(), site);
        if (all.numbers[at] > 0) chosen.ends.insert(site);
        if (all.numbers[at + 1] > 0) chosen.begins.insert(site);
      }
    }
    find_tree();
  }

  // Keeps those changes that make the trips of a loop the same everywhere.
  void choose_regular(std::map<std::uint32_t, Change> changes) {
    const auto is_gone = [&](const auto& c) { return tree().item_of_loop[c.first] == 0; };
    std::erase_if(changes, is_gone);
    if (changes.empty()) return;
    const LoopEvidence& before = evidence(Needed::trips);
    std::erase_if(changes, [&](const auto& c) { return !is_irregular(before, c.first); });
    if (changes.empty()) return;
    const LoopChoices unchanged = choices_;
    apply(changes);
    const LoopEvidence& after = evidence(Needed::trips);
    const std::size_t tried = changes.size();
    std::erase_if(changes, [&](const auto& c) {
      return is_irregular(after, c.first) ||
             std::ranges::any_of(c.second.trips,
                                 [&](const auto& t) { return is_irregular(after, t.first); });
    });
    if (changes.size() == tried) return;
    choices_ = unchanged;
    apply(changes);
  }

  // Ranks that make no call in an iteration of a loop but those of a loop within leave runs of the
  // iterations of several: 95 on some ranks and 380 on others. For each loop whose trips vary, the
  // least trip count of those within, if the highest is a multiple.
  std::map<std::uint32_t, Change> least_trips() {
    std::map<std::uint32_t, Change> out;
    const auto& items = tree().item_of_loop;
    const LoopEvidence& all = evidence(Needed::trips);
    for (std::uint32_t inner = 0; inner < items.size(); ++inner) {
      if (items[inner] == 0 || !is_irregular(all, inner)) continue;
      const std::int64_t most = all.numbers[kPerLoop * inner + kMostTrips];
      const std::int64_t fewest = -all.numbers[kPerLoop * inner + kFewestTrips];
      const auto outer = std::ranges::find(items, tree().items[items[inner]].parent);
      const bool is_within = outer != items.end() && *outer != 0;
      if (!is_within || fewest < 2 || most % fewest != 0) continue;
      const auto loop = static_cast<std::uint32_t>(outer - items.begin());
      out[loop].trips[inner] = static_cast<std::uint64_t>(fewest);
    }
    return out;
  }

  // For each loop, dissolves the loops directly within it, with those between that the tree leaves
  // out: a compiler that threads jumps makes loops that the source does not have, and a function
  // may make a call in a loop that it leaves at once.
  std::map<std::uint32_t, Change> inner_loops() const {
    std::map<std::uint32_t, Change> out;
    const auto& items = tree().item_of_loop;
    for (std::uint32_t l = 0; l < items.size(); ++l) {
      if (items[l] == 0) continue;
      Loops dissolved;
      std::uint32_t outer = l;
      do {
        dissolved.push_back(outer);
        outer = code_.parents()[outer];
      } while (outer != SiteCode::kNoLoop && items[outer] == 0);
      if (outer == SiteCode::kNoLoop) continue;
      Loops& all = out[outer].dissolved;
      all.insert(all.end(), dissolved.begin(), dissolved.end());
    }
    return out;
  }

  // Inner loops may be counted or dissolved, iterations told apart, or both.
  void make_regular() {
    choose_regular(least_trips());
    choose_regular(inner_loops());
    std::map<std::uint32_t, Change> all;
    for (std::uint32_t l = 0; l < tree().item_of_loop.size(); ++l) all[l] = {};
    for (const RunTogether::By by : {RunTogether::By::ends, RunTogether::By::compositions}) {
      for (auto& [loop, c] : all) c.runs_together = by;
      choose_regular(all);
      std::map<std::uint32_t, Change> both = inner_loops();
      for (auto& [loop, c] : both) c.runs_together = by;
      choose_regular(std::move(both));
    }
    for (auto& [loop, c] : all) c.runs_together = RunTogether::By::steps;
    choose_regular(std::move(all));
  }

  // Whether it found one more.
  bool count_trips() {
    std::map<std::uint32_t, std::size_t> open = tree().directly_within;
    std::erase_if(open, [this](const auto& l) { return choices_.trips.contains(l.first); });
    if (open.empty()) return false;
    const LoopEvidence& all = evidence(Needed::all);
    bool is_new = false;
    for (const auto& [loop, around] : open) {
      if (all.numbers[kPerLoop * loop] == LoopEvidence::kNone) continue;
      if (const auto n = choose(loop, all.numbers, around, code_)) {
        choices_.trips[loop] = static_cast<std::uint64_t>(*n);
        is_new = true;
      }
    }
    if (is_new) find_tree();
    return is_new;
  }

  const FlowGraph& graph_;
  const SiteCode& code_;
  const Join& join_;
  const std::vector<std::uint32_t> order_;  // of the program
  LoopChoices choices_;
  std::deque<Tried> tried_;
  Tried* now_ = nullptr;  // of these choices
};

}  // namespace

LoopTree find_loops(const FlowGraph& graph, const SiteCode& code,
                    const std::function<void(const LoopTree& tree, LoopEvidence& all)>& join) {
  return Chooser(graph, code, join).run();
}

}  // namespace reprise::compress
