#include "extrapolate/inputs/slot.hpp"

#include <algorithm>

#include "compress/loops/tidy.hpp"
#include "compress/merge/rank_columns.hpp"
#include "expr/leaf.hpp"

namespace reprise::extrapolate {
namespace {

// Telling indices of a loop; of the innermost one more are.
constexpr std::int64_t kFirst = 3, kLast = 2, kFirstInnermost = 40;
constexpr std::int64_t kLastElement = 3;

bool is_element(const trace::Function& f, std::uint32_t column) {
  return column != Slot::kTrips && column >= f.scalars.size() &&
         (column - f.scalars.size()) % 2 == 1;
}

}  // namespace

std::vector<bool> find_repeated(const Aligned& inputs) {
  std::vector<bool> out(inputs.tree.items.size(), false);
  for (const Run& run : inputs.runs) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = out[i] || !std::ranges::all_of(run.trips[i], compress::at_most_one);
    }
  }
  return out;
}

SlotShape shape_of(const compress::LoopTree& tree, std::span<const Site> sites,
                   const std::vector<bool>& repeated, Slot slot) {
  SlotShape out;
  out.chain = chain_to(tree, slot.item);
  if (slot.is_trips()) out.chain.pop_back();
  for (std::size_t i = 0; i < out.chain.size(); ++i) {
    if (repeated[out.chain[i]]) out.loops.push_back(i);
  }
  for (std::size_t k = 0; k < out.loops.size(); ++k) out.parameters.push_back(expr::trips_name(k));
  for (std::size_t k = 0; k < out.loops.size(); ++k) out.parameters.push_back(expr::index_name(k));
  if (!slot.is_trips()) {
    const trace::Function& f = trace::function(sites[slot.site].function);
    out.is_element = is_element(f, slot.column);
  }
  if (out.is_element) {
    out.parameters.emplace_back(expr::kElement);
    out.parameters.emplace_back(expr::kLength);
  }
  return out;
}

trace::Kind meaning_of(std::span<const Site> sites, const Slot& slot) {
  using trace::Kind;
  if (slot.is_trips()) return Kind::count;
  const trace::Function& f = trace::function(sites[slot.site].function);
  const bool is_length =
      slot.column >= f.scalars.size() && (slot.column - f.scalars.size()) % 2 == 0;
  const Kind kind = compress::kind_of_column(f, slot.column);
  if (!is_length && kind != Kind::integer) return kind;
  constexpr std::uint32_t kMakesGroups = trace::traits::kCreate | trace::traits::kCollective;
  if (!is_length) return (f.traits & kMakesGroups) == kMakesGroups ? kind : Kind::count;
  // As many ranks as there are in a list of them.
  const bool of_ranks = f.lists[(slot.column - f.scalars.size()) / 2].kind == Kind::peer;
  return of_ranks ? Kind::integer : Kind::count;
}

SlotWalk::SlotWalk(const SlotShape& shape, std::vector<NumberCursor> chain, NumberCursor lengths,
                   Toll toll)
    : shape_(&shape),
      executions_(std::move(chain), toll),
      lengths_(std::move(lengths)),
      toll_(toll),
      parameters_(shape.parameters.size()) {}

bool SlotWalk::next() {
  if (!toll_.pay()) return false;
  ++index_;
  while (!shape_->is_element || index_ >= length_) {
    if (!executions_.next()) return false;
    ++count_;
    index_ = 0;
    const std::size_t n = shape_->loops.size();
    for (std::size_t k = 0; k < n; ++k) {
      parameters_[k] = executions_.trips()[shape_->loops[k]];
      parameters_[n + k] = executions_.indices()[shape_->loops[k]];
    }
    if (!shape_->is_element) return true;
    parameters_.back() = length_ = lengths_.next();
  }
  parameters_[parameters_.size() - 2] = index_;
  return true;
}

bool SlotWalk::is_telling() const {
  const std::size_t n = shape_->loops.size();
  for (std::size_t k = 0; k < n; ++k) {
    const std::int64_t first = k + 1 < n ? kFirst : kFirstInnermost;
    if (parameters_[n + k] >= first && parameters_[n + k] < parameters_[k] - kLast) return false;
  }
  return !shape_->is_element || index_ < kLastElement || index_ >= length_ - kLastElement;
}

std::vector<Slot> all_slots(const compress::LoopTree& tree, std::span<const Site> sites,
                            std::span<const std::uint32_t> order) {
  std::vector<Slot> out;
  for (std::uint32_t i = 0; i < tree.items.size(); ++i) {
    out.push_back({.item = i, .site = tree.items[i].site});
  }
  for (const std::uint32_t site : order) {
    const auto columns =
        static_cast<std::uint32_t>(trace::function(sites[site].function).columns());
    for (std::uint32_t c = 0; c < columns; ++c) {
      out.push_back({.item = tree.leaf_of[site], .site = site, .column = c});
    }
  }
  return out;
}

}  // namespace reprise::extrapolate
