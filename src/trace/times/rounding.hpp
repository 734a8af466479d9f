// Durations rounded to so many significant bits, and their numbers: rounded durations are numbered
// in ascending order, as in a logarithmic histogram (HdrHistogram), so that durations that are
// close have numbers that are close, and take a byte or two to write down.
#pragma once

#include <bit>
#include <cstdint>

namespace reprise::trace {

class Rounding {
 public:
  static constexpr unsigned kExact = 63;  // bits

  // To at most 2^-bits of the duration; kExact: not at all. 2 <= bits <= kExact.
  explicit Rounding(unsigned bits = kExact) : bits_(bits) {}

  // The bits for a precision [millionths]; 0 is exact.
  static Rounding to(std::uint64_t precision) {
    unsigned bits = 2;
    while (bits < kExact && (precision == 0 || (std::uint64_t{1'000'000} >> bits) > precision))
      ++bits;
    return Rounding(bits);
  }

  bool is_exact() const { return bits_ == kExact; }
  std::int64_t rounded(std::int64_t v) const { return value(number(v)); }

  // Rounds to the nearest. Odd: number(-v) = -number(v).
  std::int64_t number(std::int64_t v) const {
    const std::uint64_t u = v < 0 ? -static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
    const auto n = static_cast<std::int64_t>(number_of_magnitude(u));
    return v < 0 ? -n : n;
  }

  // Its inverse; numbers that no duration has stand for the greatest one.
  std::int64_t value(std::int64_t number) const {
    const std::uint64_t u =
        number < 0 ? -static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    const auto v = static_cast<std::int64_t>(magnitude_of_number(u));
    return number < 0 ? -v : v;
  }

 private:
  static constexpr std::uint64_t kMost = ~std::uint64_t{0} >> 1;

  std::uint64_t number_of_magnitude(std::uint64_t u) const {
    if (is_exact() || u >> bits_ == 0) return u;
    auto shift = static_cast<unsigned>(std::bit_width(u)) - bits_;
    std::uint64_t leading = (u + (std::uint64_t{1} << (shift - 1))) >> shift;
    if (leading >> bits_ != 0) {
      leading >>= 1;
      ++shift;
    }
    return (std::uint64_t{shift} << (bits_ - 1)) + leading;
  }

  std::uint64_t magnitude_of_number(std::uint64_t number) const {
    if (is_exact() || number >> bits_ == 0) return number & kMost;
    const std::uint64_t shift = (number >> (bits_ - 1)) - 1;
    if (shift > 62 - bits_) return kMost;
    return (number - (shift << (bits_ - 1))) << shift;
  }

  unsigned bits_;
};

}  // namespace reprise::trace
