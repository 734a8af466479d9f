#include "expr/cost.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace reprise::expr {
namespace {

std::uint32_t bits_of(std::int64_t number) {
  constexpr std::uint32_t kRoundness = 2;
  std::uint32_t best = 64;
  for (const std::int64_t base : {2, 10}) {
    std::int64_t rest = number;
    while (rest != 0 && rest % base == 0) rest /= base;
    const auto width =
        static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(std::abs(rest))));
    best = std::min(best, width + (rest == number ? 0 : kRoundness));
  }
  return best;
}

}  // namespace

std::uint32_t cost_of(const Expr& e) {
  constexpr std::uint32_t kNode = 4, kFunction = 10;
  if (e.is_constant()) return kNode + bits_of(e.value());
  const bool is_function = traits(e.op()).form == Form::function;
  std::uint32_t cost = is_function ? kFunction : kNode;
  for (const Expr& operand : e.operands()) cost += cost_of(operand);
  return cost;
}

}  // namespace reprise::expr
