#include "program/domain.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace reprise::program {
namespace {

using Shape = NumberClass::Shape;

// The largest k with f(k) <= number, f growing from f(0) = 0, for numbers below 2^62.
template <class F>
bool has_root(std::int64_t number, double near, const F& f) {
  const auto k = static_cast<std::int64_t>(std::floor(near));
  for (std::int64_t c = std::max<std::int64_t>(0, k - 1); c <= k + 1; ++c) {
    if (f(c) == number) return true;
  }
  return false;
}

bool has_shape(std::int64_t number, Shape shape) {
  const auto real = static_cast<double>(number);
  switch (shape) {
    case Shape::any: return true;
    case Shape::square:
      return has_root(number, std::sqrt(real), [](std::int64_t k) { return k * k; });
    case Shape::twice_square:
      return has_root(number, std::sqrt(real / 2), [](std::int64_t k) { return 2 * k * k; });
    case Shape::oblong:
      return has_root(number, std::sqrt(real), [](std::int64_t k) { return k * (k + 1); });
    case Shape::cube:
      return has_root(number, std::cbrt(real), [](std::int64_t k) { return k * k * k; });
    case Shape::power_of_two: return (number & (number - 1)) == 0;
  }
  return false;
}

std::string name_of(Shape shape) {
  switch (shape) {
    case Shape::any: return "all numbers";
    case Shape::square: return "square numbers";
    case Shape::twice_square: return "numbers twice a square";
    case Shape::oblong: return "numbers k (k + 1)";
    case Shape::cube: return "cubes";
    case Shape::power_of_two: return "powers of two";
  }
  return {};
}

}  // namespace

bool NumberClass::contains(std::int64_t number) const {
  if (number < 1 || number >= std::int64_t{1} << 50) return false;
  return number % multiple_of == 0 && has_shape(number, shape);
}

std::optional<std::int64_t> NumberClass::next(std::int64_t first, std::int64_t last) const {
  for (std::int64_t n = std::max<std::int64_t>(1, first); n <= last; ++n) {
    if (contains(n)) return n;
  }
  return std::nullopt;
}

std::string NumberClass::describe() const {
  if (multiple_of == 1) return name_of(shape);
  const std::string multiples = "multiples of " + std::to_string(multiple_of);
  return shape == Shape::any ? multiples : name_of(shape) + " that are " + multiples;
}

std::vector<NumberClass> classes_of(std::span<const std::int64_t> numbers) {
  std::int64_t common = 0;
  for (const std::int64_t n : numbers) common = std::gcd(common, n);
  std::vector<NumberClass> out;
  for (std::int64_t d = 1; d <= common && d <= 64; ++d) {
    if (common % d == 0) out.push_back({Shape::any, d});
  }
  if (common > 64) out.push_back({Shape::any, common});
  for (std::uint8_t s = 1; s < NumberClass::kShapes; ++s) {
    const auto shape = static_cast<Shape>(s);
    if (!std::ranges::all_of(numbers, [&](std::int64_t n) { return has_shape(n, shape); })) {
      continue;
    }
    out.push_back({shape, 1});
    if (common > 1 && shape != Shape::power_of_two) out.push_back({shape, common});
  }
  return out;
}

std::string Range::describe() const {
  if (least == most) return std::to_string(least) + " alone";
  return numbers.describe() + " from " + std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace reprise::program
