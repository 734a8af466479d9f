#include "infer/predicate.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "expr/print.hpp"
#include "infer/enumerate.hpp"

namespace reprise::infer {
namespace {

using expr::Expr;
using expr::Op;
using Bits = std::vector<std::uint64_t>;  // a set of rows

constexpr std::size_t kMostRows = 128;
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
  unsigned cost;
  Bits rows;
};

// What a reader pays for an operator; a node costs ten.
unsigned cost_of(Op op) {
  switch (op) {
    case Op::equal:
    case Op::add:
    case Op::subtract: return 10;
    case Op::less:
    case Op::greater: return 11;
    case Op::not_equal:
    case Op::divide:
    case Op::modulo: return 12;
    case Op::multiply: return 50;
    default: return 14;
  }
}

struct Found {
  std::optional<Expr> condition;
  unsigned cost = 0;
};

// Conditions over chosen rows. A disjunction is searched for as the conjunction of the opposites.
class Conditions {
 public:
  Conditions(const Table& table, const std::vector<std::size_t>& rows)
      : pool_(table, rows, 5, true), wanted_((rows.size() + 63) / 64), all_(wanted_.size()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      all_[i / 64] |= std::uint64_t{1} << i % 64;
      if (table.values[rows[i]] != 0) wanted_[i / 64] |= std::uint64_t{1} << i % 64;
    }
    // Of the comparisons that hold on the same rows the cheapest stays.
    for (std::size_t i = 0; i < pool_.size(); ++i) costs_.push_back(cost_of_entry(i));
    compare(1, 1);
    compare(3, 1);
    compare(1, 3);
    compare(3, 3);
  }

  std::optional<Expr> search() {
    if (size_of(wanted_) == 0) return Expr(0);
    if (wanted_ == all_) return Expr(1);
    if (auto found = cheapest()) return found;
    compare(5, 1);
    return cheapest();
  }

 private:
  std::optional<Expr> cheapest() const {
    Found best;
    if (const auto same = index_.find(wanted_); same != index_.end()) {
      const Atom& atom = atoms_[same->second];
      best = {expression(atom, false), atom.cost};
    }
    for (const bool opposite : {false, true}) {
      const Found joined = join(opposite ? complement(wanted_) : wanted_, opposite);
      if (joined.condition && (!best.condition || joined.cost < best.cost)) best = joined;
    }
    return best.condition;
  }

  Bits complement(const Bits& rows) const {
    Bits out = all_;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] &= ~rows[i];
    return out;
  }

  std::size_t begin(unsigned nodes) const { return nodes < 3 ? 0 : pool_.until(nodes - 2); }

  unsigned cost_of_entry(std::size_t i) const {
    const Pool::Entry& e = pool_.entry(i);
    if (e.op == Op::constant) return 10 + e.a;
    if (e.op != Op::variable) {
      // A quotient by what is not a number may have no value elsewhere.
      const bool quotient = e.op == Op::divide || e.op == Op::modulo;
      const unsigned doubtful = quotient && pool_.entry(e.b).op != Op::constant ? 40 : 0;
      return cost_of(e.op) + costs_[e.a] + costs_[e.b] + doubtful;
    }
    // Coordinates say more than ranks, and ranks more than extents.
    const std::string name = expr::print(pool_.expression(i));
    return name[0] == 'x' ? 12 : name == expr::kRank ? 13 : 14;
  }

  void compare(unsigned left, unsigned right) {
    for (std::size_t a = begin(left); a < pool_.until(left); ++a) {
      for (std::size_t b = begin(right); b < pool_.until(right); ++b) {
        if (left != right || a != b) compare_entries(a, b);
      }
    }
  }

  void compare_entries(std::size_t a, std::size_t b) {
    Bits equal(all_.size());
    Bits less(all_.size());
    const std::int64_t* x = pool_.values(a);
    const std::int64_t* y = pool_.values(b);
    for (std::size_t i = 0; i < pool_.width(); ++i) {
      equal[i / 64] |= std::uint64_t{x[i] == y[i]} << i % 64;
      less[i / 64] |= std::uint64_t{x[i] < y[i]} << i % 64;
    }
    Bits not_greater = less;
    for (std::size_t i = 0; i < less.size(); ++i) not_greater[i] |= equal[i];
    const unsigned cost = costs_[a] + costs_[b];
    add({Op::greater, a, b, cost + cost_of(Op::greater), complement(not_greater)});
    add({Op::greater_equal, a, b, cost + cost_of(Op::greater_equal), complement(less)});
    add({Op::not_equal, a, b, cost + cost_of(Op::not_equal), complement(equal)});
    add({Op::equal, a, b, cost + cost_of(Op::equal), std::move(equal)});
    add({Op::less, a, b, cost + cost_of(Op::less), std::move(less)});
    add({Op::less_equal, a, b, cost + cost_of(Op::less_equal), std::move(not_greater)});
  }

  void add(Atom atom) {
    const auto [same, is_new] = index_.emplace(atom.rows, atoms_.size());
    if (is_new) {
      atoms_.push_back(std::move(atom));
    } else if (atom.cost < atoms_[same->second].cost) {
      atoms_[same->second] = std::move(atom);
    }
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
  Found join(const Bits& goal, bool opposite) const {
    std::vector<const Atom*> around;
    for (const Atom& atom : atoms_) {
      if (is_subset(goal, atom.rows) && atom.rows != all_) around.push_back(&atom);
    }
    std::stable_sort(around.begin(), around.end(),
                     [](const Atom* a, const Atom* b) { return a->cost < b->cost; });
    std::vector<const Atom*> parts = pair(goal, around);
    if (parts.empty()) parts = greedy(goal, around);
    if (parts.empty()) return {};
    unsigned cost = 0;
    for (const Atom* part : parts) cost += part->cost + 10;
    Expr out = expression(*parts[0], opposite);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      out = Expr::make(opposite ? Op::logical_or : Op::logical_and, out,
                       expression(*parts[i], opposite));
    }
    return {out, cost - 10};
  }

  // The cheapest two.
  static std::vector<const Atom*> pair(const Bits& goal, const std::vector<const Atom*>& around) {
    std::vector<const Atom*> best;
    const std::size_t n = std::min(around.size(), kMostPairs);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = i + 1; k < n; ++k) {
        const unsigned cost = around[i]->cost + around[k]->cost;
        if (!best.empty() && cost >= best[0]->cost + best[1]->cost) break;
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
        const double size = size_of(rows) + 0.001 * atom->cost;
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
  std::vector<unsigned> costs_;  // of the pool's entries
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
