// What the x-th of d ranks gets of n things that are divided among them, where n is not known: its
// remainders tell it, since ranks with one thing more have another value. At borders there may be
// one more, or less, than the share.
#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include "solve/division.hpp"
#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::int64_t kMostThings = std::int64_t{1} << 16;  // sought one by one
constexpr std::int64_t kMostInBlocks = 4096;   // the same, where remainders do not tell
constexpr std::int64_t kMostAtBorders = 1024;  // the same, for each kind of border
constexpr std::int64_t kMostMoving = 256;      // the same, at coordinates that move
constexpr std::int64_t kLargestHalo = 4;       // things that each rank has besides its share
constexpr std::uint32_t kShare = 12;           // [bits]: the family, the axis
constexpr std::size_t kMostValues = 4;     // along a coordinate: two shares, and those at borders
constexpr double kMostAgreeing = 2048;     // numbers whose remainders agree
constexpr std::size_t kStepsOfNumber = 8;  // remainders, and the first pairs
constexpr std::int64_t kMostTurns = 64;    // of a loop, which are shared out no further
// Numbers of things that agree with the remainders: those that leave a constant are told by the
// differences of runs, too, and of others the first ones are as good as any.
constexpr std::size_t kMostFound = 32;

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

// Who has the share: x-th of d, where x is a coordinate, or one that moves with a loop.
struct Place {
  Expr x, d;
  Column at, of;  // [rows of the goal] values of x and d
  std::uint32_t cost = 0;
  bool is_moving = false;
  bool has_borders = true;
};

class SharesFinder {
 public:
  // `leaf`: of those in x, the one that the rest is to be free of.
  SharesFinder(const View& view, const Place& place, std::size_t leaf, Reductions& out)
      : view_(view), place_(place), leaf_(leaf), out_(out) {}

  void run() {
    if (!view_.take(4 * view_.goal().rows.size())) return;
    if (view_.pairs(leaf_).empty() || most_values() > kMostValues) return;
    for (const Division how : kDivisions) {
      if (place_.is_moving && how != Division::remainder_first) break;
      try_numbers(how, {}, place_.is_moving ? kMostMoving : kMostThings);
      if (!place_.has_borders) continue;
      for (const std::int64_t first : {-1, 0, 1}) {
        for (const std::int64_t last : {-1, 0, 1}) {
          if (first == 0 && last == 0) continue;
          if (place_.is_moving && (first > 0 || last > 0)) continue;
          try_numbers(how, {first, last}, place_.is_moving ? kMostMoving : kMostAtBorders);
        }
      }
    }
  }

 private:
  // How many different values there are along the leaf: shares have two, and borders others.
  std::size_t most_values() const {
    const Column& v = view_.goal().values;
    std::vector<std::set<std::int64_t>> before(v.size());  // up to the row, in the order of pairs
    std::size_t most = 0;
    for (const Pair& p : view_.pairs(leaf_)) {
      before[p.a].insert(v[p.a]);
      before[p.b] = std::move(before[p.a]);
      before[p.b].insert(v[p.b]);
      most = std::max(most, before[p.b].size());
    }
    return most;
  }

  struct Remainders {
    std::int64_t ranks = 0;      // along the axis
    std::vector<char> possible;  // [ranks] by remainder
  };

  // By the number of ranks, which remainders agree with the values of ranks that have one thing
  // more and of the others; nothing if there is a number of ranks without any.
  std::optional<std::vector<Remainders>> find_remainders(Division how, Borders borders) const {
    std::map<std::int64_t, std::vector<Pair>> pairs;
    for (const Pair& p : view_.pairs(leaf_)) {
      if (place_.of[p.a] == place_.of[p.b]) pairs[place_.of[p.a]].push_back(p);
    }
    const Column& v = view_.goal().values;
    std::vector<Remainders> out;
    for (const auto& [d, here] : pairs) {
      const auto more = [&, d = d](std::int64_t x, std::int64_t remainder) {
        return share(how, remainder, x, d) + (x == 0 ? borders.first : 0) +
               (x == d - 1 ? borders.last : 0);
      };
      std::vector<char> possible;
      for (std::int64_t r = 0; r < d; ++r) {
        if (!view_.take(here.size() / 2 + 1)) return std::nullopt;
        possible.push_back(std::ranges::all_of(here,
                                               [&](const Pair& p) {
                                                 return (v[p.a] == v[p.b]) ==
                                                        (more(place_.at[p.a], r) ==
                                                         more(place_.at[p.b], r));
                                               })
                               ? 1
                               : 0);
      }
      if (std::ranges::none_of(possible, [](char is) { return is != 0; })) return std::nullopt;
      out.push_back({d, std::move(possible)});
    }
    return out;
  }

  void try_numbers(Division how, Borders borders, std::int64_t most) {
    closed_ = open_ = 0;
    std::vector<Remainders> remainders;
    if (how == Division::ceiling) {
      most = std::min(most, kMostInBlocks);
    } else {
      auto agreeing = find_remainders(how, borders);
      if (!agreeing) return;
      remainders = std::move(*agreeing);
    }
    const auto is_possible = [&](std::int64_t n) {
      return std::ranges::all_of(remainders, [&](const Remainders& r) {
        return r.possible[static_cast<std::size_t>(n % r.ranks)] != 0;
      });
    };
    const auto attempt = [&](std::int64_t n) {
      if (!view_.take(kStepsOfNumber) || !is_possible(n) || !agrees({how, n, borders})) return;
      propose({how, n, borders});
    };
    for (const std::int64_t n : view_.numbers()) {
      if (n > 1 && n <= std::int64_t{1} << 30) attempt(n);
    }
    // Only numbers with the remainders that are rarest.
    Remainders all{1, {1}};
    const auto share_of = [](const Remainders& r) {
      return static_cast<double>(std::ranges::count(r.possible, 1)) / static_cast<double>(r.ranks);
    };
    const auto rarest = std::ranges::min_element(remainders, {}, share_of);
    // Remainders that leave too many numbers tell none.
    auto left = static_cast<double>(most);
    for (const Remainders& r : remainders) left *= share_of(r);
    if (left > kMostAgreeing) most = std::min(most, kMostInBlocks);
    const Remainders& step = rarest == remainders.end() ? all : *rarest;
    for (std::int64_t base = 0; base <= most; base += step.ranks) {
      for (std::int64_t r = 0; r < step.ranks; ++r) {
        if (step.possible[static_cast<std::size_t>(r)] == 0) continue;
        const std::int64_t n = base + r;
        if (n < 2 || n > most || view_.numbers().contains(n)) continue;
        attempt(n);
        if (closed_ >= kMostFound || !view_.take(1)) return;
      }
    }
  }

  std::int64_t value(const Shares& s, std::size_t row) const {
    const std::int64_t x = place_.at[row], d = place_.of[row];
    return share(s.how, s.things, x, d) + (x == 0 ? s.borders.first : 0) +
           (x == d - 1 ? s.borders.last : 0);
  }

  // Other divisions, and borders, are rarer.
  std::uint32_t cost(const Shares& s) const {
    const bool has_borders = s.borders.first != 0 || s.borders.last != 0;
    return kShare + place_.cost + cost_of_number(view_.numbers(), s.things) +
           (s.how == Division::remainder_first ? 0 : 3) + (has_borders ? 6 : 0);
  }

  unsigned unknown(const Shares& s) const { return view_.numbers().contains(s.things) ? 0 : 1; }

  // Values differ where shares do.
  bool agrees(const Shares& s) const {
    const Column& v = view_.goal().values;
    return std::ranges::all_of(view_.pairs(leaf_), [&](const Pair& p) {
      return (v[p.a] == v[p.b]) == (value(s, p.a) == value(s, p.b));
    });
  }

  Expr expression(const Shares& s) const {
    const Expr &x = place_.x, &d = place_.d;
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

  bool is_wanted(const Column& rest) {
    if (!view_.is_free_of(leaf_, rest)) return false;
    std::size_t& n = std::ranges::all_of(rest, [&](std::int64_t v) { return v == rest.front(); })
                         ? closed_
                         : open_;
    return n++ < kMostFound;
  }

  void propose_sum(const Shares& s, const Column& all) {
    const Goal& goal = view_.goal();
    const auto pairs = view_.pairs(leaf_);
    const auto differs =
        std::ranges::find_if(pairs, [&](const Pair& p) { return all[p.a] != all[p.b]; });
    if (differs == pairs.end()) return;
    const auto slope = exact_quotient(goal.values[differs->b] - goal.values[differs->a],
                                      all[differs->b] - all[differs->a]);
    if (!slope) return;
    Column rest = goal.values;
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= *slope * all[i];
    if (!is_wanted(rest)) return;
    out_.push_back({scaled(*slope, expression(s)) + hole(0),
                    cost(s) + 4 + bits_of(*slope),
                    1 + unknown(s),
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
    if (!is_wanted(rest)) return;
    out_.push_back({hole(0) * with_constant(expression(s), halo),
                    cost(s) + 4 + (halo == 0 ? 0 : 4 + bits_of(halo)),
                    (halo == 0 ? 0U : 1U) + unknown(s),
                    {{goal.rows, std::move(rest)}}});
  }

  const View& view_;
  const Place& place_;
  std::size_t leaf_;
  Reductions& out_;
  std::size_t closed_ = 0, open_ = 0;  // reductions to a constant, and to another law
};

}  // namespace

void shares(const View& view, Reductions& out) {
  const Table& table = view.table();
  for (const Axis& axis : table.axes()) {
    if ((view.goal().leaves & bit(axis.coordinate)) == 0) continue;
    const LeafKind kind = table.leaves()[axis.coordinate].kind;
    const bool is_of_rank = kind == LeafKind::coordinate || kind == LeafKind::rank;
    const Column turns = kind == LeafKind::index ? view.on_rows(table.leaf(axis.extent)) : Column{};
    if (std::ranges::any_of(turns, [](std::int64_t n) { return n > kMostTurns; })) continue;
    const Place place{.x = Expr::variable(table.leaves()[axis.coordinate].name),
                      .d = Expr::variable(table.leaves()[axis.extent].name),
                      .at = view.on_rows(table.leaf(axis.coordinate)),
                      .of = view.on_rows(table.leaf(axis.extent)),
                      .has_borders = is_of_rank};
    SharesFinder(view, place, axis.coordinate, out).run();
  }
  // Coordinates that move: remainders by an extent.
  for (const Term& t : view.terms().all()) {
    if (t.expression.op() != Op::modulo || (t.leaves & ~view.goal().leaves) != 0) continue;
    const auto extent = table.evaluate(t.expression.operands()[1]);
    if (std::popcount(t.leaves) < 2 || !extent) continue;
    const Place place{t.expression,
                      t.expression.operands()[1],
                      view.on_rows(t.values),
                      view.on_rows(*extent),
                      t.cost,
                      true};
    for (Leaves left = t.leaves; left != 0; left &= left - 1) {
      SharesFinder(view, place, static_cast<std::size_t>(std::countr_zero(left)), out).run();
    }
  }
}

}  // namespace reprise::solve
