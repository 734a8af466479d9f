#include "compress/parse.hpp"

#include <algorithm>

namespace reprise::compress {
namespace {

class Parser {
 public:
  explicit Parser(const LoopTree& tree) : tree_(tree), states_(tree.items.size()) {
    states_[0].trips_now = states_[0].passes = 1;
  }

  void begin(std::uint32_t leaf) { open(leaf, 0); }

  // The call at `from` is followed by that at `to`, and then by itself `again` times.
  void step(std::uint32_t from, std::uint32_t to, std::uint64_t again) {
    if (from == to) {
      repeat(to, again + 1);
      return;
    }
    std::uint32_t a = from, b = to;
    while (parent(a) != parent(b)) {
      if (depth(a) >= depth(b)) {
        a = parent(a);
      } else {
        b = parent(b);
      }
    }
    close(from, parent(a));
    if (tree_.items[b].position < tree_.items[a].position) {
      ++states_[parent(a)].trips_now;
      ++states_[parent(a)].passes;
    }
    open(to, parent(a));
    if (again > 0) repeat(to, again);
  }

  std::vector<trace::Series> finish(std::uint32_t leaf) {
    close(leaf, 0);
    states_[0].trips.append(states_[0].trips_now);
    std::vector<trace::Series> out;
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
      if (i != 0) skip_to(i, states_[parent(i)].passes);
      out.push_back(states_[i].trips.finish());
    }
    return out;
  }

 private:
  struct State {
    trace::SeriesFolder trips;    // of the passes of the parent that are over
    std::uint64_t trips_now = 0;  // in the present pass of the parent
    std::uint64_t passes = 0;     // of the body, over all
  };

  std::uint32_t parent(std::uint32_t item) const { return tree_.items[item].parent; }
  std::uint32_t depth(std::uint32_t item) const { return tree_.items[item].depth; }

  // The call follows itself n times.
  void repeat(std::uint32_t leaf, std::uint64_t n) {
    State& s = states_[leaf];
    if (!tree_.items[leaf].repeats_body) {
      s.trips_now += n;
      return;
    }
    State& body = states_[parent(leaf)];
    close(leaf, parent(leaf));
    body.trips_now += n;
    body.passes += n;
    if (n > 1) s.trips.append(1, n - 1);
    s.trips_now = 1;
  }

  // Zero trips in the passes of the parent that went by without this item.
  void skip_to(std::uint32_t item, std::uint64_t pass) {
    State& s = states_[item];
    if (pass > s.trips.size()) s.trips.append(0, pass - s.trips.size());
  }

  // Ends the items from `item` up to, but without, `above`.
  void close(std::uint32_t item, std::uint32_t above) {
    for (; item != above; item = parent(item)) {
      State& s = states_[item];
      skip_to(item, states_[parent(item)].passes - 1);
      s.trips.append(static_cast<std::int64_t>(s.trips_now));
      s.trips_now = 0;
    }
  }

  // Begins the items below `above` down to `item`.
  void open(std::uint32_t item, std::uint32_t above) {
    for (; item != above; item = parent(item)) {
      states_[item].trips_now = 1;
      ++states_[item].passes;
    }
  }

  const LoopTree& tree_;
  std::vector<State> states_;
};

}  // namespace

std::vector<trace::Series> parse(const FoldedStream& stream,
                                 const std::vector<std::uint32_t>& site_of, const LoopTree& tree,
                                 std::uint64_t most) {
  if (stream.sites.empty()) {
    std::vector<trace::Series> none(tree.items.size());
    none.front() = trace::Series::constant(0);
    return none;
  }
  std::vector<trace::SeriesCursor> successors;
  std::vector<std::uint32_t> leaf;
  for (std::size_t i = 0; i < stream.sites.size(); ++i) {
    successors.emplace_back(stream.sites[i].successors);
    leaf.push_back(tree.leaf_of[site_of[i]]);
  }
  Parser parser(tree);
  parser.begin(leaf[0]);
  std::uint32_t site = 0;
  for (std::uint64_t left = std::min(stream.calls, most) - 1; left > 0;) {
    trace::SeriesCursor& c = successors[site];
    const auto next = static_cast<std::uint32_t>(c.peek());
    // A site that follows itself does so for the whole run of its successors.
    const std::uint64_t n =
        next == site && c.step() == 0 ? std::min(left, c.peek_count()) : std::uint64_t{1};
    c.skip(n);
    left -= n;
    parser.step(leaf[site], leaf[next], n - 1);
    site = next;
  }
  return parser.finish(leaf[site]);
}

}  // namespace reprise::compress
