#include "compress/loops/parse.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "compress/loops/compositions.hpp"

namespace reprise::compress {
namespace {

enum class Keep : std::uint8_t { counts, trips };

class Parser {
 public:
  Parser(const LoopTree& tree, Keep keep)
      : tree_(tree),
        keeps_trips_(keep == Keep::trips),
        states_(tree.items.size()),
        counts_(tree.items.size()) {
    states_[0].trips_now = states_[0].iterations = 1;
  }

  void begin(std::uint32_t leaf) { open(leaf, 0); }

  // A step from one leaf to another, or to itself.
  struct Move {
    std::uint32_t from = 0, to = 0;
    std::uint32_t body = 0;  // the innermost item that stays open
    bool repeats = false;    // it begins another iteration
  };

  // `repeated`: the item that begins another iteration in any case.
  Move move(std::uint32_t from, std::uint32_t to, std::optional<std::uint32_t> repeated) const {
    if (repeated) return {from, to, *repeated, true};
    if (from == to) return {from, to, to, false};
    std::uint32_t a = from, b = to;
    while (parent(a) != parent(b)) {
      if (depth(a) >= depth(b)) {
        a = parent(a);
      } else {
        b = parent(b);
      }
    }
    return {from, to, parent(a), tree_.items[b].position < tree_.items[a].position};
  }

  // Makes the move `times` over; more than once only from a leaf to itself.
  void make(const Move& m, std::uint64_t times) {
    if (m.body == m.to) {
      states_[m.to].trips_now += times;
      return;
    }
    if (m.repeats && tree_.trips[m.body] != 0) {
      for (; times > 0; --times) repeat_around(m);
    } else if (m.repeats) {
      repeat(m, m.body, times);
    } else {
      close(m.from, m.body);
      open(m.to, m.body);
    }
  }

  // No series where none are kept.
  std::vector<trace::Series> finish(std::uint32_t leaf) {
    close(leaf, 0);
    for (std::uint32_t i = 0; i < states_.size(); ++i)
      counts_[i].iterations = states_[i].iterations;
    std::vector<trace::Series> out;
    if (!keeps_trips_) return out;
    states_[0].trips.append(static_cast<std::int64_t>(states_[0].trips_now));
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
      if (i != 0) skip_to(i, states_[parent(i)].iterations);
      out.push_back(states_[i].trips.finish());
    }
    return out;
  }

  std::vector<IterationCount> counts() const { return counts_; }

 private:
  struct State {
    trace::SeriesFolder trips;     // by completed iteration of the parent
    std::uint64_t trips_now = 0;   // in the present iteration of the parent
    std::uint64_t in_a_row = 0;    // iterations of the body, up to now
    std::uint64_t iterations = 0;  // of the body, over all
  };

  // Begins another iteration of a body.
  void repeat(const Move& m, std::uint32_t body, std::uint64_t times) {
    close(m.from, body);
    states_[body].trips_now += times;
    states_[body].in_a_row += times;
    states_[body].iterations += times;
    if (times > 1) repeat_within(body, m.to, times - 1);
    open(m.to, body);
  }

  // Begins another iteration of the innermost of the loops directly around a body whose visit is
  // not over.
  void repeat_around(const Move& m) {
    std::vector<std::uint64_t> before;
    std::uint32_t body = m.body;
    for (; tree_.trips[body] != 0 && is_full(body); body = parent(body))
      before.push_back(std::exchange(states_[body].in_a_row, 0));
    repeat(m, body, 1);
    body = m.body;
    for (const std::uint64_t iterations : before) {
      states_[body].in_a_row = iterations + 1;
      body = parent(body);
    }
  }

  bool is_full(std::uint32_t body) const { return states_[body].trips_now == tree_.trips[body]; }

  std::uint32_t parent(std::uint32_t item) const { return tree_.items[item].parent; }
  std::uint32_t depth(std::uint32_t item) const { return tree_.items[item].depth; }

  // Iterations of a body in which only one leaf is executed. REQUIRES: they are counted already,
  // and one more behind them.
  // NOLINTNEXTLINE(bugprone-easily-swappable-parameters)
  void repeat_within(std::uint32_t body, std::uint32_t leaf, std::uint64_t times) {
    for (std::uint32_t i = leaf; i != body; i = parent(i)) {
      State& s = states_[i];
      skip_to(i, parent(i) == body ? states_[body].iterations - 1 - times
                                   : states_[parent(i)].iterations);
      if (keeps_trips_) s.trips.append(1, times);
      if (i != leaf) s.iterations += times;
    }
  }

  // Zero trips in the iterations of the parent, up to but without `iteration`, that skipped this
  // item.
  void skip_to(std::uint32_t item, std::uint64_t iteration) {
    if (!keeps_trips_) return;
    State& s = states_[item];
    if (iteration > s.trips.size()) s.trips.append(0, iteration - s.trips.size());
  }

  // Ends the items from `item` up to, but without, `above`.
  void close(std::uint32_t item, std::uint32_t above) {
    for (; item != above; item = parent(item)) {
      State& s = states_[item];
      skip_to(item, states_[parent(item)].iterations - 1);
      if (keeps_trips_) s.trips.append(static_cast<std::int64_t>(s.trips_now));
      counts_[item].trips.add(s.trips_now);
      if (s.in_a_row > 0) counts_[item].in_a_row.add(s.in_a_row);
      s.trips_now = s.in_a_row = 0;
    }
  }

  // Begins the items below `above` down to `item`.
  void open(std::uint32_t item, std::uint32_t above) {
    for (; item != above; item = parent(item)) {
      states_[item].trips_now = states_[item].in_a_row = 1;
      ++states_[item].iterations;
    }
  }

  const LoopTree& tree_;
  const bool keeps_trips_;
  std::vector<State> states_;
  std::vector<IterationCount> counts_;
};

// Which steps forward in a body begin another iteration.
enum class Reading : std::uint8_t {
  together,         // none
  as_shown,         // those from where other iterations end to where other iterations begin
  as_elsewhere,     // the same by what all streams show
  composed,         // those that part an iteration into iterations that the stream shows, too
  partly_composed,  // the same where it shows one of two parts
  apart,            // all
  given_up,         // none, since the others do not help either
};

// How the iterations of a body are told apart.
struct BodyReading {
  Reading reading = Reading::together;
  IterationSplits splits = {};  // of composed ones
};
using Readings = std::map<std::uint32_t, BodyReading>;  // by item; together if it is not there

// Where iterations of a body end and begin, on one stream: pairs of the body and a leaf.
struct Boundaries {
  std::set<std::pair<std::uint32_t, std::uint32_t>> ends, begins;
};

// From a site of the stream to the next one.
struct Step {
  std::uint32_t from, to;
};

// A step as a move in the tree.
Parser::Move read_step(const LoopTree& tree, const std::vector<std::uint32_t>& site_of,
                       const Parser& parser, Step step) {
  const auto& repeats = tree.repeats[site_of[step.from]];
  const auto r =
      std::ranges::find(repeats, site_of[step.to], &std::pair<std::uint32_t, std::uint32_t>::first);
  return parser.move(tree.leaf_of[site_of[step.from]], tree.leaf_of[site_of[step.to]],
                     r == repeats.end() ? std::nullopt : std::optional(r->second));
}

// Follows the iterations of one body from move to move.
class IterationWalk {
 public:
  IterationWalk(const LoopTree& tree, std::uint32_t body) : tree_(tree), body_(body) {}

  std::uint32_t body() const { return body_; }
  const Composition& items() const { return items_; }

  void begin(std::uint32_t leaf) {
    if (const auto item = item_around(leaf)) items_.assign(1, *item);
  }

  // Calls `end` whenever an iteration has ended, with its items, and how many there were of them.
  template <class End>
  void step(const Parser::Move& m, std::uint64_t times, const End& end) {
    if (m.body == m.to) return;
    const auto to = item_around(m.to);
    if (m.body != body_ && to && item_around(m.body)) return;  // within an item of the body
    if (m.body == body_ && !m.repeats) {
      items_.push_back(*to);
      return;
    }
    if (!items_.empty()) end(items_, std::uint64_t{1});
    items_.clear();
    if (!to) return;
    items_.assign(1, *to);
    if (times > 1) end(items_, times - 1);
  }

  template <class End>
  void finish(const End& end) {
    if (!items_.empty()) end(items_, std::uint64_t{1});
  }

 private:
  // The item of the body that an item is or lies in.
  std::optional<std::uint32_t> item_around(std::uint32_t item) const {
    while (tree_.items[item].depth > tree_.items[body_].depth + 1) item = tree_.items[item].parent;
    const bool is_within = item != body_ && tree_.items[item].parent == body_;
    return is_within ? std::optional(item) : std::nullopt;
  }

  const LoopTree& tree_;
  std::uint32_t body_;
  Composition items_;  // of the present iteration, up to now; none outside the body
};

// Says at which moves of a body another iteration begins, although they only step forward.
class SplitWalk {
 public:
  SplitWalk(const LoopTree& tree, std::uint32_t body, const IterationSplits& splits)
      : walk_(tree, body), splits_(splits), compositions_(splits.compositions) {}

  void begin(std::uint32_t leaf) {
    walk_.begin(leaf);
    if (!walk_.items().empty()) enter(1);
  }

  bool begins_iteration(const Parser::Move& m, std::uint64_t times) {
    const std::size_t before = walk_.items().size();
    std::uint64_t ended = 0;
    walk_.step(m, times, [&](const Composition&, std::uint64_t n) { ended += n; });
    const std::size_t now = walk_.items().size();
    const bool is_new = now == 1 && (ended > 0 || before == 0);
    if (is_new) enter(times);
    const bool goes_on = m.body == walk_.body() && !m.repeats && now == before + 1;
    return goes_on && (*begins_)[now - 1];
  }

 private:
  void enter(std::uint64_t times) {
    for (; times > 0; --times)
      begins_ = &splits_.begins[static_cast<std::size_t>(compositions_.next())];
  }

  IterationWalk walk_;
  const IterationSplits& splits_;
  trace::SeriesCursor compositions_;
  const std::vector<bool>* begins_ = nullptr;  // of the present iteration
};

// The walks of some bodies, found by the moves that enter, leave or stay in each body.
template <class Walk>
class Walks {
 public:
  explicit Walks(const LoopTree& tree) : tree_(tree), place_(tree.items.size(), kNone) {}

  void add(std::uint32_t body, Walk walk) {
    place_[body] = static_cast<std::uint32_t>(all_.size());
    all_.push_back(std::move(walk));
  }

  std::vector<Walk>& all() { return all_; }

  // Calls `visit` with the walk of each body that a move leaves or enters, and of the innermost one
  // that it stays in.
  template <class Visit>
  void for_each_at(const Parser::Move& m, const Visit& visit) {
    if (all_.empty() || m.body == m.to) return;
    const auto visit_body = [&](std::uint32_t body) {
      if (place_[body] != kNone) visit(all_[place_[body]]);
    };
    std::uint32_t from = parent(m.from), to = parent(m.to);
    for (; from != m.body; from = parent(from)) visit_body(from);
    visit_body(m.body);
    // Bodies around both calls, which are left and entered again, are visited once.
    from = parent(m.from);
    for (; to != m.body; to = parent(to)) {
      while (depth(from) > depth(to)) from = parent(from);
      if (from != to) visit_body(to);
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint32_t parent(std::uint32_t item) const { return tree_.items[item].parent; }
  std::uint32_t depth(std::uint32_t item) const { return tree_.items[item].depth; }

  const LoopTree& tree_;
  std::vector<std::uint32_t> place_;  // by item, of its walk
  std::vector<Walk> all_;
};

// The moves of a stream from leaf to leaf.
class Moves {
 public:
  Moves(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of, const LoopTree& tree,
        const Parser& parser, const Readings& readings)
      : site_of_(site_of),
        tree_(tree),
        parser_(parser),
        readings_(readings),
        split_(tree),
        known_(stream.sites.size()) {
    for (const auto& [body, how] : readings) {
      if (!how.splits.empty()) split_.add(body, SplitWalk(tree, body, how.splits));
    }
    if (readings.empty()) return;
    const auto steps = steps_of(stream);
    for (std::uint32_t site = 0; site < steps.size(); ++site) {
      for (const auto& [next, times] : steps[site]) {
        const Parser::Move m = read_step(tree, site_of, parser, {site, next});
        if (!m.repeats || !readings.contains(m.body)) continue;
        boundaries_.ends.emplace(m.body, m.from);
        boundaries_.begins.emplace(m.body, m.to);
      }
    }
  }

  void begin(std::uint32_t leaf) {
    for (SplitWalk& s : split_.all()) s.begin(leaf);
  }

  // The move that the stream makes next, `times` over.
  Parser::Move next(Step step, std::uint64_t times) {
    Parser::Move m = find(step.from, step.to);
    // The walks see the moves as they are, before any of them splits an iteration.
    bool begins = false;
    split_.for_each_at(m, [&](SplitWalk& s) { begins = s.begins_iteration(m, times) || begins; });
    m.repeats = m.repeats || begins;
    return m;
  }

 private:
  // Cost: O(1) for the move that was last made from the site.
  const Parser::Move& find(std::uint32_t site, std::uint32_t next) {
    auto& known = known_[site];
    auto found = std::ranges::find(known, next, &std::pair<std::uint32_t, Parser::Move>::first);
    if (found == known.end()) {
      Parser::Move m = read_step(tree_, site_of_, parser_, {site, next});
      m.repeats |= begins_iteration(m);
      known.emplace_back(next, m);
      found = known.end() - 1;
    }
    std::swap(known.front(), *found);
    return known.front().second;
  }

  bool begins_iteration(const Parser::Move& m) const {
    const auto found = readings_.find(m.body);
    if (found == readings_.end() || m.body == m.to) return false;
    switch (found->second.reading) {
      case Reading::together:
      case Reading::composed:
      case Reading::partly_composed:
      case Reading::given_up: return false;
      case Reading::as_shown:
        return boundaries_.ends.contains({m.body, m.from}) &&
               boundaries_.begins.contains({m.body, m.to});
      case Reading::as_elsewhere: {
        const RunTogether& all = tree_.run_together.at(m.body);
        return all.ends.contains(tree_.items[m.from].site) &&
               all.begins.contains(tree_.items[m.to].site);
      }
      case Reading::apart: return true;
    }
    return false;
  }

  const std::vector<std::uint32_t>& site_of_;
  const LoopTree& tree_;
  const Parser& parser_;
  const Readings& readings_;
  Boundaries boundaries_;  // of bodies whose iterations may run together
  Walks<SplitWalk> split_;
  // From each site, by the next site; the last one that was made comes first.
  std::vector<std::vector<std::pair<std::uint32_t, Parser::Move>>> known_;
};

struct Parsed {
  std::vector<trace::Series> trips;
  std::vector<IterationCount> counts;
};

// Calls `make` for each step of the stream, with how many times it is made in a row.
template <class Make>
std::uint32_t walk(const FoldedStream& stream, const Make& make) {
  std::vector<trace::SeriesCursor> successors;
  for (const FoldedSite& site : stream.sites) successors.emplace_back(site.successors);
  std::uint32_t site = 0;
  for (std::uint64_t left = stream.calls - 1; left > 0;) {
    trace::SeriesCursor& c = successors[site];
    const auto next = static_cast<std::uint32_t>(c.peek());
    // A site that follows itself does so for the whole run of its successors.
    const std::uint64_t n =
        next == site && c.step() == 0 ? std::min(left, c.peek_count()) : std::uint64_t{1};
    c.skip(n);
    left -= n;
    make(Step{site, next}, n);
    site = next;
  }
  return site;
}

Parsed parse_as(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of,
                const LoopTree& tree, const Readings& readings, Keep keep) {
  Parser parser(tree, keep);
  Moves moves(stream, site_of, tree, parser, readings);
  const std::uint32_t first = tree.leaf_of[site_of[0]];
  parser.begin(first);
  moves.begin(first);
  const std::uint32_t last =
      walk(stream, [&](Step step, std::uint64_t n) { parser.make(moves.next(step, n), n); });
  Parsed out{parser.finish(tree.leaf_of[site_of[last]]), {}};
  out.counts = parser.counts();
  return out;
}

// The iterations of some bodies, as the stream shows them.
std::map<std::uint32_t, Compositions> compositions_of(const FoldedStream& stream,
                                                      const std::vector<std::uint32_t>& site_of,
                                                      const LoopTree& tree,
                                                      const std::set<std::uint32_t>& bodies) {
  struct Walk {
    IterationWalk walk;
    Compositions* all;
  };
  std::map<std::uint32_t, Compositions> out;
  Walks<Walk> walks(tree);
  for (const std::uint32_t body : bodies) walks.add(body, {IterationWalk(tree, body), &out[body]});
  for (Walk& w : walks.all()) w.walk.begin(tree.leaf_of[site_of[0]]);
  const Parser parser(tree, Keep::counts);
  const Readings none;
  Moves moves(stream, site_of, tree, parser, none);
  const auto add_to = [](const Walk& w) {
    return [all = w.all](const Composition& items, std::uint64_t times) { all->add(items, times); };
  };
  walk(stream, [&](Step step, std::uint64_t n) {
    const Parser::Move m = moves.next(step, n);
    walks.for_each_at(m, [&](Walk& w) { w.walk.step(m, n, add_to(w)); });
  });
  for (Walk& w : walks.all()) w.walk.finish(add_to(w));
  return out;
}

// The last reading that is tried.
Reading last_reading(RunTogether::By by) {
  switch (by) {
    case RunTogether::By::ends: return Reading::as_shown;
    case RunTogether::By::compositions: return Reading::partly_composed;
    case RunTogether::By::steps: break;
  }
  return Reading::apart;
}

// Takes the next reading of each loop that has not as many iterations as the tree says. Returns
// the loops whose reading has changed.
std::set<std::uint32_t> read_otherwise(const LoopTree& tree,
                                       const std::vector<IterationCount>& counts,
                                       Readings& readings) {
  std::set<std::uint32_t> changed;
  for (const auto& [item, wanted] : tree.run_together) {
    const Extent& found = counts[item].in_a_row;
    if (counts[item].iterations == 0 ||
        (found.most == wanted.iterations && found.fewest == wanted.iterations))
      continue;
    BodyReading& how = readings[item];
    if (how.reading == Reading::given_up) continue;
    how.splits = {};
    how.reading = static_cast<Reading>(static_cast<int>(how.reading) + 1);
    if (how.reading > last_reading(wanted.by)) how.reading = Reading::given_up;
    changed.insert(item);
  }
  return changed;
}

// The readings with which each body has as many iterations as the tree says, where there are such;
// and the counts of these readings.
Readings choose_readings(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of,
                         const LoopTree& tree, std::vector<IterationCount>& counts) {
  Readings readings;
  for (;;) {
    counts = parse_as(stream, site_of, tree, readings, Keep::counts).counts;
    const std::set<std::uint32_t> changed = read_otherwise(tree, counts, readings);
    if (changed.empty()) return readings;
    std::set<std::uint32_t> composed;
    for (const std::uint32_t item : changed) {
      const Reading r = readings.at(item).reading;
      if (r == Reading::composed || r == Reading::partly_composed) composed.insert(item);
    }
    if (composed.empty()) continue;
    for (const auto& [item, iterations] : compositions_of(stream, site_of, tree, composed)) {
      BodyReading& how = readings.at(item);
      how.splits =
          iterations.split(how.reading == Reading::composed ? Compositions::Shown::all_parts
                                                            : Compositions::Shown::one_of_two);
    }
  }
}

}  // namespace

std::vector<IterationCount> count_iterations(const FoldedStream& stream,
                                             const std::vector<std::uint32_t>& site_of,
                                             const LoopTree& tree) {
  std::vector<IterationCount> counts(tree.items.size());
  if (!stream.sites.empty()) choose_readings(stream, site_of, tree, counts);
  return counts;
}

std::vector<trace::Series> parse(const FoldedStream& stream,
                                 const std::vector<std::uint32_t>& site_of, const LoopTree& tree,
                                 std::vector<IterationCount>* counts) {
  if (stream.sites.empty()) {
    std::vector<trace::Series> none(tree.items.size());
    none.front() = trace::Series::constant(0);
    return none;
  }
  Readings readings;
  if (!tree.run_together.empty()) {
    std::vector<IterationCount> ignored;
    readings = choose_readings(stream, site_of, tree, ignored);
  }
  Parsed parsed = parse_as(stream, site_of, tree, readings, Keep::trips);
  if (counts) *counts = std::move(parsed.counts);
  return std::move(parsed.trips);
}

IterationEnds iteration_ends(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of,
                             const LoopTree& tree) {
  IterationEnds out;
  const Parser parser(tree, Keep::counts);
  const auto steps = steps_of(stream);
  const auto is_above = [&](std::uint32_t body, std::uint32_t leaf) {
    return tree.items[body].depth < tree.items[leaf].depth - 1;
  };
  for (std::uint32_t site = 0; site < steps.size(); ++site) {
    for (const auto& [next, times] : steps[site]) {
      const Parser::Move m = read_step(tree, site_of, parser, {site, next});
      if (m.body == m.to) continue;
      if (m.repeats || is_above(m.body, m.from)) out.ends.insert(site_of[site]);
      if (m.repeats || is_above(m.body, m.to)) out.begins.insert(site_of[next]);
    }
  }
  return out;
}

}  // namespace reprise::compress
