// Conditions: which ranks, iterations, elements and runs something holds for. A comparison of two
// terms, or of a term with a number; several of them joined.
#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "solve/description.hpp"
#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::uint32_t kLongestCompared =
    16;                                     // [bits]: in a comparison that is the whole condition
constexpr std::uint32_t kLongestPart = 10;  // [bits]: in one of several
constexpr std::uint32_t kComparison = 4;    // [bits]
constexpr std::uint32_t kJoined = 4;        // [bits]
constexpr std::uint32_t kEndOfAxis = 4;     // [bits]: an axis, and which of its ends
constexpr std::uint32_t kStranger = 8;      // [bits]: a place beside what is not of its axis
constexpr std::int64_t kLargestModulus = 16;
constexpr std::size_t kMostPlaces = 4;   // each of which is a number of its own
constexpr std::size_t kMostJoined = 16;  // conditions that are tried as one of several
constexpr std::uint32_t kPeriod = 12;    // [bits]: every so many, which of them

using Bits = std::vector<bool>;

class ConditionsFinder {
 public:
  ConditionsFinder(const View& view, Reductions& out) : view_(view), goal_(view.goal()), out_(out) {
    for (const std::int64_t v : goal_.values) holds_.push_back(v != 0);
  }

  void run() {
    for (const Term& t : view_.terms().all()) {
      if (t.cost > kLongestCompared || (t.leaves & ~goal_.leaves) != 0 || is_flag(t)) continue;
      terms_.push_back({&t, view_.on_rows(t.values), axes_of(t)});
    }
    for (const Axis& axis : view_.table().axes()) at_borders(axis);
    for (const Term& t : view_.terms().conditions()) repeated(t);
    for (const Placed& t : terms_) {
      if (t.term->leaves == goal_.leaves) with_numbers(t);
      if (t.term->leaves != 0 && t.term->cost <= kLongestPart) every_so_many(t);
      for (const Placed& u : terms_) with_other(t, u);
    }
    join();
  }

 private:
  struct Placed {
    const Term* term;
    Column values;  // on the rows of the goal
    std::uint64_t axes = 0;
  };
  struct Part {
    Expr condition;
    std::uint32_t cost = 0;
    Bits holds;
    std::size_t settled = 0;  // rows that need no other part
  };

  // A condition that the program has elsewhere, or its contrary.
  void repeated(const Term& t) {
    if (t.leaves == 0 || (t.leaves & ~goal_.leaves) != 0) return;
    const Column at = view_.on_rows(t.values);
    const bool is_whole = t.leaves == goal_.leaves;
    attempt(t.expression, t.cost, is_whole, true, [&](std::size_t i) { return at[i] != 0; });
    attempt(Expr::make(Op::logical_not, t.expression), t.cost + 1, is_whole, true,
            [&](std::size_t i) { return at[i] == 0; });
  }

  // Whether a place is the first or the last of its axis: what conditions of programs ask most.
  void at_borders(const Axis& axis) {
    const Leaves leaves = view_.table().parts_of(axis.coordinate);
    if ((leaves & ~goal_.leaves) != 0) return;
    const auto variable = [&](std::size_t leaf) {
      return Expr::variable(view_.table().leaves()[leaf].name);
    };
    const Expr x = variable(axis.coordinate), last = variable(axis.extent) - Expr(1);
    const auto place = [&](std::size_t i) { return view_.leaf(axis.coordinate, i); };
    const auto end = [&](std::size_t i) { return view_.leaf(axis.extent, i) - 1; };
    const auto attempt_at = [&](Op op, const Expr& at, auto test) {
      attempt(Expr::make(op, x, at), kEndOfAxis, leaves == goal_.leaves, true, test);
    };
    attempt_at(Op::equal, Expr(0), [&](std::size_t i) { return place(i) == 0; });
    attempt_at(Op::greater, Expr(0), [&](std::size_t i) { return place(i) > 0; });
    attempt_at(Op::equal, last, [&](std::size_t i) { return place(i) == end(i); });
    attempt_at(Op::less, last, [&](std::size_t i) { return place(i) < end(i); });
  }

  // A condition is no number to compare with.
  static bool is_flag(const Term& term) {
    return std::ranges::all_of(term.values, [](std::int64_t v) { return v == 0 || v == 1; });
  }

  // The axes of the leaves that a term is made of; one more bit for what is of none.
  std::uint64_t axes_of(const Term& term) const {
    const auto used = free_variables(term.expression);
    const auto& axes = view_.table().axes();
    std::uint64_t out = 0;
    for (const std::string& name : used) {
      std::uint64_t here = 0;
      for (std::size_t a = 0; a < axes.size(); ++a) {
        if (view_.table().leaves()[axes[a].coordinate].name == name ||
            view_.table().leaves()[axes[a].extent].name == name)
          here |= bit(a);
      }
      out |= here != 0 ? here : bit(axes.size());
    }
    return out;
  }

  // Programs compare a place with places and with what bounds its axis.
  bool are_strangers(const Placed& t, const Placed& u) const {
    if ((t.term->leaves == 0) == (u.term->leaves == 0)) return false;
    return (t.axes & u.axes) == 0;
  }

  // Both ways round, so that `less` is all that there is to try.
  void with_other(const Placed& t, const Placed& u) {
    if (&t == &u) return;
    const Leaves leaves = t.term->leaves | u.term->leaves;
    const bool is_part =
        t.term->cost <= kLongestPart && u.term->cost <= kLongestPart && t.term->leaves != 0;
    if (leaves != goal_.leaves && !is_part) return;
    const std::uint32_t cost =
        t.term->cost + u.term->cost + kComparison + (are_strangers(t, u) ? kStranger : 0);
    const auto compare = [&](Op op, auto test) {
      attempt(Expr::make(op, t.term->expression, u.term->expression), cost, leaves == goal_.leaves,
              is_part, [&](std::size_t i) { return test(t.values[i], u.values[i]); });
    };
    compare(Op::less, std::less<>());
    compare(Op::less_equal, std::less_equal<>());
    if (&t < &u) {
      compare(Op::equal, std::equal_to<>());
      compare(Op::not_equal, std::not_equal_to<>());
    }
  }

  // t == c, t != c, t < c, t >= c, t % m == c.
  void with_numbers(const Placed& t) {
    for (const bool truth : {true, false}) {
      constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
      std::int64_t least = kMost, most = -kMost, other_least = kMost;
      for (std::size_t i = 0; i < holds_.size(); ++i) {
        if (holds_[i] == truth) {
          least = std::min(least, t.values[i]);
          most = std::max(most, t.values[i]);
        } else {
          other_least = std::min(other_least, t.values[i]);
        }
      }
      if (least == most) {
        with_number(t, truth ? Op::equal : Op::not_equal, least,
                    [&](std::int64_t v) { return (v == least) == truth; });
      }
      if (most < other_least) {
        for (const std::int64_t bound : {most + 1, other_least}) {
          with_number(t, truth ? Op::less : Op::greater_equal, bound,
                      [&](std::int64_t v) { return (v < bound) == truth; });
        }
      }
    }
    for (std::int64_t m = 2; m <= kLargestModulus; ++m) periodic(t, m);
    if (t.term->cost <= kLongestPart) single(t);
  }

  // Every m-th place, at all of which it holds, or does not.
  void every_so_many(const Placed& t) {
    for (std::int64_t m = 2; m <= kLargestModulus; ++m) {
      if (!view_.take(holds_.size())) return;
      struct Class {
        std::set<std::int64_t> places;
        bool yes = false, no = false;
      };
      std::vector<Class> classes(static_cast<std::size_t>(m));
      for (std::size_t i = 0; i < holds_.size(); ++i) {
        Class& c = classes[static_cast<std::size_t>(floor_remainder(t.values[i], m))];
        if (c.places.size() < 2) c.places.insert(t.values[i]);
        (holds_[i] ? c.yes : c.no) = true;
      }
      for (std::int64_t c = 0; c < m; ++c) {
        const Class& here = classes[static_cast<std::size_t>(c)];
        if (here.places.size() < 2 || here.yes == here.no) continue;
        attempt(Expr::make(here.yes ? Op::equal : Op::not_equal, t.term->expression % Expr(m), c),
                t.term->cost + kPeriod + bits_of(m) + bits_of(c), false, true,
                [&](std::size_t i) { return (floor_remainder(t.values[i], m) == c) == here.yes; });
      }
    }
  }

  // A few places at which it holds, or does not.
  void single(const Placed& t) {
    for (const bool truth : {true, false}) {
      std::set<std::int64_t> at, other;
      for (std::size_t i = 0; i < holds_.size(); ++i) {
        (holds_[i] == truth ? at : other).insert(t.values[i]);
      }
      if (at.size() > kMostPlaces) continue;
      for (const std::int64_t place : at) {
        if (other.contains(place)) continue;
        attempt(Expr::make(truth ? Op::equal : Op::not_equal, t.term->expression, Expr(place)),
                t.term->cost + kComparison + cost_of_number(view_.numbers(), place), false, true,
                [&](std::size_t i) { return (t.values[i] == place) == truth; });
      }
    }
  }

  template <class Test>
  void with_number(const Placed& t, Op op, std::int64_t number, const Test& test) {
    attempt(Expr::make(op, t.term->expression, Expr(number)),
            t.term->cost + kComparison + cost_of_number(view_.numbers(), number), true, false,
            [&](std::size_t i) { return test(t.values[i]); });
  }

  void periodic(const Placed& t, std::int64_t m) {
    if (!view_.take(holds_.size())) return;
    std::vector<bool> yes(static_cast<std::size_t>(m)), no(yes);
    for (std::size_t i = 0; i < holds_.size(); ++i) {
      (holds_[i] ? yes : no)[static_cast<std::size_t>(floor_remainder(t.values[i], m))] = true;
    }
    std::int64_t first = -1, last = -1, n = 0;
    for (std::size_t c = 0; c < yes.size(); ++c) {
      if (yes[c] && no[c]) return;
      if (!yes[c]) continue;
      if (first < 0) first = static_cast<std::int64_t>(c);
      last = static_cast<std::int64_t>(c);
      ++n;
    }
    const Expr remainder = t.term->expression % Expr(m);
    const auto propose = [&](Op op, std::int64_t number) {
      out_.push_back({Expr::make(op, remainder, Expr(number)),
                      t.term->cost + kComparison + kPeriod + bits_of(m) + bits_of(number),
                      0,
                      {}});
    };
    if (n == 1) propose(Op::equal, first);
    if (n == m - 1) {
      std::int64_t other = 0;
      while (yes[static_cast<std::size_t>(other)]) ++other;
      propose(Op::not_equal, other);
    }
    if (n > 1 && n < m - 1 && first == 0 && last == n - 1) propose(Op::less, n);
    if (n > 1 && n < m - 1 && last == m - 1 && first == m - n) propose(Op::greater_equal, first);
  }

  // `test` of each row: the whole condition, or a part of it.
  template <class Test>
  void attempt(const Expr& condition, std::uint32_t cost, bool is_whole, bool is_part,
               const Test& test) {
    // A part holds wherever the whole does, or the whole wherever it does.
    bool is_same = true, is_implied = true, implies = true;
    std::size_t i = 0;
    for (; i < holds_.size() && (is_implied || implies); ++i) {
      const bool here = test(i);
      is_same = is_same && here == holds_[i];
      is_implied = is_implied && (here || !holds_[i]);
      implies = implies && (!here || holds_[i]);
    }
    if (!view_.take(i + 1)) return;
    if (is_same) {
      if (is_whole) out_.push_back({condition, cost, 0, {}});
      return;
    }
    if (!is_part || (!is_implied && !implies)) return;
    Part part{condition, cost, {}, 0};
    for (std::size_t row = 0; row < holds_.size(); ++row) {
      part.holds.push_back(test(row));
      part.settled += part.holds[row] == implies ? 1 : 0;
    }
    if (part.settled > 0) parts_.push_back(std::move(part));
  }

  void join() {
    std::ranges::stable_sort(parts_, [](const Part& a, const Part& b) {
      return a.settled != b.settled ? a.settled > b.settled : a.cost < b.cost;
    });
    // Of those that settle the same rows the shortest.
    std::vector<Bits> seen;
    for (const Part& p : parts_) {
      if (seen.size() >= kMostJoined) break;
      if (std::ranges::find(seen, p.holds) != seen.end()) continue;
      seen.push_back(p.holds);
      propose(p);
    }
  }

  void propose(const Part& p) {
    // Where the part does not decide.
    Goal rest;
    bool is_implied = true;
    for (std::size_t i = 0; i < holds_.size(); ++i)
      is_implied = is_implied && (p.holds[i] || !holds_[i]);
    for (std::size_t i = 0; i < holds_.size(); ++i) {
      if (p.holds[i] != is_implied) continue;
      rest.rows.push_back(goal_.rows[i]);
      rest.values.push_back(goal_.values[i]);
    }
    out_.push_back({Expr::make(is_implied ? Op::logical_and : Op::logical_or, p.condition, hole(0)),
                    p.cost + kJoined,
                    0,
                    {std::move(rest)}});
  }

  const View& view_;
  const Goal& goal_;
  Reductions& out_;
  Bits holds_;
  std::vector<Placed> terms_;
  std::vector<Part> parts_;
};

// t < c or u, t >= c or u: a threshold that takes no less than the values is one that the runs
// happen to have.
void of_runs(const View& view, Reductions& out) {
  const Goal& goal = view.goal();
  const double bits = bits_of_values(goal.values);
  const auto propose = [&](const Expr& condition, std::uint32_t cost, unsigned constants) {
    if (cost < bits) out.push_back({condition, cost, constants, {}});
  };
  for (const Term& t : view.terms().of_runs()) {
    if (t.cost > kLongestPart || !view.take(2 * goal.rows.size())) continue;
    const Column at = view.on_rows(t.values);
    for (const bool is_low : {true, false}) {
      // Whether those that hold are the low ones, and where the others begin.
      std::int64_t most_low = std::numeric_limits<std::int64_t>::min();
      std::int64_t least_high = std::numeric_limits<std::int64_t>::max();
      for (std::size_t i = 0; i < at.size(); ++i) {
        if ((goal.values[i] != 0) == is_low) {
          most_low = std::max(most_low, at[i]);
        } else {
          least_high = std::min(least_high, at[i]);
        }
      }
      if (most_low >= least_high) continue;
      const Op op = is_low ? Op::less : Op::greater_equal;
      for (const std::int64_t bound : std::set<std::int64_t>{most_low + 1, least_high}) {
        propose(Expr::make(op, t.expression, Expr(bound)),
                t.cost + kComparison + cost_of_number(view.numbers(), bound), 1);
      }
    }
    for (const Term& u : view.terms().of_runs()) {
      if (u.cost > kLongestPart || !view.take(goal.rows.size())) continue;
      const Column other = view.on_rows(u.values);
      bool is_less = true, is_equal = true;
      for (std::size_t i = 0; i < at.size(); ++i) {
        is_less = is_less && (at[i] < other[i]) == (goal.values[i] != 0);
        is_equal = is_equal && (at[i] == other[i]) == (goal.values[i] != 0);
      }
      const std::uint32_t cost = t.cost + u.cost + kComparison;
      if (is_less) propose(Expr::make(Op::less, t.expression, u.expression), cost, 0);
      if (is_equal) propose(Expr::make(Op::equal, t.expression, u.expression), cost, 0);
    }
  }
}

}  // namespace

void comparisons(const View& view, Reductions& out) {
  if (!view.goal().is_condition()) return;
  if (view.goal().leaves == 0) {
    // What is left over of few runs has some condition or other.
    if (!view.goal().of_runs) of_runs(view, out);
  } else {
    ConditionsFinder(view, out).run();
  }
}

}  // namespace reprise::solve
