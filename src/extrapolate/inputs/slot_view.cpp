#include "extrapolate/laws/find_law.hpp"

namespace reprise::extrapolate {

std::size_t SlotView::encodings() const {
  if (slot_.is_trips() || instead_) return 1;
  std::size_t out = 1;
  for (const Run& run : inputs_->runs) {
    out = std::max(out, run.columns[slot_.site][slot_.column].encoded.size());
  }
  return out;
}

const trace::Series& SlotView::series(std::size_t run, std::size_t rank, trace::Encoding e) const {
  static const trace::Series kEmpty;
  if (instead_) return e == trace::Encoding::absolute ? (*instead_)[run][rank] : kEmpty;
  const Run& r = inputs_->runs[run];
  if (slot_.is_trips()) return r.trips[slot_.item][rank];
  const auto& encoded = r.columns[slot_.site][slot_.column].encoded;
  // A run in which no rank comes here has one encoding, and nothing in it.
  const auto index = static_cast<std::size_t>(e);
  return index < encoded.size() ? encoded[index][rank] : kEmpty;
}

SlotWalk SlotView::walk(std::size_t run, std::size_t rank) const {
  const Run& r = inputs_->runs[run];
  std::vector<NumberCursor> chain;
  for (const std::uint32_t item : shape_->chain) chain.emplace_back(r.trips[item][rank]);
  if (!shape_->is_element) return {*shape_, std::move(chain)};
  const auto& lengths = r.columns[slot_.site][slot_.column - 1].encoded.front()[rank];
  return {*shape_, std::move(chain), NumberCursor(lengths)};
}

SlotView SlotView::with(std::vector<std::vector<trace::Series>> values) const {
  SlotView out = *this;
  out.instead_ = std::make_shared<const std::vector<std::vector<trace::Series>>>(std::move(values));
  return out;
}

bool SlotView::is_extents() const {
  if (slot_.is_trips() || !shape_->is_element) return false;
  const trace::Function& f = trace::function(inputs_->sites[slot_.site].function);
  return f.lists[(slot_.column - f.scalars.size()) / 2].name == "dims";
}

}  // namespace reprise::extrapolate
