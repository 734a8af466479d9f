// Things that are divided among all along an axis: what each has, where the number of things is a
// law, since all shares together are all things; and where each one's things begin.
#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>

#include "solve/division.hpp"
#include "solve/exact.hpp"
#include "solve/family.hpp"
#include "solve/holders.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;

constexpr std::uint32_t kPartition = 12;  // [bits]: the family, the axis
constexpr std::int64_t kMostInCells = std::int64_t{1}
                                      << 30;  // [things], where shares are calculated

// The values of all that share one thing: those of one run and one combination of the leaves that x
// is not made of.
struct Chain {
  std::vector<std::uint32_t> rows;  // places in the goal, by x from 0
  std::int64_t extent = 0;
};

// Those of which no place is missing; none if a place has two values.
std::vector<Chain> chains_of(const View& view, const Holder& holder) {
  const Goal& goal = view.goal();
  std::map<std::vector<std::int64_t>, std::map<std::int64_t, std::uint32_t>> by_key;
  for (std::uint32_t i = 0; i < goal.rows.size(); ++i) {
    std::vector<std::int64_t> key{static_cast<std::int64_t>(view.table().run(goal.rows[i]))};
    for (Leaves left = goal.leaves & ~holder.leaves; left != 0; left &= left - 1) {
      key.push_back(view.leaf(static_cast<std::size_t>(std::countr_zero(left)), i));
    }
    const auto [place, is_new] = by_key[std::move(key)].emplace(holder.at[i], i);
    if (!is_new && goal.values[place->second] != goal.values[i]) return {};
  }
  std::vector<Chain> out;
  for (const auto& [key, places] : by_key) {
    Chain chain{{}, holder.of[places.begin()->second]};
    for (const auto& [x, row] : places) {
      if (x == std::ssize(chain.rows)) chain.rows.push_back(row);
    }
    if (std::ssize(chain.rows) >= chain.extent) out.push_back(std::move(chain));
  }
  return out;
}

class PartitionsFinder {
 public:
  PartitionsFinder(const View& view, const Holder& holder, Reductions& out)
      : view_(view), values_(view.goal().values), holder_(holder), out_(out) {}

  void run() {
    if (std::ranges::any_of(values_, [](std::int64_t v) { return v < 0 || v > kMostInCells; }))
      return;
    if (!view_.take(values_.size())) return;
    chains_ = chains_of(view_, holder_);
    if (chains_.empty()) return;
    shares();
    for (const Division how : kDivisions) {
      starts(how);
      starts_of_law(how);
    }
  }

 private:
  void shares() {
    std::int64_t factor = 0;
    for (const std::int64_t v : values_) factor = std::gcd(factor, v);
    if (factor == 0) return;
    const std::set<std::int64_t> units{1, factor};
    for (const std::int64_t unit : units) {
      for (const Division how : kDivisions) divided(how, unit);
    }
  }

  void divided(Division how, std::int64_t unit) {
    Goal whole;
    std::map<std::uint32_t, std::int64_t> wholes;  // by the first place of the chain
    bool is_uneven = false;
    for (const Chain& c : chains_) {
      std::int64_t all = 0;
      for (const std::uint32_t r : c.rows) all += values_[r] / unit;
      if (all > kMostInCells) return;
      for (std::size_t x = 0; x < c.rows.size(); ++x) {
        const std::int64_t mine = values_[c.rows[x]] / unit;
        if (mine != share(how, all, static_cast<std::int64_t>(x), c.extent)) return;
        is_uneven = is_uneven || mine != values_[c.rows[0]] / unit;
      }
      wholes[c.rows.front()] = all;
    }
    if (!is_uneven) return;
    for (const auto& [place, all] : wholes) {
      whole.rows.push_back(view_.goal().rows[place]);
      whole.values.push_back(all);
    }
    out_.push_back({scaled(unit, share(how, hole(0), holder_.x, holder_.d)),
                    kPartition + holder_.cost + (unit == 1 ? 0 : 4 + bits_of(unit)) +
                        cost_of(how, view_.divisions()),
                    0,
                    {std::move(whole)},
                    bit(how)});
  }

  // n is told by the start of the last place, but for what is rounded.
  void starts(Division how) {
    std::int64_t factor = 0;
    for (const std::int64_t v : values_) factor = std::gcd(factor, v);
    const Chain& longest = *std::ranges::max_element(chains_, {}, &Chain::extent);
    if (factor == 0 || longest.rows.size() < 2) return;
    const auto last = std::ssize(longest.rows) - 1;
    const std::int64_t begin = values_[longest.rows.back()];
    const std::set<std::int64_t> units{1, factor};
    for (const std::int64_t unit : units) {
      const auto first_from = [&](std::int64_t things) {
        const auto all = std::views::iota(std::int64_t{0}, kMostInCells);
        const auto first = std::ranges::lower_bound(
            all, things, {}, [&](std::int64_t n) { return start(how, n, last, longest.extent); });
        return static_cast<std::int64_t>(first - all.begin());
      };
      const std::int64_t end = std::min(first_from(begin / unit + 1), kMostInCells);
      for (std::int64_t n = first_from(begin / unit); n < end; ++n) {
        if (!view_.take(2)) return;
        begun(how, n, unit);
      }
    }
  }

  // How many things there are, as the starts show, if they do.
  std::optional<std::int64_t> all_of(Division how, const Chain& c) const {
    const std::size_t n = c.rows.size();
    if (n < 3) return std::nullopt;
    const auto at = [&](std::size_t x) { return values_[c.rows[x]]; };
    if (how == Division::ceiling) {
      // The last ones that have less than others, or nothing, start where all things end.
      const bool is_cut_off = at(n - 1) - at(n - 2) < at(1) - at(0);
      return is_cut_off ? std::optional(at(n - 1)) : std::nullopt;
    }
    if (how != Division::remainder_first) return std::nullopt;
    const std::int64_t least = at(n - 1) - at(n - 2);
    std::int64_t more = 0;
    while (more + 1 < std::ssize(c.rows) &&
           at(static_cast<std::size_t>(more) + 1) - at(static_cast<std::size_t>(more)) ==
               least + 1) {
      ++more;
    }
    return more > 0 ? std::optional(least * c.extent + more) : std::nullopt;
  }

  void starts_of_law(Division how) {
    std::map<std::uint32_t, std::int64_t> wholes;  // by the first place of the chain
    for (const Chain& c : chains_) {
      const auto all = all_of(how, c);
      if (!all) continue;
      for (std::size_t x = 0; x < c.rows.size(); ++x) {
        const std::int64_t mine = start(how, *all, static_cast<std::int64_t>(x), c.extent);
        if (values_[c.rows[x]] != mine) return;
      }
      wholes[c.rows.front()] = *all;
    }
    if (wholes.empty()) return;
    Goal whole;
    for (const auto& [place, all] : wholes) {
      whole.rows.push_back(view_.goal().rows[place]);
      whole.values.push_back(all);
    }
    out_.push_back({start(how, hole(0), holder_.x, holder_.d),
                    kPartition + holder_.cost + 6 + cost_of(how, view_.divisions()),
                    0,
                    {std::move(whole)},
                    bit(how)});
  }

  void begun(Division how, std::int64_t n, std::int64_t unit) {
    if (n < 2 || n > kMostInCells) return;
    for (const Chain& c : chains_) {
      for (std::size_t x = c.rows.size(); x-- > 0;) {
        if (values_[c.rows[x]] != unit * start(how, n, static_cast<std::int64_t>(x), c.extent)) {
          return;
        }
      }
    }
    out_.push_back({scaled(unit, start(how, Expr(n), holder_.x, holder_.d)),
                    kPartition + holder_.cost + 6 + cost_of_number(view_.numbers(), n) +
                        (unit == 1 ? 0 : 4 + bits_of(unit)) + cost_of(how, view_.divisions()),
                    0,
                    {},
                    bit(how)});
  }

  const View& view_;
  const Column& values_;
  const Holder& holder_;
  Reductions& out_;
  std::vector<Chain> chains_;
};

}  // namespace

void partitions(const View& view, Reductions& out) {
  for (const Holder& holder : holders(view)) PartitionsFinder(view, holder, out).run();
}

}  // namespace reprise::solve
