#include "extrapolate/slot.hpp"

#include <algorithm>

#include "compress/tidy.hpp"

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

SlotShape shape_of(const Aligned& inputs, const std::vector<bool>& repeated, Slot slot) {
  SlotShape out;
  out.chain = chain_to(inputs.tree, slot.item);
  if (slot.is_trips()) out.chain.pop_back();
  for (std::size_t i = 0; i < out.chain.size(); ++i) {
    if (repeated[out.chain[i]]) out.loops.push_back(i);
  }
  for (const char* name : {"t", "i"}) {
    for (std::size_t k = 0; k < out.loops.size(); ++k) {
      out.parameters.push_back(name + std::to_string(k));
    }
  }
  if (!slot.is_trips()) {
    const trace::Function& f = trace::function(inputs.sites[slot.site].function);
    out.is_element = is_element(f, slot.column);
  }
  if (out.is_element) out.parameters.insert(out.parameters.end(), {"index", "length"});
  return out;
}

SlotWalk::SlotWalk(const SlotShape& shape, std::vector<NumberCursor> chain, NumberCursor lengths)
    : shape_(&shape),
      executions_(std::move(chain)),
      lengths_(std::move(lengths)),
      parameters_(shape.parameters.size()) {}

bool SlotWalk::next() {
  ++index_;
  while (!shape_->is_element || index_ >= length_) {
    if (!executions_.next()) return false;
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

std::vector<Slot> all_slots(const Aligned& inputs) {
  std::vector<Slot> out;
  for (std::uint32_t i = 0; i < inputs.tree.items.size(); ++i) {
    out.push_back({.item = i, .site = inputs.tree.items[i].site});
  }
  for (const std::uint32_t site : inputs.graph.order()) {
    const auto columns =
        static_cast<std::uint32_t>(trace::function(inputs.sites[site].function).columns());
    for (std::uint32_t c = 0; c < columns; ++c) {
      out.push_back({.item = inputs.tree.leaf_of[site], .site = site, .column = c});
    }
  }
  return out;
}

}  // namespace reprise::extrapolate
