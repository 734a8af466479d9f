#include "infer/digits.hpp"

#include <algorithm>
#include <cstdlib>

#include "expr/leaf.hpp"
#include "expr/simplify.hpp"
#include "trace/values/special.hpp"

namespace reprise::infer {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::int64_t kFarthest = 8;
constexpr std::size_t kCombinations = 256;

// Remainders of the steps along each dimension in each world; nothing if a world has no single one.
std::optional<std::vector<std::vector<std::int64_t>>> remainders(const Samples& samples) {
  std::vector<std::vector<std::int64_t>> out;
  for (const auto& [world, rows] : samples.worlds) {
    std::vector<std::int64_t> here;
    for (const Sample& s : rows) {
      if (s.value == trace::kProcNull) continue;
      if (s.value < 0 || s.value >= world.ranks) return std::nullopt;
      const auto from = coordinates(s.rank, world.extents);
      auto step = coordinates(s.value, world.extents);
      for (std::size_t i = 0; i < step.size(); ++i) {
        step[i] = (step[i] - from[i] + world.extents[i]) % world.extents[i];
      }
      if (here.empty()) here = step;
      if (here != step) return std::nullopt;
    }
    out.push_back(here);  // empty: the world has nothing but borders
  }
  return out;
}

// The steps along a dimension that have these remainders everywhere, nearest first.
std::vector<std::int64_t> possible_steps(const Samples& samples,
                                         const std::vector<std::vector<std::int64_t>>& remainder,
                                         std::size_t dimension) {
  std::vector<std::int64_t> steps;
  for (std::int64_t k = 0; k <= 2 * kFarthest; ++k) {
    const std::int64_t step = k % 2 == 1 ? (k + 1) / 2 : -k / 2;
    bool fits = true;
    for (std::size_t w = 0; w < samples.worlds.size() && fits; ++w) {
      const std::int64_t extent = samples.worlds[w].world.extents[dimension];
      fits = remainder[w].empty() || (step - remainder[w][dimension]) % extent == 0;
    }
    if (fits) steps.push_back(step);
  }
  // Further ones are the same again, unless all extents are that small.
  if (steps.size() > 3) steps.resize(3);
  return steps;
}

std::int64_t length(const std::vector<std::int64_t>& steps) {
  std::int64_t sum = 0;
  for (const std::int64_t s : steps) sum += std::abs(s);
  return sum;
}

bool is_outside(std::int64_t x, std::int64_t extent) { return x < 0 || x >= extent; }

// Whether the steps, with wraps as the samples show them, explain every sample.
std::optional<DigitOffset> verify(const Samples& samples, std::vector<std::int64_t> steps) {
  DigitOffset offset{std::move(steps), {}, false};
  const std::size_t dimensions = offset.steps.size();
  offset.wraps.assign(dimensions, false);
  const auto each = [&](const auto& visit) {
    for (const auto& [world, rows] : samples.worlds) {
      for (const Sample& s : rows) visit(world, s, coordinates(s.rank, world.extents));
    }
  };
  each([&](const World& world, const Sample& s, const auto& x) {
    offset.has_borders |= s.value == trace::kProcNull;
    for (std::size_t i = 0; i < dimensions && s.value != trace::kProcNull; ++i) {
      if (is_outside(x[i] + offset.steps[i], world.extents[i])) offset.wraps[i] = true;
    }
  });
  bool fits = true;
  each([&](const World& world, const Sample& s, const auto& x) {
    std::int64_t peer = 0;
    std::int64_t stride = 1;
    bool outside = false;
    for (std::size_t i = 0; i < dimensions; ++i) {
      const std::int64_t extent = world.extents[i];
      const std::int64_t y = x[i] + offset.steps[i];
      outside |= is_outside(y, extent) && !offset.wraps[i];
      peer += (y % extent + extent) % extent * stride;
      stride *= extent;
    }
    fits &= s.value == (outside ? trace::kProcNull : peer);
  });
  if (!fits) return std::nullopt;
  return offset;
}

Expr in_range(std::size_t dimension, std::int64_t step) {
  const Expr x = Expr::variable(expr::coordinate_name(dimension));
  if (step == -1) return Expr::make(Op::greater, x, Expr(0));
  if (step < 0) return Expr::make(Op::greater_equal, x, Expr(-step));
  return Expr::make(Op::less, x, Expr::variable(expr::extent_name(dimension)) - Expr(step));
}

}  // namespace

std::vector<DigitOffset> find_digit_offsets(const Samples& samples) {
  const auto remainder = remainders(samples);
  if (!remainder || samples.worlds.empty()) return {};
  const std::size_t dimensions = samples.worlds.front().world.extents.size();
  std::vector<std::vector<std::int64_t>> combinations = {{}};
  for (std::size_t i = 0; i < dimensions; ++i) {
    std::vector<std::vector<std::int64_t>> longer;
    for (const std::int64_t step : possible_steps(samples, *remainder, i)) {
      for (auto steps : combinations) {
        steps.push_back(step);
        longer.push_back(std::move(steps));
      }
    }
    combinations = std::move(longer);
    if (combinations.size() > kCombinations) combinations.resize(kCombinations);
  }
  std::stable_sort(combinations.begin(), combinations.end(),
                   [](const auto& a, const auto& b) { return length(a) < length(b); });
  std::vector<DigitOffset> found;
  for (auto& steps : combinations) {
    if (!found.empty() && length(steps) > length(found.front().steps)) break;
    if (auto offset = verify(samples, std::move(steps))) found.push_back(std::move(*offset));
  }
  return found;
}

std::optional<DigitOffset> find_digit_offset(const Samples& samples) {
  auto found = find_digit_offsets(samples);
  if (found.size() != 1) return std::nullopt;
  return std::move(found.front());
}

Expr digit_expression(const DigitOffset& offset) {
  Expr peer = Expr::variable(expr::kRank);
  Expr stride = 1;
  Expr condition = 1;
  const std::size_t dimensions = offset.steps.size();
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::int64_t step = offset.steps[i];
    const Expr x = Expr::variable(expr::coordinate_name(i));
    const Expr d = Expr::variable(expr::extent_name(i));
    if (step != 0 && offset.wraps[i] && i + 1 < dimensions) {
      const Expr moved = (x + Expr(step)) % d;
      peer = i == 0 ? peer - x + moved : peer + (moved - x) * stride;
    } else if (step != 0) {
      peer = step < 0 ? peer - Expr(-step) * stride : peer + Expr(step) * stride;
    }
    // The slowest dimension wraps where the ranks end.
    if (step != 0 && offset.wraps[i] && i + 1 == dimensions) {
      peer = peer % Expr::variable(expr::kRanks);
    }
    if (step != 0 && !offset.wraps[i] && offset.has_borders) {
      condition = Expr::make(Op::logical_and, condition, in_range(i, step));
    }
    stride = i == 0 ? d : stride * d;
  }
  if (offset.has_borders) {
    peer = Expr::conditional(condition, peer, Expr::variable(expr::kProcNull));
  }
  return expr::simplify(peer);
}

}  // namespace reprise::infer
