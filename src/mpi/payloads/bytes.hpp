// A number of bytes, which may be unknown.
#pragma once

#include <cstdint>
#include <limits>

#include "base/contract.hpp"

namespace reprise::mpi {

// Arithmetic never wraps: what exceeds 2^63 - 1 bytes is unknown, as is what an unknown number is
// part of.
class Bytes {
 public:
  constexpr Bytes() = default;
  // A negative number, which any special value is, is unknown.
  constexpr explicit Bytes(std::int64_t n) : n_(n < 0 ? kUnknown : n) {}
  static constexpr Bytes unknown() { return Bytes(kUnknown); }

  constexpr bool is_known() const { return n_ >= 0; }
  // REQUIRES: is_known().
  constexpr std::int64_t count() const {
    REPRISE_REQUIRE(is_known());
    return n_;
  }
  constexpr std::int64_t value_or(std::int64_t other) const { return is_known() ? n_ : other; }

  // Nothing if `times` is not positive, whether or not the number is known.
  constexpr Bytes operator*(std::int64_t times) const {
    if (times <= 0) return Bytes(0);
    if (!is_known() || n_ > kMost / times) return unknown();
    return Bytes(n_ * times);
  }
  constexpr Bytes operator+(Bytes other) const {
    if (!is_known() || !other.is_known() || n_ > kMost - other.n_) return unknown();
    return Bytes(n_ + other.n_);
  }
  constexpr Bytes& operator+=(Bytes other) { return *this = *this + other; }
  constexpr bool operator==(const Bytes&) const = default;

 private:
  static constexpr std::int64_t kUnknown = -1;
  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

  std::int64_t n_ = 0;
};

}  // namespace reprise::mpi
