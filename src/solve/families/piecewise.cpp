// Piecewise laws along an axis: one up to a breakpoint and another from there on, a value on each
// of several stretches, one at a single place, the lower or higher of two; breakpoints are laws in
// turn. And one on every m-th rank.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::uint32_t kPiecewise = 12;   // [bits]: the family, the axis
constexpr std::uint32_t kThreshold = 8;    // [bits]: of a condition: the axis
constexpr std::uint32_t kStretch = 4;      // [bits]: one more, and what its border is counted from
constexpr std::uint32_t kFromEnd = 12;     // [bits]: a border that is counted from the end
constexpr std::size_t kMostStretches = 6;  // 16 ways to count their borders
constexpr std::int64_t kLargestPeriod = 16;

class PiecewiseFinder {
 public:
  PiecewiseFinder(const View& view, std::size_t leaf, Reductions& out)
      : view_(view), x_(Expr::variable(view.table().leaves()[leaf].name)), out_(out) {
    const Goal& goal = view.goal();
    const auto& axes = view.table().axes();
    const auto axis = std::ranges::find(axes, leaf, &Axis::coordinate);
    if (axis != axes.end()) extent_ = axis->extent;
    std::map<std::vector<std::int64_t>, Chain> chains;
    for (std::uint32_t i = 0; i < goal.rows.size(); ++i) {
      chains[view.others(leaf, i)].push_back({view.leaf(leaf, i), i});
    }
    for (auto& [key, chain] : chains) {
      std::ranges::sort(chain, {}, &Place::x);
      chains_.push_back(std::move(chain));
    }
  }

  void run() {
    first_stretch();
    last_stretch();
    stretches();
    one_place();
    lower_of_two();
    for (std::int64_t m = 2; m <= kLargestPeriod; ++m) periodic(m);
  }

 private:
  struct Place {
    std::int64_t x = 0;
    std::uint32_t row = 0;  // place in the goal
  };
  using Chain = std::vector<Place>;  // that differ in x alone, ascending

  std::int64_t value(const Place& p) const { return view_.goal().values[p.row]; }

  // Rows of the goal on two sides, and where the border is.
  struct Sides {
    std::map<std::uint32_t, std::int64_t> border;  // by place in the goal
    std::set<std::size_t> bounded;                 // runs in which it lies between two samples
    std::vector<std::uint32_t> yes, no;            // places in the goal
  };

  Goal goal_of(std::vector<std::uint32_t> places) const {
    std::ranges::sort(places);
    Goal out;
    for (const std::uint32_t p : places) {
      out.rows.push_back(view_.goal().rows[p]);
      out.values.push_back(view_.goal().values[p]);
    }
    return out;
  }

  // `is_from_end`: counted from the end of the axis.
  Goal border_of(const Sides& sides, bool is_from_end = false) const {
    Goal out;
    for (const auto& [place, x] : sides.border) {
      out.rows.push_back(view_.goal().rows[place]);
      out.values.push_back(is_from_end ? view_.leaf(*extent_, place) - x : x);
    }
    std::set<std::size_t> others = sides.bounded;
    for (const std::uint32_t row : out.rows) others.erase(view_.table().run(row));
    out.bounded = others.size();
    return out;
  }

  // The comparison with the border that the values are, if they are 1 on one side and 0 on the
  // other.
  std::optional<Op> comparison(Op op, const Sides& sides) const {
    const auto all = [&](const std::vector<std::uint32_t>& places, std::int64_t v) {
      return std::ranges::all_of(places,
                                 [&](std::uint32_t p) { return view_.goal().values[p] == v; });
    };
    if (all(sides.yes, 1) && all(sides.no, 0)) return op;
    if (!all(sides.yes, 0) || !all(sides.no, 1)) return std::nullopt;
    return op == Op::less ? Op::greater_equal : Op::not_equal;
  }

  void propose(Op op, const Sides& sides) {
    if (sides.border.empty() || sides.yes.empty() || sides.no.empty()) return;
    propose(op, sides, hole(0), border_of(sides), 0);
    if (op != Op::less || !extent_) return;
    // Of more than two values, coincidences are as short as the laws of programs.
    if (!goal_of(sides.yes).is_constant() || !goal_of(sides.no).is_constant()) return;
    const Expr end = Expr::variable(view_.table().leaves()[*extent_].name);
    propose(op, sides, end - hole(0), border_of(sides, true), kFromEnd);
  }

  void propose(Op op, const Sides& sides, const Expr& border, Goal where, std::uint32_t cost) {
    if (const auto compared = comparison(op, sides)) {
      out_.push_back({Expr::make(*compared, x_, border), kThreshold + cost, 0, {std::move(where)}});
      return;
    }
    out_.push_back({Expr::conditional(Expr::make(op, x_, border), hole(1), hole(2)),
                    kPiecewise + cost,
                    0,
                    {std::move(where), goal_of(sides.yes), goal_of(sides.no)}});
  }

  // The chain's places before `cut` are on the one side.
  void divide(const Chain& chain, std::size_t cut, Sides& out) const {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      (i < cut ? out.yes : out.no).push_back(chain[i].row);
    }
    note_border(chain, cut, 0, out);
  }

  // Samples between which others are missing do not tell where the border is.
  void note_border(const Chain& chain, std::size_t cut, std::int64_t from, Sides& out) const {
    if (chain[cut].x == chain[cut - 1].x + 1) {
      out.border[chain.front().row] = chain[cut].x - from;
    } else {
      out.bounded.insert(view_.table().run(view_.goal().rows[chain.front().row]));
    }
  }

  void first_stretch() {
    Sides sides;
    for (const Chain& chain : chains_) {
      std::size_t cut = 1;
      while (cut < chain.size() && value(chain[cut]) == value(chain.front())) ++cut;
      if (cut < chain.size()) divide(chain, cut, sides);
    }
    propose(Op::less, sides);
  }

  void last_stretch() {
    Sides sides;
    for (const Chain& chain : chains_) {
      std::size_t cut = chain.size() - 1;
      while (cut > 0 && value(chain[cut - 1]) == value(chain.back())) --cut;
      if (cut > 0) divide(chain, cut, sides);
    }
    propose(Op::less, sides);
  }

  // As many stretches in each chain, three or more: components that share out the ranks among them.
  // Where one begins is counted from 0, or from where the one before begins.
  void stretches() {
    std::size_t n = 0;
    std::vector<std::vector<std::size_t>> begins;  // [chains x stretches]
    for (const Chain& chain : chains_) {
      std::vector<std::size_t> here{0};
      for (std::size_t i = 1; i < chain.size(); ++i) {
        if (value(chain[i]) != value(chain[i - 1])) here.push_back(i);
      }
      if (n != 0 && here.size() != n) return;
      n = here.size();
      begins.push_back(std::move(here));
    }
    if (n < 3 || n > kMostStretches) return;
    for (std::uint32_t relative = 0; relative < 1U << (n - 2); ++relative) {
      if (!view_.take(view_.goal().rows.size())) return;
      propose_stretches(begins, n, relative << 1);
    }
  }

  // `relative`: bit k: the border k is counted from the border before.
  void propose_stretches(const std::vector<std::vector<std::size_t>>& begins, std::size_t n,
                         std::uint32_t relative) {
    std::vector<Goal> rest;
    std::vector<Expr> borders;
    for (std::size_t k = 0; k + 1 < n; ++k) {
      const bool is_relative = (relative >> k & 1U) != 0;
      borders.push_back(is_relative ? borders.back() + hole(k) : hole(k));
      rest.push_back(border_of(border_of_stretches(begins, k, is_relative)));
      if (rest.back().rows.empty()) return;
    }
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<std::uint32_t> places;
      for (std::size_t c = 0; c < chains_.size(); ++c) {
        const std::size_t end = k + 1 < n ? begins[c][k + 1] : chains_[c].size();
        for (std::size_t i = begins[c][k]; i < end; ++i) places.push_back(chains_[c][i].row);
      }
      rest.push_back(goal_of(std::move(places)));
    }
    Expr form = hole(2 * n - 2);
    for (std::size_t k = n - 1; k-- > 0;) {
      form = Expr::conditional(Expr::make(Op::less, x_, borders[k]), hole(n - 1 + k), form);
    }
    const auto more = static_cast<std::uint32_t>(n - 2);
    out_.push_back({form, kPiecewise + more * kStretch, 0, std::move(rest)});
  }

  // Where the stretch k + 1 of each chain begins, as far as the samples tell.
  Sides border_of_stretches(const std::vector<std::vector<std::size_t>>& begins, std::size_t k,
                            bool is_relative) const {
    Sides out;
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      const Chain& chain = chains_[c];
      const auto is_told = [&](std::size_t at) { return chain[at].x == chain[at - 1].x + 1; };
      const std::size_t here = begins[c][k + 1], before = begins[c][k];
      if (is_relative && !is_told(before)) {
        out.bounded.insert(view_.table().run(view_.goal().rows[chain.front().row]));
      } else {
        note_border(chain, here, is_relative ? chain[before].x : 0, out);
      }
    }
    return out;
  }

  // One place has a value of its own.
  void one_place() {
    Sides sides;
    for (const Chain& chain : chains_) {
      std::map<std::int64_t, std::size_t> counts;
      for (const Place& p : chain) ++counts[value(p)];
      if (counts.size() > 2 || chain.size() < 3) return;
      for (const Place& p : chain) {
        const bool is_it = counts.size() == 2 && counts[value(p)] == 1;
        (is_it ? sides.yes : sides.no).push_back(p.row);
        if (is_it) sides.border[chain.front().row] = p.x;
      }
    }
    propose(Op::equal, sides);
  }

  // Rises up to a bound, or from one on.
  void lower_of_two() {
    for (const bool is_lower : {true, false}) {
      std::vector<std::uint32_t> rising, flat;
      for (const Chain& chain : chains_) {
        std::size_t from = 0, to = chain.size();
        if (is_lower) {
          while (to > 1 && value(chain[to - 1]) == value(chain[to - 2])) --to;
        } else {
          while (from + 1 < chain.size() && value(chain[from]) == value(chain[from + 1])) ++from;
        }
        for (std::size_t i = 0; i < chain.size(); ++i) {
          (i >= from && i < to ? rising : flat).push_back(chain[i].row);
          // Where it goes over into the bound it has both values.
          const bool is_last = is_lower ? i + 1 == to && to < chain.size() : i == from && from > 0;
          if (is_last) {
            rising.pop_back();
            flat.push_back(chain[i].row);
          }
        }
      }
      if (rising.empty() || flat.empty()) continue;
      out_.push_back({Expr::make(is_lower ? Op::minimum : Op::maximum, hole(0), hole(1)),
                      kPiecewise,
                      0,
                      {goal_of(rising), goal_of(flat)}});
    }
  }

  void periodic(std::int64_t m) {
    if (!view_.take(view_.goal().rows.size())) return;
    for (std::int64_t c = 0; c < m; ++c) {
      const auto is_it = [&](const Place& p) { return floor_remainder(p.x, m) == c; };
      propose_split(Expr::make(Op::equal, x_ % Expr(m), Expr(c)), bits_of(m) + bits_of(c), is_it);
    }
  }

  // On one side the values do not depend on x.
  template <class Test>
  void propose_split(const Expr& condition, std::uint32_t bits, const Test& is_it) {
    bool yes_is_free = true, no_is_free = true, has_several = false;
    std::vector<std::uint32_t> yes, no;
    for (const Chain& chain : chains_) {
      std::optional<std::int64_t> here, there;
      std::size_t n = 0;
      for (const Place& p : chain) {
        const bool is_yes = is_it(p);
        n += is_yes ? 1 : 0;
        auto& first = is_yes ? here : there;
        if (first && *first != value(p)) (is_yes ? yes_is_free : no_is_free) = false;
        if (!first) first = value(p);
        (is_yes ? yes : no).push_back(p.row);
      }
      has_several = has_several || n > 1;
      if (!yes_is_free && !no_is_free) return;
    }
    if (!has_several || no.empty()) return;
    out_.push_back({Expr::conditional(condition, hole(0), hole(1)),
                    kPiecewise + 12 + bits,
                    0,
                    {goal_of(yes), goal_of(no)}});
  }

  const View& view_;
  Expr x_;
  std::optional<std::size_t> extent_;  // leaf, if x is along an axis
  Reductions& out_;
  std::vector<Chain> chains_;
};

}  // namespace

void piecewise(const View& view, Reductions& out) {
  for (std::size_t l = 0; l < view.table().leaves().size(); ++l) {
    if ((view.goal().leaves & bit(l)) != 0) PiecewiseFinder(view, l, out).run();
  }
}

}  // namespace reprise::solve
