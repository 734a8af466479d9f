#include "compress/loops/tidy.hpp"

#include <algorithm>
#include <iterator>

#include "trace/series/series_sum.hpp"

namespace reprise::compress {

using trace::Item;
using trace::Series;
using trace::Value;

namespace {

bool is_zero_or(std::int64_t value, std::int64_t& one) {
  if (one == 0 && value > 0) one = value;
  return value == 0 || value == one;
}

// Whether the first `length` values are 0 or one other that is positive; `one` is that other, or 0
// if none has been seen.
bool are_zero_or(const std::vector<trace::Term>& terms, std::uint64_t length, std::int64_t& one) {
  for (const trace::Term& t : terms) {
    std::uint64_t values = t.count == trace::kUnbounded ? length : t.count * t.period;
    // Trips are never negative: of those that fall there are no more than two.
    if (t.count == trace::kUnbounded && t.is_run() && t.step < 0)
      values = std::min<std::uint64_t>(values, 2);
    if (values == 0) return true;
    if (!t.is_run()) {
      if (t.step != 0 || !are_zero_or(t.body, t.period, one)) return false;
    } else {
      const bool second = t.step != 0 && values > 1;
      if (!is_zero_or(t.value, one)) return false;
      if (second && (values > 2 || !is_zero_or(trace::wrapping_add(t.value, t.step), one)))
        return false;
    }
    length -= std::min(length, values);
  }
  return true;
}

void divide(std::vector<trace::Term>& terms, std::int64_t by) {
  for (trace::Term& t : terms) {
    t.value /= by;
    t.step /= by;
    divide(t.body, by);
  }
}

Series divided(const Series& series, std::int64_t by) {
  std::vector<trace::Term> terms = series.terms();
  divide(terms, by);
  return Series(std::move(terms));
}

// How many iterations of a body each stream executes. Kept for the bodies around the one that was
// asked for last.
class Iterations {
 public:
  Iterations(const LoopTree& tree, const std::vector<Value>& trips, std::uint64_t streams)
      : tree_(tree), trips_(trips), streams_(streams) {}

  std::uint64_t streams() const { return streams_; }

  const std::vector<std::uint64_t>& of(std::uint32_t body) {
    if (chain_.empty()) {
      chain_.push_back({0, std::vector<std::uint64_t>(streams_, 1)});
      enter(chain_.front());
    }
    std::vector<std::uint32_t> around;  // the bodies below the root, the outermost first
    for (std::uint32_t i = body; i != 0; i = tree_.items[i].parent) around.push_back(i);
    std::ranges::reverse(around);
    std::size_t known = 0;
    while (known < around.size() && known + 1 < chain_.size() &&
           chain_[known + 1].body == around[known])
      ++known;
    chain_.resize(known + 1);
    for (; known < around.size(); ++known) {
      chain_.push_back({around[known], chain_.back().iterations});
      enter(chain_.back());
    }
    return chain_.back().iterations;
  }

 private:
  struct Level {
    std::uint32_t body = 0;
    std::vector<std::uint64_t> iterations = {};  // by stream
  };

  // From the executions of an item to the iterations of its body.
  void enter(Level& level) const {
    const Value& trips = trips_[level.body];
    for (std::uint64_t s = 0; s < level.iterations.size(); ++s) {
      level.iterations[s] =
          static_cast<std::uint64_t>(trace::sum_of(trips, s, level.iterations[s]));
    }
  }

  const LoopTree& tree_;
  const std::vector<Value>& trips_;
  const std::uint64_t streams_;
  std::vector<Level> chain_;
};

// Trips that are `times` where a condition holds, and 0 elsewhere.
struct Condition {
  Value holds;  // 0 or 1
  std::int64_t times = 0;
};

// Whether the last values depend on how many there are.
bool rises_openly(const Series& series) {
  return series.is_unbounded() && series.terms().back().step > 0;
}

// How many values the series of each class stands for, at most.
std::vector<std::uint64_t> lengths(const Value& trips, std::uint32_t body, Iterations& iterations) {
  std::vector<std::uint64_t> longest(trips.classes.size(), ~std::uint64_t{0});
  if (std::ranges::none_of(trips.classes, rises_openly)) return longest;
  std::ranges::fill(longest, 0);
  const std::vector<std::uint64_t>& of_body = iterations.of(body);
  for (std::uint64_t s = 0; s < of_body.size(); ++s) {
    const auto c = static_cast<std::size_t>(trips.series_of(s) - trips.classes.data());
    longest[c] = std::max(longest[c], of_body[s]);
  }
  return longest;
}

// Empty: the trips are of another kind.
Condition condition_of(const Value& trips, std::uint32_t body, Iterations& iterations) {
  Condition out{trips, 0};
  if (trips.classes.empty()) {
    if (!are_zero_or(trips.by_stream.terms(), iterations.streams(), out.times)) return {};
    if (out.times > 1) out.holds.by_stream = divided(trips.by_stream, out.times);
    return out;
  }
  const std::vector<std::uint64_t> longest = lengths(trips, body, iterations);
  for (std::size_t c = 0; c < longest.size(); ++c) {
    if (!are_zero_or(trips.classes[c].terms(), longest[c], out.times)) return {};
  }
  if (out.times > 1) {
    for (Series& c : out.holds.classes) c = divided(c, out.times);
  }
  return out;
}

const Value kOnce = Value::constant(1);

// A body of one iteration is no loop.
void put(Item item, std::vector<Item>& out) {
  if (!item.is_call() && item.trips == kOnce) {
    std::ranges::move(item.body, std::back_inserter(out));
  } else {
    out.push_back(std::move(item));
  }
}

// Consecutive items that are executed under one condition become a branch.
// REQUIRES: the bodies of the items are tidy.
void tidy(std::vector<Item>& items, std::uint32_t body, Iterations& iterations) {
  std::vector<Condition> conditions;
  for (const Item& item : items) {
    const bool conditional = item.trips != kOnce && items.size() > 1;
    conditions.push_back(conditional ? condition_of(item.trips, body, iterations) : Condition{});
  }
  std::vector<Item> out;
  for (std::size_t i = 0; i < items.size();) {
    std::size_t end = i + 1;
    const Condition& first = conditions[i];
    while (first.times > 0 && end < items.size() && conditions[end].times > 0 &&
           conditions[end].holds == first.holds) {
      ++end;
    }
    if (end == i + 1 || first.holds == kOnce) {
      for (; i < end; ++i) put(std::move(items[i]), out);
      continue;
    }
    Item branch;
    branch.trips = first.holds;
    for (; i < end; ++i) {
      items[i].trips = Value::constant(conditions[i].times);
      put(std::move(items[i]), branch.body);
    }
    out.push_back(std::move(branch));
  }
  items = std::move(out);
}

}  // namespace

bool at_most_one(const Series& trips) {
  std::int64_t one = 1;
  return are_zero_or(trips.terms(), ~std::uint64_t{0}, one);
}

Item lay_out_items(const LoopTree& tree, const std::vector<Value>& trips,
                   const std::vector<std::uint32_t>& call_of, std::uint64_t streams) {
  Iterations iterations(tree, trips, streams);
  std::vector<Item> items(tree.items.size());
  // Bodies stand behind their items, so that going backwards every body is complete.
  for (std::size_t i = items.size(); i-- > 0;) {
    const LoopTree::Item& from = tree.items[i];
    items[i].trips = trips[i];
    if (from.site != LoopTree::kBody) {
      items[i].call = call_of[from.site];
      continue;
    }
    for (const std::uint32_t child : from.body) items[i].body.push_back(std::move(items[child]));
    tidy(items[i].body, static_cast<std::uint32_t>(i), iterations);
  }
  return std::move(items.front());
}

}  // namespace reprise::compress
