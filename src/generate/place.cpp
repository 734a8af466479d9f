#include "generate/place.hpp"

#include <fmt/format.h>

namespace reprise::generate {

Place Place::within(const std::string& index, std::int64_t trips) const {
  Place out = *this;
  out.digits_.push_back({index, trips});
  return out;
}

Place Place::within_varying(const std::string& index) const {
  return is_once() ? within(index, 0) : counted();
}

Place Place::every(std::int64_t period) const {
  return known_ ? once().within(quotient(period), 0) : counted();
}

std::vector<Place::Digit>::const_iterator Place::cut(std::int64_t period) const {
  std::int64_t product = 1;
  auto at = digits_.end();
  while (at != digits_.begin() && product < period) {
    --at;
    if (at->radix == 0) return digits_.end();
    product *= at->radix;
  }
  return product == period ? at : digits_.end();
}

std::string Place::text(std::vector<Digit>::const_iterator from,
                        std::vector<Digit>::const_iterator to) {
  if (from == to) return "0";
  std::string out = from->index;
  bool is_sum = false;
  for (auto d = from + 1; d != to; ++d) {
    out = is_sum ? fmt::format("({}) * {} + {}", out, d->radix, d->index)
                 : fmt::format("{} * {} + {}", out, d->radix, d->index);
    is_sum = true;
  }
  return is_sum ? "(" + out + ")" : out;
}

std::string Place::text() const { return text(digits_.begin(), digits_.end()); }

std::string Place::remainder(std::int64_t period) const {
  const auto at = cut(period);
  if (at != digits_.end() || period == 1) return text(at, digits_.end());
  return fmt::format("{} % {}", text(), period);
}

std::string Place::quotient(std::int64_t period) const {
  const auto at = cut(period);
  if (at != digits_.end() || period == 1) return text(digits_.begin(), at);
  return fmt::format("{} / {}", text(), period);
}

}  // namespace reprise::generate
