#include "compress/loops/loop_evidence.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "trace/calls/functions.hpp"

namespace reprise::compress {
namespace {

// Of loops three deep the innermost is told apart first. As often, changes are tried again without
// those that did not help.
constexpr int kMaxRounds = 3;

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
  // A pattern that is as long as every visit of a loop tells nothing.
  const auto is_visit = [](std::uint64_t iterations, const Extent& visits) {
    return iterations == visits.fewest && visits.most == visits.fewest;
  };
  const auto note_patterns = [&](std::size_t loop, const std::vector<std::uint64_t>& patterns,
                                 std::uint64_t executions, const Extent& trips_here) {
    std::vector<std::int64_t> iterations;
    for (const std::uint64_t p : patterns) {
      if (p % executions == 0 && p >= 2 * executions && p / executions <= trips_here.fewest)
        iterations.push_back(static_cast<std::int64_t>(p / executions));
    }
    // A pattern says something of the loops within what comes again as a whole.
    if (iterations.empty()) return;
    if (static_cast<std::uint64_t>(iterations.back()) * executions != patterns.back()) return;
    if (!is_visit(static_cast<std::uint64_t>(iterations.back()), trips_here)) {
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
      const auto& visits = counts[body].trips;
      if (period < 2 || period > visits.fewest || is_visit(period, visits)) continue;
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
        note_patterns(loop->second, patterns, executions, counts[body].trips);
        if (counts[body].trips.most != counts[body].trips.fewest) break;
        executions *= counts[body].trips.most;
      }
    }
  }
}

namespace {

class Chooser {
 public:
  using Join = std::function<void(std::size_t run, const LoopTree& tree, LoopEvidence& all)>;

  Chooser(const FlowGraph& graph, const SiteCode& code, std::size_t runs, const Join& join)
      : graph_(graph),
        code_(code),
        join_(join),
        order_(code.in_program_order(graph.order())),
        choices_(runs) {
    find_trees();
  }

  std::vector<LoopTree> run() {
    make_regular();
    for (int round = 0; round < kMaxRounds && count_known_trips(); ++round) {
    }
    for (int round = 0; round < kMaxRounds && count_trips(); ++round) {
    }
    return std::move(now_->trees);
  }

 private:
  using Evidence = std::vector<LoopEvidence>;  // by run

  static bool is_irregular(const LoopEvidence& run, std::uint32_t loop) {
    const std::int64_t most = run.numbers[kPerLoop * loop + kMostTrips];
    return most != LoopEvidence::kNone && most != -run.numbers[kPerLoop * loop + kFewestTrips];
  }

  static bool is_irregular(const Evidence& all, std::uint32_t loop) {
    return std::ranges::any_of(all,
                               [loop](const LoopEvidence& run) { return is_irregular(run, loop); });
  }

  // The trees and the evidence of one set of choices, by run.
  struct Tried {
    std::vector<LoopChoices> choices;
    std::vector<LoopTree> trees;
    std::optional<Evidence> evidence;
  };

  // For the present choices, unless they were tried before.
  void find_trees() {
    const auto found = std::ranges::find(tried_, choices_, &Tried::choices);
    if (found != tried_.end()) {
      now_ = &*found;
      return;
    }
    now_ = &tried_.emplace_back(Tried{choices_, {}, std::nullopt});
    for (const LoopChoices& c : choices_)
      now_->trees.push_back(find_loops(graph_, code_, order_, c));
  }

  // Its items are those of all runs.
  const LoopTree& tree() const { return now_->trees.front(); }

  enum class Needed : std::uint8_t { trips, all };

  const Evidence& evidence(Needed needed) {
    std::optional<Evidence>& all = now_->evidence;
    if (all && (needed == Needed::trips || !all->front().only_trips)) return *all;
    all.emplace(choices_.size());
    for (std::size_t run = 0; run < all->size(); ++run) {
      LoopEvidence& here = (*all)[run];
      here.numbers.assign(all_numbers(tree()), LoopEvidence::kNone);
      here.only_trips = needed == Needed::trips;
      join_(run, now_->trees[run], here);
    }
    return *all;
  }

  using Loops = std::vector<std::uint32_t>;
  using Trips = std::vector<std::uint64_t>;  // by run; 0: not known

  // What is chosen for a loop whose trips vary.
  struct Change {
    Loops dissolved = {};
    std::optional<RunTogether::By> runs_together = {};
    std::map<std::uint32_t, Trips> trips = {};  // by loop, of loops directly within
  };

  // Loops that run together have as many iterations as on the stream that shows most.
  void apply(const std::map<std::uint32_t, Change>& changes) {
    for (const auto& [loop, c] : changes) {
      for (LoopChoices& run : choices_)
        run.dissolved.insert(c.dissolved.begin(), c.dissolved.end());
      for (const auto& [inner, trips] : c.trips) choose_trips(inner, trips);
    }
    find_trees();
    if (std::ranges::none_of(changes,
                             [](const auto& c) { return c.second.runs_together.has_value(); }))
      return;
    const Evidence& all = evidence(Needed::trips);
    for (const auto& [loop, c] : changes) {
      if (!c.runs_together) continue;
      for (std::size_t run = 0; run < all.size(); ++run) tell_apart(run, loop, *c.runs_together);
    }
    find_trees();
  }

  void choose_trips(std::uint32_t loop, const Trips& trips) {
    for (std::size_t run = 0; run < choices_.size(); ++run) choices_[run].trips[loop] = trips[run];
  }

  void tell_apart(std::size_t run, std::uint32_t loop, RunTogether::By by) {
    const std::vector<std::int64_t>& numbers = evidence(Needed::trips)[run].numbers;
    const std::int64_t most = numbers[kPerLoop * loop + kMostTrips];
    if (most <= 0) return;
    RunTogether& chosen = choices_[run].run_together[loop];
    chosen = {static_cast<std::uint64_t>(most), by};
    for (const std::uint32_t item : tree().items[tree().item_of_loop[loop]].body) {
      const std::uint32_t site = tree().items[item].site;
      if (site == LoopTree::kBody) continue;
      const std::size_t at = place_of_site(tree(), site);
      if (numbers[at] > 0) chosen.ends.insert(site);
      if (numbers[at + 1] > 0) chosen.begins.insert(site);
    }
  }

  // Keeps those changes that make the trips of a loop the same everywhere.
  void choose_regular(std::map<std::uint32_t, Change> changes) {
    const auto is_gone = [&](const auto& c) { return tree().item_of_loop[c.first] == 0; };
    std::erase_if(changes, is_gone);
    if (changes.empty()) return;
    // Of the loop, or of those whose trips are chosen.
    const auto is_any_irregular = [&](const Evidence& all, const auto& c) {
      return is_irregular(all, c.first) || std::ranges::any_of(c.second.trips, [&](const auto& t) {
               return is_irregular(all, t.first);
             });
    };
    const Evidence& before = evidence(Needed::trips);
    std::erase_if(changes, [&](const auto& c) { return !is_any_irregular(before, c); });
    if (changes.empty()) return;
    const std::vector<LoopChoices> unchanged = choices_;
    for (int round = 0; round < kMaxRounds && !changes.empty(); ++round) {
      choices_ = unchanged;
      apply(changes);
      const Evidence& after = evidence(Needed::trips);
      // A loop that the change of another one dissolved does not show whether its own change helps.
      std::size_t dropped = std::erase_if(
          changes, [&](const auto& c) { return !is_gone(c) && is_any_irregular(after, c); });
      if (dropped == 0) dropped = std::erase_if(changes, is_gone);
      if (dropped == 0) return;
    }
    choices_ = unchanged;
    find_trees();
  }

  // Where iterations of a loop make no call but those of a loop within, a stream shows the
  // iterations of several visits as one run: 95 on one stream and 380 on another. For each loop,
  // the least trip counts of the loops directly within, where the highest is a multiple. If the
  // loop itself has the same trip count everywhere, values have to repeat with that period, too.
  std::map<std::uint32_t, Change> least_trips() {
    std::map<std::uint32_t, Change> out;
    const auto& items = tree().item_of_loop;
    for (std::uint32_t inner = 0; inner < items.size(); ++inner) {
      if (items[inner] == 0 || !is_irregular(evidence(Needed::trips), inner)) continue;
      const auto outer = std::ranges::find(items, tree().items[items[inner]].parent);
      if (outer == items.end() || *outer == 0) continue;
      const auto loop = static_cast<std::uint32_t>(outer - items.begin());
      if (const auto trips = least_trips(inner, loop)) out[loop].trips[inner] = *trips;
    }
    return out;
  }

  std::optional<Trips> least_trips(std::uint32_t inner, std::uint32_t outer) {
    if (const auto known = known_trips(inner)) return Trips(choices_.size(), *known);
    Trips out;
    for (std::size_t run = 0; run < choices_.size(); ++run) {
      const LoopEvidence& here = evidence(Needed::trips)[run];
      const std::int64_t most = here.numbers[kPerLoop * inner + kMostTrips];
      if (most == LoopEvidence::kNone) {
        out.push_back(0);
        continue;
      }
      const std::int64_t fewest = -here.numbers[kPerLoop * inner + kFewestTrips];
      out.push_back(static_cast<std::uint64_t>(fewest));
      if (most == fewest) continue;
      if (fewest < 2 || most % fewest != 0) return std::nullopt;
      if (!is_irregular(here, outer) && !has_period(run, inner, fewest)) return std::nullopt;
    }
    return out;
  }

  // Whether this is the longest period of values, or of which calls are skipped, and those of other
  // streams divide it.
  bool has_period(std::size_t run, std::uint32_t loop, std::int64_t period) {
    const LoopEvidence& here = evidence(Needed::all)[run];
    const auto is_period = [&](Number longest, Number shortest) {
      const auto at = [&](Number n) { return here.numbers[kPerLoop * loop + n]; };
      return at(longest) == period && period % -at(shortest) == 0;
    };
    return is_period(kLongestPeriod, kShortestPeriod) || is_period(kLongestSkips, kShortestSkips);
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

  // The trip count of a loop that is a constant of the machine code, if it goes into what streams
  // show.
  std::optional<std::uint64_t> known_trips(std::uint32_t loop) {
    const std::uint64_t trips = code_.trips(loop);
    if (trips < 2 || !std::in_range<std::int64_t>(trips)) return std::nullopt;
    const auto n = static_cast<std::int64_t>(trips);
    const bool is_common =
        std::ranges::all_of(evidence(Needed::trips), [&](const LoopEvidence& run) {
          const std::int64_t most = run.numbers[kPerLoop * loop + kMostTrips];
          return most == LoopEvidence::kNone ||
                 (most % n == 0 && run.numbers[kPerLoop * loop + kFewestTrips] % n == 0);
        });
    return is_common ? std::optional(trips) : std::nullopt;
  }

  // Chooses such trip counts where several visits of a loop run together. Returns whether there was
  // one: the loop around it may be the next.
  bool count_known_trips() {
    std::map<std::uint32_t, std::uint64_t> found;
    for (std::uint32_t l = 0; l < tree().item_of_loop.size(); ++l) {
      const bool is_inner = tree().item_of_loop[l] != 0 && code_.parents()[l] != SiteCode::kNoLoop;
      if (!is_inner || choices_.front().trips.contains(l)) continue;
      const auto trips = known_trips(l);
      const auto runs_together = [&](const LoopEvidence& run) {
        return run.numbers[kPerLoop * l + kMostTrips] > static_cast<std::int64_t>(*trips);
      };
      if (trips && std::ranges::any_of(evidence(Needed::trips), runs_together)) found[l] = *trips;
    }
    if (found.empty()) return false;
    for (const auto& [loop, trips] : found) choose_trips(loop, Trips(choices_.size(), trips));
    find_trees();
    return true;
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
    std::erase_if(open, [this](const auto& l) { return choices_.front().trips.contains(l.first); });
    bool is_new = false;
    for (const auto& [loop, around] : open) {
      if (const auto trips = count_trips(loop, around)) {
        choose_trips(loop, *trips);
        is_new = true;
      }
    }
    if (is_new) find_trees();
    return is_new;
  }

  // A run whose streams do not tell has the trip count of the others, if these agree.
  std::optional<Trips> count_trips(std::uint32_t loop, std::size_t around) {
    Trips out;
    std::set<std::uint64_t> told;
    bool is_untold = false;
    for (const LoopEvidence& run : evidence(Needed::all)) {
      const bool is_executed = run.numbers[kPerLoop * loop] != LoopEvidence::kNone;
      const auto n = is_executed ? choose(loop, run.numbers, around, code_) : std::nullopt;
      out.push_back(n ? static_cast<std::uint64_t>(*n) : 0);
      if (n) told.insert(out.back());
      is_untold = is_untold || (is_executed && !n);
    }
    if (told.empty() || (is_untold && told.size() > 1)) return std::nullopt;
    if (is_untold) std::ranges::fill(out, *told.begin());
    return out;
  }

  const FlowGraph& graph_;
  const SiteCode& code_;
  const Join& join_;
  const std::vector<std::uint32_t> order_;  // of the program
  std::vector<LoopChoices> choices_;        // by run
  std::deque<Tried> tried_;
  Tried* now_ = nullptr;  // of these choices
};

}  // namespace

std::vector<LoopTree> find_loops(
    const FlowGraph& graph, const SiteCode& code, std::size_t runs,
    const std::function<void(std::size_t run, const LoopTree& tree, LoopEvidence& all)>& join) {
  return Chooser(graph, code, runs, join).run();
}

LoopTree find_loops(const FlowGraph& graph, const SiteCode& code,
                    const std::function<void(const LoopTree& tree, LoopEvidence& all)>& join) {
  const auto in_one = [&](std::size_t, const LoopTree& tree, LoopEvidence& all) {
    join(tree, all);
  };
  return std::move(find_loops(graph, code, 1, in_one).front());
}

}  // namespace reprise::compress
