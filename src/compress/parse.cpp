#include "compress/parse.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

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
  together,  // none
  as_shown,  // those from where other iterations end to where other iterations begin
  apart,     // all
  given_up,  // none, since the others do not help either
};
using Readings = std::map<std::uint32_t, Reading>;  // by item; together if it is not there

// Where iterations of a body end and begin, on one stream: pairs of the body and a leaf.
struct Boundaries {
  std::set<std::pair<std::uint32_t, std::uint32_t>> ends, begins;
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
        known_(stream.sites.size()) {
    if (readings.empty()) return;
    const auto steps = steps_of(stream);
    for (std::uint32_t site = 0; site < steps.size(); ++site) {
      for (const auto& [next, times] : steps[site]) {
        const Parser::Move m = read(site, next);
        if (!m.repeats || !readings.contains(m.body)) continue;
        boundaries_.ends.emplace(m.body, m.from);
        boundaries_.begins.emplace(m.body, m.to);
      }
    }
  }

  // Cost: O(1) for the move that was last made from the site.
  const Parser::Move& find(std::uint32_t site, std::uint32_t next) {
    auto& known = known_[site];
    auto found = std::ranges::find(known, next, &std::pair<std::uint32_t, Parser::Move>::first);
    if (found == known.end()) {
      Parser::Move m = read(site, next);
      m.repeats |= begins_iteration(m);
      known.emplace_back(next, m);
      found = known.end() - 1;
    }
    std::swap(known.front(), *found);
    return known.front().second;
  }

 private:
  bool begins_iteration(const Parser::Move& m) const {
    const auto found = readings_.find(m.body);
    if (found == readings_.end() || m.body == m.to) return false;
    switch (found->second) {
      case Reading::together:
      case Reading::given_up: return false;
      case Reading::as_shown:
        return boundaries_.ends.contains({m.body, m.from}) &&
               boundaries_.begins.contains({m.body, m.to});
      case Reading::apart: return true;
    }
    return false;
  }

  Parser::Move read(std::uint32_t site, std::uint32_t next) const {
    const auto& repeats = tree_.repeats[site_of_[site]];
    const auto r =
        std::ranges::find(repeats, site_of_[next], &std::pair<std::uint32_t, std::uint32_t>::first);
    return parser_.move(tree_.leaf_of[site_of_[site]], tree_.leaf_of[site_of_[next]],
                        r == repeats.end() ? std::nullopt : std::optional(r->second));
  }

  const std::vector<std::uint32_t>& site_of_;
  const LoopTree& tree_;
  const Parser& parser_;
  const Readings& readings_;
  Boundaries boundaries_;  // of bodies whose iterations may run together
  // From each site, by the next site; the last one that was made comes first.
  std::vector<std::vector<std::pair<std::uint32_t, Parser::Move>>> known_;
};

struct Parsed {
  std::vector<trace::Series> trips;
  std::vector<IterationCount> counts;
};

Parsed parse_as(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of,
                const LoopTree& tree, const Readings& readings, Keep keep) {
  std::vector<trace::SeriesCursor> successors;
  for (const FoldedSite& site : stream.sites) successors.emplace_back(site.successors);
  Parser parser(tree, keep);
  Moves moves(stream, site_of, tree, parser, readings);
  parser.begin(tree.leaf_of[site_of[0]]);
  std::uint32_t site = 0;
  for (std::uint64_t left = stream.calls - 1; left > 0;) {
    trace::SeriesCursor& c = successors[site];
    const auto next = static_cast<std::uint32_t>(c.peek());
    // A site that follows itself does so for the whole run of its successors.
    const std::uint64_t n =
        next == site && c.step() == 0 ? std::min(left, c.peek_count()) : std::uint64_t{1};
    c.skip(n);
    left -= n;
    parser.make(moves.find(site, next), n);
    site = next;
  }
  Parsed out{parser.finish(tree.leaf_of[site_of[site]]), {}};
  out.counts = parser.counts();
  return out;
}

// Takes the next reading of each loop that has not as many iterations as the tree says. Returns
// whether a reading has changed.
bool read_otherwise(const LoopTree& tree, const std::vector<IterationCount>& counts,
                    Readings& readings) {
  bool is_new = false;
  for (const auto& [item, wanted] : tree.run_together) {
    const Extent& found = counts[item].in_a_row;
    if (counts[item].iterations == 0 ||
        (found.most == wanted.iterations && found.fewest == wanted.iterations))
      continue;
    Reading& r = readings[item];
    if (r == Reading::given_up) continue;
    const bool is_last = r == (wanted.may_be_apart ? Reading::apart : Reading::as_shown);
    r = is_last ? Reading::given_up : static_cast<Reading>(static_cast<int>(r) + 1);
    is_new = true;
  }
  return is_new;
}

// The readings with which each body has as many iterations as the tree says, where there are such;
// and the counts of these readings.
Readings choose_readings(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of,
                         const LoopTree& tree, std::vector<IterationCount>& counts) {
  Readings readings;
  do {
    counts = parse_as(stream, site_of, tree, readings, Keep::counts).counts;
  } while (read_otherwise(tree, counts, readings));
  return readings;
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

}  // namespace reprise::compress
