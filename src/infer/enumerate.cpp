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

class Search {
 public:
  Search(const Table& table, const std::vector<std::size_t>& rows, std::size_t limit)
      : pool_(table, rows, 5), limit_(limit) {
    for (const std::size_t row : rows) target_.push_back(table.values[row]);
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

  void try_pair(Op op, std::size_t a, std::size_t b) {
    const std::int64_t* x = pool_.values(a);
    const std::int64_t* y = pool_.values(b);
    std::int64_t v = 0;
    for (std::size_t i = 0; i < pool_.width(); ++i) {
      if (expr::apply(op, x[i], y[i], v) != expr::Fault::none || v != target_[i]) return;
    }
    keep(op, a, b);
  }

  void try_pairs(unsigned small, unsigned large) {
    for (std::size_t a = begin(large); a < pool_.until(large); ++a) {
      for (std::size_t b = begin(small); b < pool_.until(small); ++b) {
        for (const Op op : pool_.operators()) {
          try_pair(op, a, b);
          if (!expr::is_commutative(op) && small != large) try_pair(op, b, a);
        }
      }
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
