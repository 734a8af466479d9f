#include "infer/predicate.hpp"

#include <algorithm>
#include <bit>

#include "expr/print.hpp"
#include "infer/atoms.hpp"

namespace reprise::infer {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::size_t kFirstRows = 128;
constexpr std::size_t kMostParts = 6;
constexpr std::size_t kMostPairs = 600;
constexpr unsigned kSimple = 62;  // cost of comparing a sum or a difference with a leaf
constexpr int kRounds = 8;

bool is_subset(const RowSet& a, const RowSet& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] & ~b[i]) != 0) return false;
  }
  return true;
}

int size_of(const RowSet& a) {
  int n = 0;
  for (const std::uint64_t word : a) n += std::popcount(word);
  return n;
}

using Parts = std::vector<const Atom*>;

unsigned cost_of(const Parts& parts) {
  unsigned cost = 0;
  for (const Atom* part : parts) cost += part->cost + 10;
  return cost;
}

// The cheapest two.
Parts cheapest_pair(const RowSet& goal, const Parts& around) {
  Parts best;
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
Parts greedy(const RowSet& goal, const Parts& around) {
  Parts parts;
  if (around.empty()) return parts;
  RowSet left;
  left.fill(~std::uint64_t{0});
  while (parts.size() < kMostParts) {
    const Atom* best = nullptr;
    double best_left = 0;
    RowSet best_rows;
    for (const Atom* atom : around) {
      RowSet rows = left;
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
    if (left != goal) continue;
    std::stable_sort(parts.begin(), parts.end(), [](const Atom* a, const Atom* b) {
      return a->comparison.a < b->comparison.a;
    });
    return parts;
  }
  return {};
}

// Atoms whose intersection is the goal; empty if none are found.
Parts join(const Atoms& atoms, const RowSet& goal) {
  Parts around;
  for (const Atom& atom : atoms.list()) {
    if (is_subset(goal, atom.rows) && atom.rows != atoms.all()) around.push_back(&atom);
  }
  std::stable_sort(around.begin(), around.end(),
                   [](const Atom* a, const Atom* b) { return a->cost < b->cost; });
  Parts two = cheapest_pair(goal, around);
  const auto dear = std::find_if(around.begin(), around.end(),
                                 [](const Atom* atom) { return atom->cost > kSimple; });
  Parts simple = greedy(goal, Parts(around.begin(), dear));
  if (!simple.empty() && (two.empty() || cost_of(simple) < cost_of(two))) return simple;
  if (two.empty()) return greedy(goal, around);
  return two;
}

// The cheapest condition that holds on just the wanted rows. A disjunction is searched for as the
// conjunction of the opposites.
Result<Expr> find_condition(const Atoms& atoms, const RowSet& wanted) {
  Parts best;
  bool opposite = false;
  if (const Atom* same = atoms.find(wanted)) best = {same};
  for (const bool other : {false, true}) {
    const Parts parts = join(atoms, other ? atoms.complement(wanted) : wanted);
    // A single one has been found already, as it is.
    if (parts.size() < 2 || (!best.empty() && cost_of(parts) >= cost_of(best))) continue;
    best = parts;
    opposite = other;
  }
  if (best.empty()) return Error{"no condition explains which ranks take part"};
  std::optional<Expr> out;
  for (const Atom* part : best) {
    const Expr e = atoms.expression(part->comparison, opposite);
    if (part->rival) {
      return Error{"the samples do not tell '" + print(e) + "' from '" +
                   print(atoms.expression(*part->rival, opposite)) +
                   "' (both explain all of them and differ at the target) add a run of another "
                   "shape"};
    }
    out = out ? Expr::make(opposite ? Op::logical_or : Op::logical_and, *out, e) : e;
  }
  return *out;
}

Result<Expr> infer_on(const Table& truth, const std::vector<std::size_t>& rows) {
  Atoms atoms(truth, rows);
  RowSet wanted = {};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (truth.values[rows[i]] != 0) wanted[i / 64] |= std::uint64_t{1} << i % 64;
  }
  if (size_of(wanted) == 0) return Expr(0);
  if (wanted == atoms.all()) return Expr(1);
  if (auto found = find_condition(atoms, wanted)) return found;
  atoms.add_larger();
  return find_condition(atoms, wanted);
}

}  // namespace

Result<Expr> infer_predicate(const Table& table) {
  Table truth = table;
  for (std::int64_t& v : truth.values) v = v != 0;
  std::vector<std::size_t> rows = choose_rows(truth, kFirstRows);
  for (int round = 0; round < kRounds; ++round) {
    auto found = infer_on(truth, rows);
    if (!found) return found;
    const std::size_t wrong = first_unexplained(*found, truth);
    if (wrong == truth.rows()) return found;
    rows.push_back(wrong);
  }
  return Error{"no condition explains which ranks take part"};
}

}  // namespace reprise::infer
