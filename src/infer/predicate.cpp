#include "infer/predicate.hpp"

#include <algorithm>
#include <map>

#include "infer/enumerate.hpp"

namespace reprise::infer {
namespace {

using expr::Expr;
using expr::Op;
using Bits = std::vector<std::uint64_t>;  // a set of rows

constexpr std::size_t kMostRows = 256;
constexpr std::size_t kMostParts = 6;
constexpr std::size_t kMostPairs = 600;
constexpr int kRounds = 6;

bool is_subset(const Bits& a, const Bits& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] & ~b[i]) != 0) return false;
  }
  return true;
}

int size_of(const Bits& a) {
  int n = 0;
  for (const std::uint64_t word : a) n += std::popcount(word);
  return n;
}

struct Atom {
  Op op;
  std::size_t a;
  std::size_t b;
  unsigned nodes;
  Bits rows;
};

// Conditions over chosen rows. A set of rows is `wanted`; `within` is complemented for
// disjunctions, so that both are searched as conjunctions.
class Conditions {
 public:
  Conditions(const Table& table, const std::vector<std::size_t>& rows)
      : pool_(table, rows, 5, true), wanted_((rows.size() + 63) / 64), all_(wanted_.size()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      all_[i / 64] |= std::uint64_t{1} << i % 64;
      if (table.values[rows[i]] != 0) wanted_[i / 64] |= std::uint64_t{1} << i % 64;
    }
    // Comparisons by their nodes; of those that hold on the same rows the first stays.
    compare(1, 1);
    compare(3, 1);
    compare(3, 3);
    compare(5, 1);
  }

  std::optional<Expr> search() const {
    if (size_of(wanted_) == 0) return Expr(0);
    if (wanted_ == all_) return Expr(1);
    if (const auto same = index_.find(wanted_); same != index_.end()) {
      return expression(atoms_[same->second], false);
    }
    const auto both = conjunction(wanted_, false);
    const auto either = conjunction(complement(wanted_), true);
    if (both && either) return both->nodes() <= either->nodes() ? both : either;
    return both ? both : either;
  }

 private:
  Bits complement(const Bits& rows) const {
    Bits out = all_;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] &= ~rows[i];
    return out;
  }

  std::size_t begin(unsigned nodes) const { return nodes < 3 ? 0 : pool_.until(nodes - 2); }

  void compare(unsigned left, unsigned right) {
    for (std::size_t a = begin(left); a < pool_.until(left); ++a) {
      for (std::size_t b = begin(right); b < pool_.until(right); ++b) {
        if (left == right && a == b) continue;
        for (const Op op :
             {Op::equal, Op::less, Op::greater, Op::not_equal, Op::less_equal, Op::greater_equal}) {
          add(op, a, b, left + right + 1);
        }
      }
    }
  }

  void add(Op op, std::size_t a, std::size_t b, unsigned nodes) {
    Bits rows(all_.size());
    const std::int64_t* x = pool_.values(a);
    const std::int64_t* y = pool_.values(b);
    std::int64_t holds = 0;
    for (std::size_t i = 0; i < pool_.width(); ++i) {
      expr::apply(op, x[i], y[i], holds);
      rows[i / 64] |= static_cast<std::uint64_t>(holds) << i % 64;
    }
    if (!index_.emplace(rows, atoms_.size()).second) return;
    atoms_.push_back({op, a, b, nodes, std::move(rows)});
  }

  Expr expression(const Atom& atom, bool opposite) const {
    Op op = atom.op;
    if (opposite) {
      constexpr std::pair<Op, Op> kOpposites[] = {
          {Op::less, Op::greater_equal}, {Op::greater, Op::less_equal}, {Op::equal, Op::not_equal}};
      for (const auto& [one, other] : kOpposites) {
        if (atom.op == one || atom.op == other) op = atom.op == one ? other : one;
      }
    }
    return Expr::make(op, pool_.expression(atom.a), pool_.expression(atom.b));
  }

  // Atoms whose intersection is `goal`, all opposite and joined by || if `opposite`, else by &&.
  std::optional<Expr> conjunction(const Bits& goal, bool opposite) const {
    std::vector<const Atom*> around;
    for (const Atom& atom : atoms_) {
      if (is_subset(goal, atom.rows) && atom.rows != all_) around.push_back(&atom);
    }
    std::stable_sort(around.begin(), around.end(),
                     [](const Atom* a, const Atom* b) { return a->nodes < b->nodes; });
    std::vector<const Atom*> parts = pair(goal, around);
    if (parts.empty()) parts = greedy(goal, around);
    if (parts.empty()) return std::nullopt;
    Expr out = expression(*parts[0], opposite);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      out = Expr::make(opposite ? Op::logical_or : Op::logical_and, out,
                       expression(*parts[i], opposite));
    }
    return out;
  }

  // The two with the fewest nodes.
  static std::vector<const Atom*> pair(const Bits& goal, const std::vector<const Atom*>& around) {
    std::vector<const Atom*> best;
    const std::size_t n = std::min(around.size(), kMostPairs);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = i + 1; k < n; ++k) {
        const unsigned nodes = around[i]->nodes + around[k]->nodes;
        if (!best.empty() && nodes >= best[0]->nodes + best[1]->nodes) break;
        bool same = true;
        for (std::size_t w = 0; w < goal.size() && same; ++w) {
          same = (around[i]->rows[w] & around[k]->rows[w]) == goal[w];
        }
        if (same) best = {around[i], around[k]};
      }
    }
    return best;
  }

  // One after the other, each time the one that leaves the least for its nodes.
  static std::vector<const Atom*> greedy(const Bits& goal, const std::vector<const Atom*>& around) {
    std::vector<const Atom*> parts;
    if (around.empty()) return parts;
    Bits left(goal.size(), ~std::uint64_t{0});
    while (parts.size() < kMostParts) {
      const Atom* best = nullptr;
      double best_left = 0;
      Bits best_rows;
      for (const Atom* atom : around) {
        Bits rows = left;
        for (std::size_t w = 0; w < rows.size(); ++w) rows[w] &= atom->rows[w];
        const double size = size_of(rows) + 0.01 * atom->nodes;
        if (best == nullptr || size < best_left) {
          best = atom;
          best_left = size;
          best_rows = std::move(rows);
        }
      }
      if (best_rows == left) return {};
      parts.push_back(best);
      left = best_rows;
      if (left == goal) return parts;
    }
    return {};
  }

  Pool pool_;
  Bits wanted_;
  Bits all_;
  std::vector<Atom> atoms_;
  std::map<Bits, std::size_t> index_;
};

}  // namespace

std::optional<Expr> infer_predicate(const Table& table) {
  Table truth = table;
  for (std::int64_t& v : truth.values) v = v != 0;
  std::vector<std::size_t> rows = choose_rows(truth, kMostRows);
  for (int round = 0; round < kRounds; ++round) {
    const auto found = Conditions(truth, rows).search();
    if (!found) return std::nullopt;
    const std::size_t wrong = first_unexplained(*found, truth);
    if (wrong == truth.rows()) return found;
    rows.push_back(wrong);
  }
  return std::nullopt;
}

}  // namespace reprise::infer
