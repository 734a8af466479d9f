// Where each rank's share of a whole begins, and how large it is, as the displacements and counts
// of a Scatterv say.
#include <algorithm>
#include <compare>
#include <map>
#include <numeric>

#include "expr/simplify.hpp"
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
    case Blocks::ceiling: return Expr::make(Op::minimum, rank * ((n + ranks - Expr(1)) / ranks), n);
  }
  return 0;
}

// What is looked at of the blocks.
enum class What : std::uint8_t { starts, sizes };

std::int64_t block(What what, Blocks kind, std::int64_t n, std::int64_t rank, std::int64_t ranks) {
  return what == What::starts ? block_start(kind, n, rank, ranks)
                              : fit::block_size(kind, n, {rank, ranks});
}

Expr block(What what, Blocks kind, const Expr& n) {
  const Expr rank = Expr::variable(expr::kRank), ranks = Expr::variable(expr::kRanks);
  return what == What::starts ? block_start(kind, n) : fit::block_size(kind, n, rank, ranks);
}

bool explains(const Samples& samples, What what, Blocks kind, std::int64_t n,
              std::int64_t element) {
  return std::ranges::all_of(samples.worlds, [&](const WorldSamples& w) {
    return std::ranges::all_of(w.samples, [&](const Sample& s) {
      return s.value == element * block(what, kind, n, s.rank, w.world.ranks);
    });
  });
}

// The wholes that there may be, as elements of some size; nothing if these are no starts.
struct Range {
  std::int64_t least = 0, most = kLargest;
};
std::optional<Range> possible_wholes(const Samples& samples, What what, std::int64_t element) {
  Range out;
  for (const WorldSamples& w : samples.worlds) {
    const std::int64_t ranks = w.world.ranks;
    for (const Sample& s : w.samples) {
      const bool starts_late = what == What::starts && s.rank == 0 && s.value != 0;
      if (s.value < 0 || s.value > kLargest || s.rank < 0 || s.rank >= ranks || starts_late) {
        return std::nullopt;
      }
      const std::int64_t v = s.value / element;
      if (what == What::sizes) {
        // Nobody has more than the mean rounded up, and the first no less than it rounded down.
        out.least = std::max(out.least, (v - 1) * ranks + 1);
        if (s.rank == 0) out.most = std::min(out.most, v * ranks + ranks - 1);
      } else if (s.rank > 0) {
        out.least = std::max(out.least, v);
        // No block is longer by more than one than those before this one, but for rounding up.
        out.most = std::min(out.most, (v / s.rank + 1) * ranks);
      }
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

// The wholes that explain the samples: few, or none.
std::vector<std::int64_t> find_wholes(const Samples& samples, What what, Blocks kind,
                                      std::int64_t element) {
  std::vector<std::int64_t> out;
  const auto range = possible_wholes(samples, what, element);
  for (std::int64_t n = range ? range->least : 1; range && n <= range->most; ++n) {
    if (explains(samples, what, kind, n, element)) out.push_back(n);
    if (out.size() > kMostWholes) return {};
  }
  return out;
}

// By the value of the one parameter, which is dropped.
std::map<std::int64_t, Samples> by_index(const Samples& samples) {
  std::map<std::int64_t, Samples> out;
  for (std::size_t w = 0; w < samples.worlds.size(); ++w) {
    for (const Sample& s : samples.worlds[w].samples) {
      Samples& here = out[s.parameters[0]];
      here.worlds.resize(samples.worlds.size());
      here.worlds[w].world = samples.worlds[w].world;
      here.worlds[w].samples.push_back({s.rank, s.value, {}});
    }
  }
  return out;
}

// a + b * index
struct Whole {
  std::int64_t start = 0, growth = 0;

  auto operator<=>(const Whole&) const = default;
};

// The wholes that grow from index to index by one number, and are possible at each.
std::vector<Whole> growing(const std::map<std::int64_t, std::vector<std::int64_t>>& possible) {
  std::vector<Whole> out;
  const auto first = possible.begin();
  const auto second = std::next(first);
  for (const std::int64_t one : first->second) {
    for (const std::int64_t other : second->second) {
      const std::int64_t distance = second->first - first->first;
      if ((other - one) % distance != 0) continue;
      const std::int64_t growth = (other - one) / distance;
      const Whole whole{one - growth * first->first, growth};
      const bool fits = std::ranges::all_of(possible, [&](const auto& p) {
        return std::ranges::binary_search(p.second, whole.start + whole.growth * p.first);
      });
      if (fits) out.push_back(whole);
    }
  }
  return out;
}

// One way to cut a whole that explains the samples.
struct Cut {
  Blocks kind;
  Whole whole;
};

// Whether two cuts are the same at so many ranks, in the passes that the samples have.
bool same_at(std::int64_t ranks, const Cut& a, const Cut& b, What what,
             const std::vector<std::int64_t>& indices) {
  constexpr std::int64_t kMostRanks = 4096;
  const std::int64_t step = ranks / kMostRanks + 1;
  for (const std::int64_t i : indices) {
    const std::int64_t n = a.whole.start + a.whole.growth * i;
    const std::int64_t m = b.whole.start + b.whole.growth * i;
    for (std::int64_t r = 0; r < ranks; r += step) {
      if (block(what, a.kind, n, r, ranks) != block(what, b.kind, m, r, ranks)) return false;
    }
    if (block(what, a.kind, n, ranks - 1, ranks) != block(what, b.kind, m, ranks - 1, ranks)) {
      return false;
    }
  }
  return true;
}

// All cuts, in the order of fit::kBlocks. `parts` by index.
std::vector<Cut> find_cuts(const std::map<std::int64_t, Samples>& parts, What what,
                           std::int64_t element) {
  std::vector<Cut> out;
  for (const Blocks kind : fit::kBlocks) {
    std::map<std::int64_t, std::vector<std::int64_t>> possible;
    bool any = true;
    for (const auto& [index, part] : parts) {
      possible[index] = find_wholes(part, what, kind, element);
      if (!(any = !possible[index].empty())) break;
    }
    if (!any) continue;
    if (possible.size() == 1) {
      for (const std::int64_t n : possible.begin()->second) out.push_back({kind, {n, 0}});
    } else {
      for (const Whole& w : growing(possible)) out.push_back({kind, w});
    }
  }
  return out;
}

}  // namespace

// Starts alone do not tell the whole, as nothing says where the last block ends. What it is in
// other passes of a loop may tell, or a number that another law has, such as that of the counts.
std::optional<Result<NumberLaw>> LawSearch::blocks(const Samples& samples) const {
  const bool indexed = samples.parameters.size() == 1 && samples.parameters[0][0] == 'i';
  if ((!indexed && !samples.parameters.empty()) || all_zero_or_one(samples)) return std::nullopt;
  const auto parts = indexed ? by_index(samples) : std::map<std::int64_t, Samples>{{0, samples}};
  if (parts.size() > kMostWholes) return std::nullopt;
  std::vector<std::int64_t> indices, elements = {greatest_element(samples)};
  for (const auto& [index, part] : parts) indices.push_back(index);
  if (elements.front() != 1) elements.push_back(1);
  for (const What what : {What::starts, What::sizes}) {
    for (const std::int64_t element : elements) {
      std::vector<Cut> cuts = find_cuts(parts, what, element);
      const auto differs = [&](const Cut& c) {
        return !same_at(ranks_, cuts.front(), c, what, indices);
      };
      const bool several = std::ranges::any_of(cuts, differs);
      if (several) {
        std::erase_if(cuts, [&](const Cut& c) {
          return !numbers_->contains(c.whole.start) ||
                 (c.whole.growth != 0 && !numbers_->contains(c.whole.growth));
        });
      }
      if (several && (cuts.empty() || std::ranges::any_of(cuts, differs))) {
        return Error{"the samples do not tell how a whole is cut into blocks"};
      }
      if (cuts.empty()) continue;
      const Whole& w = cuts.front().whole;
      Expr whole = w.start;
      if (w.growth != 0) whole = whole + Expr(w.growth) * Expr::variable(samples.parameters[0]);
      const Expr law = block(what, cuts.front().kind, expr::simplify(whole));
      return NumberLaw{.expression = element == 1 ? law : Expr(element) * law, .of_rank = true};
    }
  }
  return std::nullopt;
}

}  // namespace reprise::extrapolate
