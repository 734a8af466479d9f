#include "expr/cost.hpp"

#include <algorithm>
#include <bit>

namespace reprise::expr {
std::uint32_t bits_of(std::int64_t number) {
  constexpr std::uint32_t kRoundness = 2;
  std::uint64_t size = static_cast<std::uint64_t>(number);
  if (number < 0) size = 0 - size;
  if (size == 0) return 0;
  const auto width = [](std::uint64_t n) { return static_cast<std::uint32_t>(std::bit_width(n)); };
  const auto twos = static_cast<std::uint32_t>(std::countr_zero(size));
  std::uint32_t best = width(size);
  if (twos > 0) best = std::min(best, best - twos + kRoundness);
  std::uint64_t rest = size;
  while (rest % 10 == 0) rest /= 10;
  if (rest != size) best = std::min(best, width(rest) + kRoundness);
  return best;
}

std::uint32_t cost_of(const Expr& e) {
  constexpr std::uint32_t kNode = 4, kFunction = 10;
  if (e.is_constant()) return kNode + bits_of(e.value());
  const bool is_function = traits(e.op()).form == Form::function;
  std::uint32_t cost = is_function ? kFunction : kNode;
  for (const Expr& operand : e.operands()) cost += cost_of(operand);
  return cost;
}

}  // namespace reprise::expr
