#include "program/conditions/predicate.hpp"

#include <algorithm>

namespace reprise::program {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::int64_t kMostPeriod = 64;     // of a remainder that is tried
constexpr std::int64_t kLeastPeriod = 4;     // that is tried of however many numbers
constexpr std::int64_t kMostLooked = 16384;  // numbers that are divided, in all

Expr compare(Op op, const Expr& a, std::int64_t b) { return Expr::make(op, a, Expr(b)); }

template <class Predicate>
bool separates(std::span<const std::int64_t> in, std::span<const std::int64_t> out,
               const Predicate& holds) {
  return std::ranges::all_of(in, holds) && std::ranges::none_of(out, holds);
}

// The distance of numbers that are equally far apart, if it is more than one.
std::optional<std::int64_t> distance_of(std::span<const std::int64_t> numbers) {
  if (numbers.size() < 2 || numbers[1] - numbers[0] < 2) return std::nullopt;
  return numbers[1] - numbers[0];
}

// Remainders that come round twice at least, so that they are no chance. By divisors of `of` alone
// if that is not 0.
void offer_remainders(const Expr& number, std::span<const std::int64_t> in,
                      std::span<const std::int64_t> out, std::int64_t of, Cheapest& cheapest) {
  const std::int64_t least = std::min(in.front(), out.front());
  const std::int64_t most = std::max(in.back(), out.back());
  if (least < 0 || in.size() + out.size() < 4) return;
  const auto numbers = static_cast<std::int64_t>(in.size() + out.size());
  const std::int64_t longest = std::clamp(kMostLooked / numbers, kLeastPeriod, kMostPeriod);
  const std::int64_t twice = (most - least + 1) / 2;
  if (const auto p = distance_of(in); p && *p <= twice && of % *p == 0) {
    const std::int64_t r = in.front() % *p;
    if (separates(in, out, [&](std::int64_t v) { return v % *p == r; }))
      cheapest.offer(compare(Op::equal, number % Expr(*p), r));
  }
  if (const auto p = distance_of(out); p && *p > 2 && *p <= twice && of % *p == 0) {
    const std::int64_t r = out.front() % *p;
    if (separates(in, out, [&](std::int64_t v) { return v % *p != r; }))
      cheapest.offer(compare(Op::not_equal, number % Expr(*p), r));
  }
  for (std::int64_t p = 2; p <= std::min(longest, twice); ++p) {
    if (of % p != 0) continue;
    std::int64_t low_in = p, high_in = -1, low_out = p, high_out = -1;
    for (const std::int64_t v : in) {
      low_in = std::min(low_in, v % p);
      high_in = std::max(high_in, v % p);
    }
    for (const std::int64_t v : out) {
      low_out = std::min(low_out, v % p);
      high_out = std::max(high_out, v % p);
    }
    const Expr r = number % Expr(p);
    if (low_in == high_in) {
      if (separates(in, out, [&](std::int64_t v) { return v % p == low_in; }))
        cheapest.offer(compare(Op::equal, r, low_in));
      continue;
    }
    if (low_out == high_out) {
      if (separates(in, out, [&](std::int64_t v) { return v % p != low_out; }))
        cheapest.offer(compare(Op::not_equal, r, low_out));
      continue;
    }
    if (high_in < low_out) cheapest.offer(compare(Op::less, r, low_out));
    if (low_in > high_out) cheapest.offer(compare(Op::greater, r, high_out));
  }
}

}  // namespace

std::optional<Expr> predicate_of(const Expr& number, std::span<const std::int64_t> in,
                                 std::span<const std::int64_t> out, std::int64_t of) {
  if (in.size() == 1) return compare(Op::equal, number, in.front());
  // Of remainders no order is meant.
  if (out.size() == 1 && number.op() == Op::modulo)
    return compare(Op::not_equal, number, out.front());
  Cheapest cheapest;
  if (out.size() == 1) cheapest.offer(compare(Op::not_equal, number, out.front()));
  if (in.back() < out.front()) cheapest.offer(compare(Op::less, number, out.front()));
  if (in.front() > out.back()) cheapest.offer(compare(Op::greater, number, out.back()));
  if (in.front() > out.back()) cheapest.offer(compare(Op::greater_equal, number, in.front()));
  offer_remainders(number, in, out, of, cheapest);
  const auto within = [](std::span<const std::int64_t> some) {
    return [some](std::int64_t v) { return v >= some.front() && v <= some.back(); };
  };
  if (in.size() > 1 && separates(in, out, within(in))) {
    cheapest.offer(Expr::make(Op::logical_and, compare(Op::greater_equal, number, in.front()),
                              compare(Op::less_equal, number, in.back())));
  }
  if (out.size() > 1 && separates(out, in, within(out))) {
    cheapest.offer(Expr::make(Op::logical_or, compare(Op::less, number, out.front()),
                              compare(Op::greater, number, out.back())));
  }
  if (in.size() == 2) {
    cheapest.offer(Expr::make(Op::logical_or, compare(Op::equal, number, in.front()),
                              compare(Op::equal, number, in.back())));
  }
  if (out.size() == 2) {
    cheapest.offer(Expr::make(Op::logical_and, compare(Op::not_equal, number, out.front()),
                              compare(Op::not_equal, number, out.back())));
  }
  return cheapest.get();
}

}  // namespace reprise::program
