#include <algorithm>
#include <bit>

#include "base/hash.hpp"
#include "infer/enumerate.hpp"

namespace reprise::infer {

using expr::Op;

Pool::Pool(const Table& table, const std::vector<std::size_t>& rows, unsigned largest,
           bool with_zero)
    : table_(table), known_(rows.size()), until_(largest + 1) {
  for (const std::size_t row : rows) rows_.push_back(table.slots[row].data());
  for (const auto& probe : table.probes) rows_.push_back(probe.data());
  scratch_.resize(rows_.size());
  const auto ranks = std::find(table.names.begin(), table.names.end(), expr::kRanks);
  for (std::size_t i = 0; i < table.rows() && ranks != table.names.end(); ++i) {
    const std::int64_t v = table.slots[i][static_cast<std::size_t>(ranks - table.names.begin())];
    powers_of_two_ = powers_of_two_ && std::has_single_bit(static_cast<std::uint64_t>(v));
  }
  operators_ = {Op::add,    Op::subtract, Op::multiply, Op::divide,
                Op::modulo, Op::bit_xor,  Op::bit_and};
  const bool parameters = std::any_of(table.names.begin(), table.names.end(), [](const auto& name) {
    return name[0] == 'i' || (name[0] != 'r' && name[0] != 'd' && name[0] != 'x');
  });
  if (parameters) operators_.insert(operators_.end(), {Op::shift_left, Op::shift_right});
  for (std::uint32_t slot = 0; slot < table.names.size(); ++slot) {
    for (std::size_t i = 0; i < rows_.size(); ++i) scratch_[i] = rows_[i][slot];
    add({Op::variable, 1, slot, 0}, scratch_.data());
  }
  for (const std::uint32_t constant : {0, 1, 2}) {
    if (constant == 0 && !with_zero) continue;
    std::fill(scratch_.begin(), scratch_.end(), constant);
    add({Op::constant, 1, constant, 0}, scratch_.data());
  }
  until_[1] = entries_.size();
  for (unsigned nodes = 3; nodes <= largest; nodes += 2) grow(nodes);
}

// Adds all pairs of what is there with `nodes` nodes in all. REQUIRES: nodes is 3 or 5.
void Pool::grow(unsigned nodes) {
  const auto leaves = static_cast<std::uint32_t>(until_[1]);
  const auto begin = static_cast<std::uint32_t>(nodes == 3 ? 0 : until_[1]);
  const auto end = static_cast<std::uint32_t>(until_[nodes - 2]);
  for (std::uint32_t a = begin; a < end; ++a) {
    for (std::uint32_t b = 0; b < leaves; ++b) {
      combine(a, b, nodes);
      if (nodes > 3) combine(b, a, nodes);
    }
  }
  until_[nodes - 1] = until_[nodes - 2];
  until_[nodes] = entries_.size();
}

// x op y row by row; false if some row has no value. The commonest are written out: calls to
// expr::apply would take most of the time.
bool Pool::apply_to_rows(Op op, const std::int64_t* x, const std::int64_t* y) {
  const std::size_t n = rows_.size();
  std::int64_t* out = scratch_.data();
  bool faults = false;
  switch (op) {
    case Op::add:
      for (std::size_t i = 0; i < n; ++i) faults |= __builtin_add_overflow(x[i], y[i], &out[i]);
      return !faults;
    case Op::subtract:
      for (std::size_t i = 0; i < n; ++i) faults |= __builtin_sub_overflow(x[i], y[i], &out[i]);
      return !faults;
    case Op::multiply:
      for (std::size_t i = 0; i < n; ++i) faults |= __builtin_mul_overflow(x[i], y[i], &out[i]);
      return !faults;
    default:
      for (std::size_t i = 0; i < n && !faults; ++i) {
        faults = apply(op, x[i], y[i], out[i]) != expr::Fault::none;
      }
      return !faults;
  }
}

void Pool::combine(std::uint32_t a, std::uint32_t b, unsigned nodes) {
  for (const Op op : operators_) {
    if ((is_commutative(op) && a > b) || !is_plausible(op, a, b)) continue;
    if (!apply_to_rows(op, values(a), values(b))) continue;
    add({op, static_cast<std::uint8_t>(nodes), a, b}, scratch_.data());
  }
}

// Two expressions whose values have one hash count as one.
void Pool::add(Entry entry, const std::int64_t* values) {
  const std::uint64_t known = hash_bytes(values, known_ * sizeof(std::int64_t));
  const std::uint64_t all = hash_bytes(values, rows_.size() * sizeof(std::int64_t));
  if (!seen_.insert(all).second) return;
  by_known_[known].push_back(static_cast<std::uint32_t>(entries_.size()));
  entries_.push_back(entry);
  values_.insert(values_.end(), values, values + rows_.size());
}

bool Pool::is_free_of_ranks(std::size_t i) const {
  const Entry& e = entries_[i];
  if (e.op == Op::constant) return true;
  if (e.op != Op::variable) return is_free_of_ranks(e.a) && is_free_of_ranks(e.b);
  const std::string& name = table_.names[e.a];
  return name != expr::kRank && name != expr::kRanks && name[0] != 'x' && name[0] != 'd';
}

bool Pool::is_of_rank_alone(std::size_t i) const {
  const Entry& e = entries_[i];
  if (e.op == Op::constant) return true;
  if (e.op != Op::variable) return is_of_rank_alone(e.a) && is_of_rank_alone(e.b);
  const std::string& name = table_.names[e.a];
  return name != expr::kRanks && name[0] != 'x' && name[0] != 'd';
}

bool Pool::is_plausible(Op op, std::size_t a, std::size_t b) const {
  if (powers_of_two_ || (op != Op::bit_and && op != Op::bit_xor)) return true;
  return is_free_of_ranks(a) || is_free_of_ranks(b) || (is_of_rank_alone(a) && is_of_rank_alone(b));
}

const std::vector<std::uint32_t>* Pool::find(const std::int64_t* values) const {
  const auto found = by_known_.find(hash_bytes(values, known_ * sizeof(std::int64_t)));
  return found == by_known_.end() ? nullptr : &found->second;
}

expr::Expr Pool::expression(std::size_t i) const {
  const Entry& e = entries_[i];
  if (e.op == Op::constant) return static_cast<std::int64_t>(e.a);
  if (e.op == Op::variable) return expr::Expr::variable(table_.names[e.a]);
  return expr::Expr::make(e.op, expression(e.a), expression(e.b));
}

}  // namespace reprise::infer
