// What the x-th of d ranks gets of n things that are divided among them, where n is not known: its
// remainders tell it, since ranks with one thing more have another value. At borders there may be one
// more, or less, than the share.
#include <algorithm>

#include "solve/division.hpp"
#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::int64_t kMostThings = std::int64_t{1} << 16;  // sought one by one
constexpr std::int64_t kMostAtBorders = 1024;                // the same, for each kind of border
constexpr std::int64_t kLargestHalo = 4;   // things that each rank has besides its share
constexpr std::uint32_t kShare = 12;       // [bits]: the family, the axis
constexpr std::size_t kMostFound = 32;     // numbers of things that agree with the remainders

// What the first and the last rank have besides their shares.
struct Borders {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

struct Shares {
  Division how;
  std::int64_t things = 0;
  Borders borders;
};

class SharesFinder {
 public:
  SharesFinder(const View& view, const Axis& axis, Reductions& out)
      : view_(view), axis_(axis), out_(out) {}

  void run() {
    if (view_.pairs(axis_.coordinate).empty()) return;
    for (const Division how : kDivisions) {
      try_numbers(how, {}, kMostThings);
      for (const std::int64_t first : {-1, 0, 1}) {
        for (const std::int64_t last : {-1, 0, 1}) {
          if (first != 0 || last != 0) try_numbers(how, {first, last}, kMostAtBorders);
        }
      }
    }
  }

 private:
  void try_numbers(Division how, Borders borders, std::int64_t most) {
    std::size_t found = 0;
    const auto attempt = [&](std::int64_t n) {
      if (!agrees({how, n, borders})) return;
      ++found;
      propose({how, n, borders});
    };
    for (const std::int64_t n : view_.numbers()) {
      if (n > 0 && n <= std::int64_t{1} << 30) attempt(n);
    }
    for (std::int64_t n = 1; n <= most && found < kMostFound; ++n) {
      if (!view_.numbers().contains(n)) attempt(n);
    }
  }

  std::int64_t value(const Shares& s, std::size_t place) const {
    const std::int64_t x = view_.leaf(axis_.coordinate, place), d = view_.leaf(axis_.extent, place);
    return share(s.how, s.things, x, d) + (x == 0 ? s.borders.first : 0) +
           (x == d - 1 ? s.borders.last : 0);
  }

  // Other divisions, and borders, are rarer.
  std::uint32_t cost(const Shares& s) const {
    const bool has_borders = s.borders.first != 0 || s.borders.last != 0;
    return kShare + cost_of_number(view_.numbers(), s.things) +
           (s.how == Division::remainder_first ? 0 : 3) + (has_borders ? 6 : 0);
  }

  // Values differ where shares do.
  bool agrees(const Shares& s) const {
    const Column& v = view_.goal().values;
    return std::ranges::all_of(view_.pairs(axis_.coordinate), [&](const Pair& p) {
      return (v[p.a] == v[p.b]) == (value(s, p.a) == value(s, p.b));
    });
  }

  Expr expression(const Shares& s) const {
    const Expr x = Expr::variable(view_.table().leaves()[axis_.coordinate].name);
    const Expr d = Expr::variable(view_.table().leaves()[axis_.extent].name);
    Expr out = share(s.how, Expr(s.things), x, d);
    const auto add = [&](std::int64_t sign, const Expr& where) {
      if (sign != 0) out = sign < 0 ? out - where : out + where;
    };
    add(s.borders.first, Expr::make(Op::equal, x, Expr(0)));
    add(s.borders.last, Expr::make(Op::equal, x, d - Expr(1)));
    return out;
  }

  void propose(const Shares& s) {
    Column all(view_.goal().values.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = value(s, i);
    propose_sum(s, all);
    for (std::int64_t halo = -kLargestHalo; halo <= kLargestHalo; ++halo) {
      propose_product(s, all, halo);
    }
  }

  void propose_sum(const Shares& s, const Column& all) {
    const Goal& goal = view_.goal();
    const auto pairs = view_.pairs(axis_.coordinate);
    const auto differs =
        std::ranges::find_if(pairs, [&](const Pair& p) { return all[p.a] != all[p.b]; });
    if (differs == pairs.end()) return;
    const auto slope = exact_quotient(goal.values[differs->b] - goal.values[differs->a],
                                      all[differs->b] - all[differs->a]);
    if (!slope) return;
    Column rest = goal.values;
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= *slope * all[i];
    if (!view_.is_free_of(axis_.coordinate, rest)) return;
    out_.push_back({scaled(*slope, expression(s)) + hole(0), cost(s) + 4 + bits_of(*slope),
                    {{goal.rows, std::move(rest)}}});
  }

  void propose_product(const Shares& s, const Column& all, std::int64_t halo) {
    const Goal& goal = view_.goal();
    Column rest;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto q = exact_quotient(goal.values[i], all[i] + halo);
      if (!q) return;
      rest.push_back(*q);
    }
    if (!view_.is_free_of(axis_.coordinate, rest)) return;
    out_.push_back({hole(0) * with_constant(expression(s), halo),
                    cost(s) + 4 + (halo == 0 ? 0 : 4 + bits_of(halo)),
                    {{goal.rows, std::move(rest)}}});
  }

  const View& view_;
  Axis axis_;
  Reductions& out_;
};

}  // namespace

void shares(const View& view, Reductions& out) {
  for (const Axis& axis : view.table().axes()) {
    if ((view.goal().leaves & bit(axis.coordinate)) != 0) SharesFinder(view, axis, out).run();
  }
}

}  // namespace reprise::solve
