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
#include "solve/holders.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::int64_t kMostShared = std::int64_t{1} << 30;  // number of things
constexpr std::int64_t kLargestValue = std::int64_t{1} << 40;
constexpr std::int64_t kMostInBlocks = 4096;  // sought one by one, where values do not tell
constexpr std::int64_t kMostRanks = 1 << 15;  // along an axis
constexpr std::int64_t kLargestHalo = 4;      // things that each rank has besides its share
constexpr std::uint32_t kShare = 12;          // [bits]: the family, the axis
constexpr std::size_t kMostValues = 4;     // along a coordinate: two shares, and those at borders
constexpr std::size_t kStepsOfNumber = 8;  // remainders, and the first pairs
constexpr std::int64_t kMostTrips = 64;    // of a loop, which are shared out no further
constexpr std::size_t kMostFound = 32;     // numbers of things that leave as much

struct Shares {
  Division how;
  std::int64_t things = 0;
  Borders borders;
};

class SharesFinder {
 public:
  // `leaf`: of those in x, the one that the rest is to be free of.
  SharesFinder(const View& view, const Holder& holder, std::size_t leaf, Reductions& out)
      : view_(view), holder_(holder), leaf_(leaf), out_(out) {}

  void run() {
    if (!view_.take(4 * view_.goal().rows.size())) return;
    if (view_.pairs(leaf_).empty() || most_values() > kMostValues) return;
    const auto is_large = [](std::int64_t v) { return std::abs(v) > kLargestValue; };
    if (std::ranges::any_of(view_.goal().values, is_large)) return;
    if (std::ranges::any_of(holder_.of, [](std::int64_t d) { return d < 1 || d > kMostRanks; }))
      return;
    for (const Division how : {Division::remainder_first, Division::even_bounds}) {
      // Cells that move are divided by the program's one division, and have the borders that other
      // calls have.
      const bool is_other = view_.divisions() != 0 && (view_.divisions() & bit(how)) == 0;
      if (is_other && holder_.is_moving) continue;
      const std::size_t before = out_.size();
      for (const Borders& b : borders(true)) try_numbers(how, b);
      if (out_.size() > before && holder_.is_moving) continue;
      for (const Borders& b : borders(false)) try_numbers(how, b);
    }
    if (!holder_.is_moving) try_blocks();
  }

 private:
  // The borders that are tried, which only ranks at the ends of an axis have. `are_known`: no
  // borders, and those that the program is known to have; else all others.
  std::vector<Borders> borders(bool are_known) const {
    if (holder_.kind != LeafKind::coordinate && holder_.kind != LeafKind::rank)
      return are_known ? std::vector<Borders>{{}} : std::vector<Borders>{};
    std::vector<Borders> out;
    const std::int64_t most = holder_.is_moving ? 0 : 1;
    for (std::int64_t first = -1; first <= most; ++first) {
      for (std::int64_t last = -1; last <= most; ++last) {
        const Borders here{first, last};
        const bool is_known = here.is_none() || (view_.borders() & bit(here)) != 0;
        if (is_known == are_known) out.push_back(here);
      }
    }
    return out;
  }

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

  // By the number of ranks along the axis, which remainders n may have, ascending.
  using Remainders = std::map<std::int64_t, std::vector<std::int64_t>>;

  // Those that agree with the values of ranks that have one thing more and of the others; nothing
  // if there is a number of ranks without any.
  std::optional<Remainders> find_remainders(Division how, Borders borders) const {
    std::map<std::int64_t, std::vector<Pair>> pairs;
    for (const Pair& p : view_.pairs(leaf_)) {
      if (holder_.of[p.a] == holder_.of[p.b]) pairs[holder_.of[p.a]].push_back(p);
    }
    const Column& v = view_.goal().values;
    Remainders out;
    for (const auto& [d, here] : pairs) {
      for (std::int64_t r = 0; r < d; ++r) {
        if (!view_.take(here.size() / 2 + 1)) return std::nullopt;
        const bool is_possible = std::ranges::all_of(here, [&](const Pair& p) {
          const Shares one{how, r, borders};
          return (v[p.a] == v[p.b]) == (value(one, p.a) == value(one, p.b));
        });
        if (is_possible) out[d].push_back(r);
      }
      if (!out.contains(d)) return std::nullopt;
    }
    return out;
  }

  void try_numbers(Division how, Borders borders) {
    closed_ = open_ = 0;
    const auto tells = [&](const Pair& p) {
      return holder_.of[p.a] == holder_.of[p.b] &&
             view_.goal().values[p.a] != view_.goal().values[p.b];
    };
    const auto telling = std::ranges::find_if(view_.pairs(leaf_), tells);
    if (telling == view_.pairs(leaf_).end()) return;
    const auto remainders = find_remainders(how, borders);
    if (!remainders) return;
    std::set<std::int64_t> numbers;
    const auto add = [&](std::int64_t n) {
      if (is_possible(*remainders, n)) numbers.insert(n);
    };
    std::ranges::for_each(view_.numbers(), add);
    add_told(how, borders, *remainders, *telling, add);
    const auto fits = [&](std::int64_t n) { return is_possible(*remainders, n); };
    if (std::ranges::none_of(view_.things(), fits)) add_first(*remainders, numbers);
    for (const std::int64_t n : numbers) attempt({how, n, borders});
  }

  // Whether ranks with one thing more have another value.
  static bool is_possible(const Remainders& remainders, std::int64_t n) {
    return n > 1 && std::ranges::all_of(remainders, [&](const auto& r) {
             return std::ranges::binary_search(r.second, n % r.first);
           });
  }

  // Of blocks that are rounded up no remainder tells the number.
  void try_blocks() {
    closed_ = open_ = 0;
    for (std::int64_t n = 2; n <= kMostInBlocks; ++n) attempt({Division::ceiling, n, {}});
    for (const std::int64_t n : view_.numbers()) {
      if (n > kMostInBlocks) attempt({Division::ceiling, n, {}});
    }
  }

  void attempt(const Shares& s) {
    if (!view_.take(kStepsOfNumber)) return;
    if (s.things < 2 || s.things > kMostShared || !agrees(s)) return;
    if (view_.take(2 * view_.goal().rows.size())) propose(s);
  }

  // Numbers of things that one pair tells, whose values differ by what one thing more makes, for
  // each remainder: with its values alone, if these are multiples of shares; with the value of
  // another number of ranks, if these are shares and a constant.
  template <class Add>
  void add_told(Division how, Borders borders, const Remainders& remainders, const Pair& pair,
                const Add& add) const {
    const Column& v = view_.goal().values;
    const std::int64_t d = holder_.of[pair.a];
    const auto other =
        std::ranges::max_element(holder_.of, {}, [&](std::int64_t e) { return std::abs(e - d); });
    const auto j = static_cast<std::size_t>(other - holder_.of.begin());
    for (const std::int64_t r : remainders.at(d)) {
      const Shares one{how, r, borders};
      const std::int64_t more = value(one, pair.a);
      const auto slope = exact_quotient(v[pair.a] - v[pair.b], more - value(one, pair.b));
      if (!slope || !view_.take(1)) continue;
      if (const auto things = exact_quotient(v[pair.a], *slope)) {
        for (std::int64_t halo = -kLargestHalo; halo <= kLargestHalo; ++halo) {
          add((*things - more - halo) * d + r);
        }
      }
      const auto fewer = exact_quotient(v[pair.a] - v[j], *slope);
      if (*other == d || !fewer || !remainders.contains(*other)) continue;
      // n / d - n / e, without what is rounded.
      const auto& rests = remainders.at(*other);
      if (!view_.take(rests.size())) return;
      for (const std::int64_t rest : rests) {
        const std::int64_t quotients = *fewer - more + value({how, rest, borders}, j);
        if (std::abs(quotients) > kMostShared) continue;
        const auto n = exact_quotient(quotients * d * *other + r * *other - rest * d, *other - d);
        if (n) add(*n);
      }
    }
  }

  // Of others, the first ones that have the remainders are as good as any.
  static void add_first(const Remainders& remainders, std::set<std::int64_t>& numbers) {
    std::size_t found = 0;
    for (std::int64_t n = 2; n <= kMostInBlocks && found < kMostFound; ++n) {
      if (is_possible(remainders, n) && numbers.insert(n).second) ++found;
    }
  }

  std::int64_t value(const Shares& s, std::size_t row) const {
    const std::int64_t x = holder_.at[row], d = holder_.of[row];
    return share(s.how, s.things, x, d) + (x == 0 ? s.borders.first : 0) +
           (x == d - 1 ? s.borders.last : 0);
  }

  // Other divisions, and borders, are rarer.
  std::uint32_t cost(const Shares& s) const {
    return kShare + holder_.cost + view_.cost_of_things(s.things) +
           cost_of(s.how, view_.divisions()) + cost_of(bit(s.borders));
  }

  unsigned unknown(const Shares& s) const { return is_known(view_.numbers(), s.things) ? 0 : 1; }

  // Values differ where shares do.
  bool agrees(const Shares& s) const {
    const Column& v = view_.goal().values;
    return std::ranges::all_of(view_.pairs(leaf_), [&](const Pair& p) {
      return (v[p.a] == v[p.b]) == (value(s, p.a) == value(s, p.b));
    });
  }

  Expr expression(const Shares& s) const {
    const Expr &x = holder_.x, &d = holder_.d;
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
    Column rest;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto left = less_product(goal.values[i], *slope, all[i]);
      if (!left) return;
      rest.push_back(*left);
    }
    if (!is_wanted(rest)) return;
    out_.push_back({scaled(*slope, expression(s)) + hole(0),
                    cost(s) + 4 + bits_of(*slope),
                    1 + unknown(s),
                    {{goal.rows, std::move(rest)}},
                    bit(s.how),
                    bit(s.borders)});
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
                    {{goal.rows, std::move(rest)}},
                    bit(s.how),
                    bit(s.borders)});
  }

  const View& view_;
  const Holder& holder_;
  std::size_t leaf_;
  Reductions& out_;
  std::size_t closed_ = 0, open_ = 0;  // reductions to a constant, and to another law
};

}  // namespace

void shares(const View& view, Reductions& out) {
  for (const Holder& holder : holders(view)) {
    const bool is_iteration = holder.kind == LeafKind::index;
    const auto is_long = [](std::int64_t trips) { return trips > kMostTrips; };
    if (is_iteration && std::ranges::any_of(holder.of, is_long)) continue;
    for (Leaves left = holder.leaves; left != 0; left &= left - 1) {
      SharesFinder(view, holder, static_cast<std::size_t>(std::countr_zero(left)), out).run();
    }
  }
}

}  // namespace reprise::solve
