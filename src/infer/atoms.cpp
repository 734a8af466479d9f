#include "infer/atoms.hpp"

#include "expr/print.hpp"

namespace reprise::infer {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::size_t kMostCompared = 500000;  // pairs with so many nodes

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

constexpr std::pair<Op, Op> kOpposites[] = {
    {Op::less, Op::greater_equal}, {Op::greater, Op::less_equal}, {Op::equal, Op::not_equal}};

Op opposite_of(Op op) {
  for (const auto& [one, other] : kOpposites) {
    if (op == one) return other;
    if (op == other) return one;
  }
  return op;
}

}  // namespace

Atoms::Atoms(const Table& table, const std::vector<std::size_t>& rows)
    : pool_(table, rows, 5, true), all_probes_((std::uint64_t{1} << table.probes.size()) - 1) {
  for (std::size_t i = 0; i < rows.size(); ++i) all_[i / 64] |= std::uint64_t{1} << i % 64;
  for (std::size_t i = 0; i < pool_.size(); ++i) costs_.push_back(cost_of_entry(i));
  compare(1, 1);
  compare(3, 1);
  compare(1, 3);
  compare(3, 3);
}

void Atoms::add_larger() { compare(5, 1); }

const Atom* Atoms::find(const RowSet& rows) const {
  const auto found = index_.find(rows);
  return found == index_.end() ? nullptr : &atoms_[found->second];
}

RowSet Atoms::complement(const RowSet& rows) const {
  RowSet out = all_;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] &= ~rows[i];
  return out;
}

Expr Atoms::expression(const Comparison& comparison, bool opposite) const {
  return Expr::make(opposite ? opposite_of(comparison.op) : comparison.op,
                    pool_.expression(comparison.a), pool_.expression(comparison.b));
}

unsigned Atoms::cost_of_entry(std::size_t i) const {
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

void Atoms::compare(unsigned left, unsigned right) {
  const std::size_t pairs = (pool_.until(left) - begin(left)) * (pool_.until(right) - begin(right));
  if (pairs > kMostCompared) return;
  for (std::size_t a = begin(left); a < pool_.until(left); ++a) {
    for (std::size_t b = begin(right); b < pool_.until(right); ++b) {
      if (left != right || a != b) compare_entries(a, b);
    }
  }
}

void Atoms::compare_entries(std::size_t a, std::size_t b) {
  RowSet equal = {}, less = {};
  const std::int64_t* x = pool_.values(a);
  const std::int64_t* y = pool_.values(b);
  for (std::size_t i = 0; i < pool_.width(); ++i) {
    equal[i / 64] |= std::uint64_t{x[i] == y[i]} << i % 64;
    less[i / 64] |= std::uint64_t{x[i] < y[i]} << i % 64;
  }
  std::uint64_t equal_probes = 0;
  std::uint64_t less_probes = 0;
  for (std::size_t i = 0; i < pool_.probes(); ++i) {
    equal_probes |= std::uint64_t{x[pool_.width() + i] == y[pool_.width() + i]} << i;
    less_probes |= std::uint64_t{x[pool_.width() + i] < y[pool_.width() + i]} << i;
  }
  RowSet at_most = less;
  for (std::size_t i = 0; i < less.size(); ++i) at_most[i] |= equal[i];
  const std::uint64_t at_most_probes = less_probes | equal_probes;
  const auto take = [&](Op op, const RowSet& rows, std::uint64_t probes) {
    add({op, a, b}, rows, probes & all_probes_);
  };
  take(Op::greater, complement(at_most), ~at_most_probes);
  take(Op::greater_equal, complement(less), ~less_probes);
  take(Op::not_equal, complement(equal), ~equal_probes);
  take(Op::equal, equal, equal_probes);
  take(Op::less, less, less_probes);
  take(Op::less_equal, at_most, at_most_probes);
}

void Atoms::add(const Comparison& comparison, const RowSet& rows, std::uint64_t probes) {
  if (rows == all_ || rows == RowSet{}) return;
  const unsigned cost = costs_[comparison.a] + costs_[comparison.b] + cost_of(comparison.op);
  const auto [same, is_new] = index_.emplace(rows, atoms_.size());
  if (is_new) {
    atoms_.push_back({comparison, cost, rows, probes});
    return;
  }
  Atom& kept = atoms_[same->second];
  if (cost < kept.cost) {
    kept = {comparison, cost, rows, probes};
  } else if (cost == kept.cost && probes != kept.probes && !kept.rival) {
    kept.rival = comparison;
  }
}

}  // namespace reprise::infer
