#include "infer/enumerate.hpp"

#include <algorithm>
#include <numeric>

#include "base/hash.hpp"

namespace reprise::infer {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::size_t kFirstRows = 24;
constexpr int kRounds = 8;
constexpr std::size_t kMostPairs = 3000000;

// Tests of whether x op y may be `wanted`; where not, it is not. What overflows is left to
// expr::apply.
std::uint64_t bits(std::int64_t v) { return static_cast<std::uint64_t>(v); }

struct MayBeProduct {
  bool operator()(std::int64_t x, std::int64_t y, std::int64_t wanted) const {
    return bits(x) * bits(y) == bits(wanted);
  }
};
struct MayBeQuotient {  // wanted * y <= x < wanted * y + y, without a division
  bool operator()(std::int64_t x, std::int64_t y, std::int64_t wanted) const {
    std::int64_t least = 0;
    if (y <= 0) return y < 0;
    if (__builtin_mul_overflow(wanted, y, &least)) return false;
    return least <= x && bits(x) - bits(least) < bits(y);
  }
};
struct MayBeRemainder {
  bool operator()(std::int64_t x, std::int64_t y, std::int64_t wanted) const {
    if (y <= 0) return y < 0;
    return 0 <= wanted && wanted < y && (x == wanted || (x - wanted) % y == 0);
  }
};
struct MayBeCommonBits {
  bool operator()(std::int64_t x, std::int64_t y, std::int64_t wanted) const {
    return (x & y) == wanted;
  }
};
struct MayBeShiftedLeft {
  bool operator()(std::int64_t x, std::int64_t y, std::int64_t wanted) const {
    return 0 <= y && y < 64 && bits(x) << y == bits(wanted);
  }
};
struct MayBeShiftedRight {
  bool operator()(std::int64_t x, std::int64_t y, std::int64_t wanted) const {
    return 0 <= y && y < 64 && x >> y == wanted;
  }
};

class Search {
 public:
  Search(const Table& table, const std::vector<std::size_t>& rows, std::size_t limit)
      : pool_(table, rows, 5), limit_(limit) {
    for (const std::size_t row : rows) target_.push_back(table.values[row]);
    for (std::size_t i = 0; i < pool_.size(); ++i) first_.push_back(pool_.values(i)[0]);
  }

  // The expressions with this many nodes that have the values on the chosen rows.
  std::vector<Expr> with_nodes(unsigned nodes) {
    found_.clear();
    if (nodes <= 5) {
      if (const auto* same = pool_.find(target_.data())) {
        for (const std::uint32_t i : *same) {
          if (pool_.entry(i).nodes == nodes) found_.push_back(pool_.expression(i));
        }
      }
      return found_;
    }
    for (const unsigned small : {1U, 3U}) {
      const unsigned large = nodes - 1 - small;
      if (large > 5 || small > large) continue;
      const std::size_t pairs = (pool_.until(large) - begin(large)) * pool_.until(small);
      if (pairs <= kMostPairs) {
        try_pairs(small, nodes - 1 - small);
      }
    }
    complete(nodes);
    return found_;
  }

 private:
  std::size_t begin(unsigned nodes) const { return nodes < 3 ? 0 : pool_.until(nodes - 2); }

  void keep(Op op, std::size_t a, std::size_t b) {
    if (found_.size() >= limit_ || !pool_.is_plausible(op, a, b)) return;
    if (expr::is_commutative(op) && a > b) std::swap(a, b);
    Expr e = Expr::make(op, pool_.expression(a), pool_.expression(b));
    if (std::find(found_.begin(), found_.end(), e) == found_.end()) found_.push_back(std::move(e));
  }

  bool explains(Op op, std::size_t a, std::size_t b) const {
    const std::int64_t* x = pool_.values(a);
    const std::int64_t* y = pool_.values(b);
    std::int64_t v = 0;
    for (std::size_t i = 0; i < pool_.width(); ++i) {
      if (expr::apply(op, x[i], y[i], v) != expr::Fault::none || v != target_[i]) return false;
    }
    return true;
  }

  struct Pair {
    std::size_t a, b;
    std::size_t op;  // of the pool's operators
    bool swapped;

    auto operator<=>(const Pair&) const = default;
  };

  // Adds the pairs that have the values, of those that have them on the first rows.
  template <class MayBe>
  void scan(std::size_t op_index, unsigned small, unsigned large, MayBe may_be,
            std::vector<Pair>& out) const {
    const Op op = pool_.operators()[op_index];
    const bool both = !expr::is_commutative(op) && small != large;
    const std::size_t second = std::min<std::size_t>(1, pool_.width() - 1);
    const std::int64_t one = target_[0], other = target_[second];
    const std::size_t from = begin(small), until = pool_.until(small);
    for (std::size_t a = begin(large); a < pool_.until(large); ++a) {
      const std::int64_t* x = pool_.values(a);
      const std::int64_t x0 = x[0], x1 = x[second];
      for (std::size_t b = from; b < until; ++b) {
        const std::int64_t y0 = first_[b];
        if (may_be(x0, y0, one) && may_be(x1, pool_.values(b)[second], other) &&
            explains(op, a, b)) {
          out.push_back({a, b, op_index, false});
        }
        if (both && may_be(y0, x0, one) && may_be(pool_.values(b)[second], x1, other) &&
            explains(op, b, a)) {
          out.push_back({a, b, op_index, true});
        }
      }
    }
  }

  // What has no inverse; `complete` has the other operators.
  void try_pairs(unsigned small, unsigned large) {
    std::vector<Pair> pairs;
    for (std::size_t k = 0; k < pool_.operators().size(); ++k) {
      switch (pool_.operators()[k]) {
        case Op::multiply: scan(k, small, large, MayBeProduct(), pairs); break;
        case Op::divide: scan(k, small, large, MayBeQuotient(), pairs); break;
        case Op::modulo: scan(k, small, large, MayBeRemainder(), pairs); break;
        case Op::bit_and: scan(k, small, large, MayBeCommonBits(), pairs); break;
        case Op::shift_left: scan(k, small, large, MayBeShiftedLeft(), pairs); break;
        case Op::shift_right: scan(k, small, large, MayBeShiftedRight(), pairs); break;
        default: break;
      }
    }
    std::ranges::sort(pairs);
    for (const Pair& p : pairs) {
      const Op op = pool_.operators()[p.op];
      p.swapped ? keep(op, p.b, p.a) : keep(op, p.a, p.b);
    }
  }

  // a + b, a - b and a ^ b with `nodes` nodes in all: b is looked up.
  void complete(unsigned nodes) {
    std::vector<std::int64_t> wanted(pool_.width());
    for (std::size_t a = 0; a < pool_.size(); ++a) {
      for (const Op op : {Op::add, Op::subtract, Op::bit_xor}) {
        const std::int64_t* x = pool_.values(a);
        // b = target - a, a - target or target ^ a
        bool fits = true;
        for (std::size_t i = 0; i < wanted.size() && fits; ++i) {
          const Op inverse = op == Op::bit_xor ? op : Op::subtract;
          const bool swapped = op == Op::subtract;
          fits = expr::apply(inverse, swapped ? x[i] : target_[i], swapped ? target_[i] : x[i],
                             wanted[i]) == expr::Fault::none;
        }
        const auto* same = fits ? pool_.find(wanted.data()) : nullptr;
        if (same == nullptr) continue;
        for (const std::uint32_t b : *same) {
          if (pool_.entry(a).nodes + pool_.entry(b).nodes + 1U != nodes) continue;
          if (op == Op::subtract || a <= b) keep(op, a, b);
        }
      }
    }
  }

  Pool pool_;
  std::size_t limit_;
  std::vector<std::int64_t> target_;
  std::vector<std::int64_t> first_;  // the entries' values on the first row
  std::vector<Expr> found_;
};

}  // namespace

std::vector<std::size_t> choose_rows(const Table& table, std::size_t limit) {
  std::vector<std::size_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0);
  if (rows.size() <= limit) return rows;
  // The last row, and a fair share of each world, spread over it by a hash.
  std::vector<std::size_t> per_world;
  for (const std::size_t w : table.world) {
    if (w >= per_world.size()) per_world.resize(w + 1);
    ++per_world[w];
  }
  const auto priority = [&](std::size_t row) {
    return static_cast<double>(mix(row) >> 11) * static_cast<double>(per_world[table.world[row]]) *
           (row + 1 == rows.size() ? 0 : 1);
  };
  std::sort(rows.begin(), rows.end(),
            [&](std::size_t a, std::size_t b) { return priority(a) < priority(b); });
  rows.resize(limit);
  return rows;
}

std::vector<Expr> enumerate(const Table& table, unsigned largest, std::size_t limit) {
  if (table.rows() == 0) return {};
  std::vector<std::size_t> rows = choose_rows(table, kFirstRows);
  for (int round = 0; round < kRounds; ++round) {
    Search search(table, rows, limit);
    bool refuted = false;
    for (unsigned nodes = 1; nodes <= largest && !refuted; nodes += 2) {
      std::vector<Expr> found = search.with_nodes(nodes);
      if (found.empty()) continue;
      rows.push_back(first_unexplained(found.front(), table));
      refuted = rows.back() < table.rows();
      std::erase_if(found, [&](const Expr& e) { return !explains(e, table); });
      if (!found.empty()) return found;
      if (!refuted) rows.pop_back();
    }
    if (!refuted) return {};
  }
  return {};
}

}  // namespace reprise::infer
