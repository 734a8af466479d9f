#include "trace/times/bin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reprise::trace {

double Bin::deviation() const { return count == 0 ? 0 : std::sqrt(squares / real(count)); }

void Bin::add(std::int64_t value) {
  if (count == 0) {
    *this = {.count = 1, .sum = value, .min = value, .max = value, .squares = 0};
    return;
  }
  if (value != min || value != max) {
    const double n = real(count), distance = n * real(value) - real(sum);
    squares += distance * distance / (n * (n + 1));
    min = std::min(min, value);
    max = std::max(max, value);
  }
  ++count;
  sum += value;
}

// Sums that no number holds are as long as one that does: 292 years.
void Bin::add(const Bin& other) {
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  squares += other.squares + cost_of_joining(*this, other);
  count += other.count;
  if (__builtin_add_overflow(sum, other.sum, &sum)) sum = std::numeric_limits<std::int64_t>::max();
  min = std::min(min, other.min);
  max = std::max(max, other.max);
}

BinSides::BinSides(const Bin& bin) {
  if (bin.count < 2) return;
  const double mean = bin.mean(), lowest = mean - real(bin.min), highest = real(bin.max) - mean;
  const double product = 3 * bin.squares / real(bin.count);
  if (product <= 0 || lowest <= 0 || highest <= 0) return;
  below = std::min(std::sqrt(product), lowest);
  above = std::min(product / below, highest);
  below = std::min(product / above, lowest);
  const auto n = static_cast<std::uint64_t>(real(bin.count) * below / (below + above) + 0.5);
  upper = std::clamp<std::uint64_t>(n, 1, bin.count - 1);
}

void limit_spread(Bin& b) {
  const double mean = b.mean();
  const double most = real(b.count) * (real(b.max) - mean) * (mean - real(b.min));
  b.squares = std::clamp(b.squares, 0.0, std::max(0.0, most));
}

}  // namespace reprise::trace
