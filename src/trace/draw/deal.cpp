#include "trace/draw/deal.hpp"

#include <algorithm>

namespace reprise::trace {

Deal::Deal(const std::vector<std::int64_t>& loads) {
  for (std::size_t r = 0; r < loads.size(); ++r) {
    if (loads[r] > 0) turns_.push_back({static_cast<std::int64_t>(r), loads[r], 0});
  }
  std::ranges::make_heap(turns_, is_later);
}

bool Deal::is_later(const Turn& a, const Turn& b) {
  const std::int64_t at_a = (2 * a.dealt + 1) * b.load, at_b = (2 * b.dealt + 1) * a.load;
  return at_a != at_b ? at_a > at_b : a.rank > b.rank;
}

std::int64_t Deal::next() {
  std::ranges::pop_heap(turns_, is_later);
  const std::int64_t rank = turns_.back().rank;
  ++turns_.back().dealt;
  std::ranges::push_heap(turns_, is_later);
  return rank;
}

}  // namespace reprise::trace
