#include "solve/table.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <unordered_map>

#include "base/hash.hpp"
#include "expr/program.hpp"

namespace reprise::solve {
namespace {

// Which leaves to do without first: what says the same as others together.
int rank_of(LeafKind kind) {
  switch (kind) {
    case LeafKind::trips: return 0;
    case LeafKind::length: return 1;
    case LeafKind::extent: return 2;
    case LeafKind::rank: return 3;
    case LeafKind::index: return 4;
    case LeafKind::element: return 5;
    default: return 6;
  }
}

std::optional<std::size_t> find_leaf(const std::vector<Leaf>& leaves, LeafKind kind,
                                     std::size_t number) {
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    if (leaves[l].kind == kind && leaves[l].number == number) return l;
  }
  return std::nullopt;
}

}  // namespace

Table::Table(const Samples& samples, const std::vector<std::size_t>& rows) : samples_(&samples) {
  leaves_.resize(samples.leaves.size());
  for (const std::size_t row : rows) {
    for (std::size_t l = 0; l < leaves_.size(); ++l) leaves_[l].push_back(samples.points[row][l]);
    values_.push_back(samples.values[row]);
    runs_.push_back(samples.runs[row]);
  }
  for (std::size_t l = 0; l < leaves_.size(); ++l) {
    for (std::size_t r = 1; r < runs_.size(); ++r) {
      if (runs_[r] == runs_[r - 1] && leaves_[l][r] != leaves_[l][r - 1]) varying_ |= bit(l);
    }
    if ((varying_ & bit(l)) != 0) drop_order_.push_back(l);
  }
  std::ranges::stable_sort(drop_order_, {},
                           [&](std::size_t l) { return rank_of(leaves()[l].kind); });
  find_axes();
}

void Table::find_axes() {
  constexpr std::pair<LeafKind, LeafKind> kAxes[] = {{LeafKind::coordinate, LeafKind::extent},
                                                     {LeafKind::rank, LeafKind::ranks},
                                                     {LeafKind::element, LeafKind::length},
                                                     {LeafKind::index, LeafKind::trips}};
  for (const auto& [coordinate, extent] : kAxes) {
    for (std::size_t l = 0; l < leaves().size(); ++l) {
      if (leaves()[l].kind != coordinate) continue;
      auto d = find_leaf(leaves(), extent, leaves()[l].number);
      if (!d) d = find_bound(l);
      if (d) axes_.push_back({l, *d});
    }
  }
}

std::optional<std::size_t> Table::find_bound(std::size_t leaf) const {
  if (rows() == 0) return std::nullopt;
  std::vector<std::int64_t> most(runs_.back() + 1, -1);
  for (std::size_t r = 0; r < rows(); ++r) {
    most[runs_[r]] = std::max(most[runs_[r]], leaves_[leaf][r]);
  }
  for (const LeafKind kind : {LeafKind::ranks, LeafKind::extent}) {
    for (std::size_t l = 0; l < leaves().size(); ++l) {
      bool is_bound = leaves()[l].kind == kind;
      for (std::size_t r = 0; r < rows() && is_bound; ++r) {
        is_bound = leaves_[l][r] == most[runs_[r]] + 1;
      }
      if (is_bound) return l;
    }
  }
  return std::nullopt;
}

std::optional<Column> Table::evaluate(const expr::Expr& e) const {
  const auto program = expr::Program::compile(e, names());
  if (!program) return std::nullopt;
  Column out;
  std::vector<std::int64_t> slots(leaves_.size());
  for (std::size_t r = 0; r < rows(); ++r) {
    for (std::size_t l = 0; l < slots.size(); ++l) slots[l] = leaves_[l][r];
    const auto v = program->run(slots);
    if (!v || *v > kLargestValue || *v < -kLargestValue) return std::nullopt;
    out.push_back(*v);
  }
  return out;
}

bool Table::explains(const expr::Expr& e, const Rows& rows, const Column& values) const {
  const auto program = expr::Program::compile(e, names());
  if (!program) return false;
  std::vector<std::int64_t> slots(leaves_.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t l = 0; l < slots.size(); ++l) slots[l] = leaves_[l][rows[i]];
    const auto v = program->run(slots);
    if (!v || *v != values[i]) return false;
  }
  return true;
}

std::vector<std::optional<std::int64_t>> Table::at_targets(const expr::Expr& e) const {
  const auto program = expr::Program::compile(e, names());
  std::vector<std::optional<std::int64_t>> out;
  for (const auto& target : samples_->targets) {
    out.push_back(program ? program->run(target) : std::nullopt);
  }
  return out;
}

std::vector<std::string> Table::names() const {
  std::vector<std::string> out;
  for (const Leaf& l : leaves()) out.push_back(l.name);
  return out;
}

Leaves Table::parts_of(std::size_t leaf) const {
  Leaves out = 0;
  if (leaves()[leaf].kind == LeafKind::rank) {
    for (const Axis& a : axes_) {
      if (leaves()[a.coordinate].kind == LeafKind::coordinate) out |= bit(a.coordinate) & varying_;
    }
  }
  return out == 0 ? bit(leaf) : out;
}

std::size_t Table::names_in(Leaves leaves) const {
  Leaves places = 0;
  for (std::size_t l = 0; l < this->leaves().size(); ++l) {
    if (this->leaves()[l].kind == LeafKind::rank) places |= bit(l) | parts_of(l);
  }
  const bool has_places = (leaves & places) != 0;
  return static_cast<std::size_t>(std::popcount(leaves & ~places)) + (has_places ? 1 : 0);
}

Leaves Table::needed(const Rows& rows, const Column& values) const {
  const Leaves fewest = needed(rows, values, 0);
  // Trips are a law of the rank, but what is still to come of a loop is briefer with them.
  Leaves trips = 0;
  for (const Axis& a : axes_) {
    const bool is_loop = leaves()[a.extent].kind == LeafKind::trips;
    if (is_loop && (fewest & bit(a.coordinate)) != 0) trips |= bit(a.extent) & varying_ & ~fewest;
  }
  return trips == 0 ? fewest : needed(rows, values, trips);
}

Leaves Table::needed(const Rows& rows, const Column& values, Leaves always) const {
  Leaves kept = varying_;
  std::unordered_map<std::uint64_t, std::int64_t> seen;
  for (const std::size_t candidate : drop_order_) {
    if ((bit(candidate) & always) != 0) continue;
    const Leaves fewer = kept & ~bit(candidate);
    seen.clear();
    bool is_function = true;
    for (std::size_t i = 0; i < rows.size() && is_function; ++i) {
      std::uint64_t key = runs_[rows[i]];
      for (Leaves left = fewer; left != 0; left &= left - 1) {
        const auto l = static_cast<std::size_t>(std::countr_zero(left));
        key = combine(key, static_cast<std::uint64_t>(leaves_[l][rows[i]]));
      }
      const auto [entry, is_new] = seen.emplace(key, values[i]);
      is_function = is_new || entry->second == values[i];
    }
    if (is_function) kept = fewer;
  }
  return kept;
}

Rows Table::distinct(const Rows& rows, Leaves leaves) const {
  Rows out;
  std::unordered_map<std::uint64_t, bool> seen;
  for (const std::uint32_t row : rows) {
    std::uint64_t key = runs_[row];
    for (Leaves left = leaves; left != 0; left &= left - 1) {
      const auto l = static_cast<std::size_t>(std::countr_zero(left));
      key = combine(key, static_cast<std::uint64_t>(leaves_[l][row]));
    }
    if (seen.emplace(key, true).second) out.push_back(row);
  }
  return out;
}

}  // namespace reprise::solve
