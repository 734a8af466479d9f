// Where each rank's share of a whole begins, as the displacements of a Scatterv say.
#include <algorithm>
#include <array>
#include <numeric>

#include "extrapolate/number_law.hpp"
#include "fit/terms.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;
using fit::Blocks;
using infer::Sample;
using infer::Samples;
using infer::WorldSamples;

constexpr std::int64_t kMostTried = 1 << 18;  // wholes
constexpr std::int64_t kLargest = std::int64_t{1} << 40;
constexpr std::int64_t kLargestElement = 256;  // [bytes]
constexpr std::size_t kMostWholes = 16;

std::int64_t block_start(Blocks kind, std::int64_t n, std::int64_t rank, std::int64_t ranks) {
  switch (kind) {
    case Blocks::remainder_first: return rank * (n / ranks) + std::min(rank, n % ranks);
    case Blocks::even_bounds: return n * rank / ranks;
    case Blocks::ceiling: return std::min(rank * ((n + ranks - 1) / ranks), n);
  }
  return 0;
}

Expr block_start(Blocks kind, const Expr& n) {
  const Expr rank = Expr::variable(expr::kRank), ranks = Expr::variable(expr::kRanks);
  switch (kind) {
    case Blocks::remainder_first:
      return rank * (n / ranks) + Expr::make(Op::minimum, rank, n % ranks);
    case Blocks::even_bounds: return n * rank / ranks;
    case Blocks::ceiling:
      return Expr::make(Op::minimum, rank * ((n + ranks - Expr(1)) / ranks), n);
  }
  return 0;
}

bool explains(const Samples& samples, Blocks kind, std::int64_t n, std::int64_t element) {
  return std::ranges::all_of(samples.worlds, [&](const WorldSamples& w) {
    return std::ranges::all_of(w.samples, [&](const Sample& s) {
      return s.value == element * block_start(kind, n, s.rank, w.world.ranks);
    });
  });
}

// The wholes that there may be, as elements of some size; nothing if these are no starts.
struct Range {
  std::int64_t least = 0, most = kLargest;
};
std::optional<Range> possible_wholes(const Samples& samples, std::int64_t element) {
  Range out;
  for (const WorldSamples& w : samples.worlds) {
    for (const Sample& s : w.samples) {
      if (s.value < 0 || s.value > kLargest || s.rank < 0 || s.rank >= w.world.ranks ||
          (s.rank == 0 && s.value != 0)) {
        return std::nullopt;
      }
      if (s.rank == 0) continue;
      const std::int64_t start = s.value / element;
      out.least = std::max(out.least, start);
      // No block is longer by more than one than those before this one, but for rounding up.
      out.most = std::min(out.most, (start / s.rank + 1) * w.world.ranks);
    }
  }
  if (out.least > out.most || out.most - out.least > kMostTried) return std::nullopt;
  return out;
}

std::int64_t greatest_element(const Samples& samples) {
  std::int64_t common = 0;
  for (const WorldSamples& w : samples.worlds) {
    for (const Sample& s : w.samples) common = std::gcd(common, s.value);
  }
  return common > 0 && common <= kLargestElement ? common : 1;
}

}  // namespace

// The whole is not told by the starts alone, as nothing says where the last block ends. A number
// that another law has, such as that of the counts beside them, may tell which it is.
std::optional<NumberLaw> LawSearch::block_starts(const Samples& samples) const {
  if (!samples.parameters.empty() || all_zero_or_one(samples)) return std::nullopt;
  const std::int64_t greatest = greatest_element(samples);
  for (const std::int64_t element : {greatest, std::int64_t{1}}) {
    const auto range = possible_wholes(samples, element);
    if (!range) continue;
    for (const Blocks kind : fit::kBlocks) {
      std::vector<std::int64_t> wholes;
      for (std::int64_t n = range->least; n <= range->most && wholes.size() < kMostWholes; ++n) {
        if (explains(samples, kind, n, element)) wholes.push_back(n);
      }
      if (wholes.size() > 1) {
        std::erase_if(wholes, [&](std::int64_t n) { return !numbers_->contains(n); });
      }
      if (wholes.size() != 1) continue;
      const Expr start = block_start(kind, Expr(wholes.front()));
      return NumberLaw{.expression = element == 1 ? start : Expr(element) * start,
                       .of_rank = true};
    }
    if (greatest == 1) break;
  }
  return std::nullopt;
}

}  // namespace reprise::extrapolate
