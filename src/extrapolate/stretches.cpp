// Laws of ranks that stand together: components that share out the ranks among them, each with its
// own part of the program, and every m-th rank, as those are that serve files.
#include <algorithm>
#include <map>
#include <set>

#include "expr/simplify.hpp"
#include "extrapolate/joined_law.hpp"
#include "extrapolate/shares.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;
using infer::Sample;
using infer::Samples;
using infer::Standing;
using infer::WorldSamples;

constexpr std::size_t kMostStretches = 8;
constexpr std::int64_t kLargestPeriod = 64;
constexpr std::int64_t kLargestShare = std::int64_t{1} << 40;

// Consecutive ranks, among those that there are samples of, with one value.
struct Stretch {
  std::int64_t first = 0, last = 0;
  std::int64_t value = 0;
};

// Nothing if there are too many, or one rank has several values.
std::optional<std::vector<Stretch>> stretches_of(std::vector<Sample> samples) {
  std::ranges::sort(samples, {}, &Sample::rank);
  std::vector<Stretch> out;
  for (const Sample& s : samples) {
    if (out.empty() || out.back().value != s.value) {
      if (!out.empty() && out.back().last == s.rank) return std::nullopt;
      out.push_back({s.rank, s.rank, s.value});
      if (out.size() > kMostStretches) return std::nullopt;
    }
    out.back().last = s.rank;
  }
  return out;
}

// Between which borders a condition holds that begins with `value`.
std::optional<Expr> as_condition(std::int64_t value, const std::vector<Expr>& borders) {
  const Expr rank = Expr::variable(expr::kRank);
  if (borders.size() == 1)
    return Expr::make(value ? Op::less : Op::greater_equal, rank, borders[0]);
  if (borders.size() > 2) return std::nullopt;
  if (expr::simplify(borders[0] + Expr(1)) == borders[1]) {
    return Expr::make(value ? Op::not_equal : Op::equal, rank, borders[0]);
  }
  const Expr below = Expr::make(value ? Op::less : Op::greater_equal, rank, borders[0]);
  const Expr above = Expr::make(value ? Op::greater_equal : Op::less, rank, borders[1]);
  return Expr::make(value ? Op::logical_or : Op::logical_and, below, above);
}

// The remainders by `m` of the ranks that have 1; nothing if others have them too.
std::optional<std::set<std::int64_t>> remainders(const Samples& samples, std::int64_t m) {
  std::map<std::int64_t, std::int64_t> values;
  for (const WorldSamples& w : samples.worlds) {
    for (const Sample& s : w.samples) {
      if (values.try_emplace(s.rank % m, s.value).first->second != s.value) return std::nullopt;
    }
  }
  std::set<std::int64_t> out;
  for (const auto& [remainder, value] : values) {
    if (value != 0) out.insert(remainder);
  }
  return out;
}

// `rank % m` compared with one number; nothing where that takes several.
std::optional<Expr> compare_remainder(const std::set<std::int64_t>& ones, std::int64_t m) {
  const Expr remainder = Expr::variable(expr::kRank) % Expr(m);
  const auto n = std::ssize(ones);
  if (n == 0 || n == m) return std::nullopt;
  const std::int64_t first = *ones.begin(), last = *ones.rbegin();
  if (n == 1) return Expr::make(Op::equal, remainder, Expr(first));
  if (last == n - 1) return Expr::make(Op::less, remainder, Expr(n));
  if (first == m - n) return Expr::make(Op::greater_equal, remainder, Expr(first));
  if (n < m - 1) return std::nullopt;
  std::int64_t missing = 0;
  while (ones.contains(missing)) ++missing;
  return Expr::make(Op::not_equal, remainder, Expr(missing));
}

// The shortest period in which ranks have 1, if a run has two whole periods.
std::optional<Expr> period_of(const Samples& samples) {
  std::int64_t last = 0;
  for (const WorldSamples& w : samples.worlds) {
    for (const Sample& s : w.samples) last = std::max(last, s.rank);
  }
  for (std::int64_t m = 3; m <= std::min(kLargestPeriod, last / 2); ++m) {
    if (const auto ones = remainders(samples, m)) return compare_remainder(*ones, m);
  }
  return std::nullopt;
}

// The same; rank 0 may have other things to do.
std::optional<Expr> periodic_condition(const Samples& samples) {
  if (auto all = period_of(samples)) return all;
  Samples others = samples;
  bool is_none = true;
  for (WorldSamples& w : others.worlds) {
    std::erase_if(w.samples, [&](const Sample& s) {
      is_none = is_none && (s.rank > 0 || s.value == 0);
      return s.rank == 0;
    });
  }
  const auto rest = is_none ? period_of(others) : std::nullopt;
  if (!rest) return std::nullopt;
  const Expr later = Expr::make(Op::greater, Expr::variable(expr::kRank), Expr(0));
  return Expr::make(Op::logical_and, later, *rest);
}

// Ranks with one remainder, which have one value.
struct Holes {
  std::int64_t period = 0, remainder = 0, value = 0;

  bool operator==(const Holes&) const = default;
};

Samples without(const Samples& samples, const Holes& holes) {
  Samples out = samples;
  for (WorldSamples& w : out.worlds) {
    std::erase_if(w.samples,
                  [&](const Sample& s) { return s.rank % holes.period == holes.remainder; });
  }
  return out;
}

// As many stretches on all numbers of ranks, and more than one.
bool are_stretches(const Samples& samples) {
  std::size_t n = 0;
  return std::ranges::all_of(samples.worlds, [&](const WorldSamples& w) {
    const auto here = stretches_of(w.samples);
    if (!here || here->size() < 2 || (n != 0 && here->size() != n)) return false;
    n = here->size();
    return true;
  });
}

// The shortest period whose ranks with some remainder have one value, and leave stretches where
// they are taken out.
std::optional<Holes> find_holes(const Samples& samples) {
  std::int64_t last = 0;
  for (const WorldSamples& w : samples.worlds) {
    for (const Sample& s : w.samples) last = std::max(last, s.rank);
  }
  for (std::int64_t m = 3; m <= std::min(kLargestPeriod, last / 2); ++m) {
    std::map<std::int64_t, std::set<std::int64_t>> values;  // by remainder
    for (const WorldSamples& w : samples.worlds) {
      for (const Sample& s : w.samples) values[s.rank % m].insert(s.value);
    }
    for (const auto& [remainder, here] : values) {
      const Holes holes{m, remainder, *here.begin()};
      if (here.size() == 1 && are_stretches(without(samples, holes))) return holes;
    }
  }
  return std::nullopt;
}

}  // namespace

// Every m-th rank, or all but these. What the runs but the largest show, this one must.
std::optional<NumberLaw> LawSearch::every_mth(const Samples& samples) const {
  if (!samples.parameters.empty() || !all_zero_or_one(samples)) return std::nullopt;
  const auto law = periodic_condition(samples);
  if (!law) return std::nullopt;
  Samples fewer = samples;
  if (fewer.worlds.size() > 2) fewer.worlds.pop_back();
  const auto same = periodic_condition(fewer);
  const bool confirmed = same && *same == *law;
  const Standing standing = samples.worlds.size() < 3 ? Standing::explains
                            : confirmed               ? Standing::confirmed
                                                      : Standing::contradicted;
  return NumberLaw{*law, {}, true, standing};
}

std::vector<std::int64_t> LawSearch::compared_sizes() const {
  constexpr std::int64_t kMost = 256;  // from either end
  std::vector<std::int64_t> out{ranks_};
  if (sizes_ == Sizes::target) return out;
  for (std::int64_t n = 2; n < ranks_; ++n) {
    if (n == kMost && ranks_ > 2 * kMost) n = ranks_ - kMost;
    out.push_back(n);
  }
  return out;
}

// A share of the ranks, rounded: how many ranks a component has.
std::optional<Result<NumberLaw>> LawSearch::share_of_ranks(const Samples& samples) const {
  if (!samples.parameters.empty()) return std::nullopt;
  std::vector<Border> values;
  for (const WorldSamples& w : samples.worlds) {
    for (const Sample& s : w.samples) {
      if (s.value < 0 || s.value > kLargestShare) return std::nullopt;
      values.push_back({w.world.ranks, s.value, s.value});
    }
  }
  const auto law = law_of_share(values, compared_sizes());
  if (!law) return std::nullopt;
  return *law ? Result(NumberLaw{.expression = **law}) : Result<NumberLaw>(law->error());
}

// One value, or one law of the number of ranks, on each of a few stretches of ranks. Their borders
// are shares of all ranks, rounded, or of what is left behind the border before.
std::optional<Result<NumberLaw>> LawSearch::stretches(const Samples& samples) const {
  if (!samples.parameters.empty()) return std::nullopt;
  if (!are_stretches(samples)) return stretches_with_holes(samples);
  std::vector<std::vector<Stretch>> found;
  for (const WorldSamples& w : samples.worlds) found.push_back(*stretches_of(w.samples));
  const std::size_t n = found.front().size();
  const std::vector<std::int64_t> sizes = compared_sizes();
  JoinedLaw joined;
  std::vector<Expr> values, borders;
  for (std::size_t i = 0; i < n; ++i) {
    Samples value;
    std::vector<Border> border;
    for (std::size_t w = 0; w < found.size(); ++w) {
      const infer::World& world = samples.worlds[w].world;
      value.worlds.push_back({world, {{0, found[w][i].value, {}}}});
      if (i > 0) border.push_back({world.ranks, found[w][i - 1].last + 1, found[w][i].first});
    }
    const auto law = search(value);
    if (!law || !joined.take(*law)) return std::nullopt;
    values.push_back(law->expression);
    if (i == 0) continue;
    const auto begin = law_of_border(
        border, borders.empty() ? std::nullopt : std::optional(borders.back()), sizes);
    if (!begin) return std::nullopt;
    if (!*begin) return begin->error();
    borders.push_back(**begin);
  }
  std::optional<Expr> out;
  if (all_zero_or_one(samples)) out = as_condition(found.front().front().value, borders);
  if (!out) {
    out = values.back();
    for (std::size_t i = n - 1; i-- > 0;) {
      const Expr here = Expr::make(Op::less, Expr::variable(expr::kRank), borders[i]);
      out = Expr::conditional(here, values[i], *out);
    }
  }
  NumberLaw law = joined.finish(*out);
  law.of_rank = true;
  return law;
}

// Every m-th rank has another part than those around it.
std::optional<Result<NumberLaw>> LawSearch::stretches_with_holes(const Samples& samples) const {
  const auto holes = find_holes(samples);
  if (!holes) return std::nullopt;
  Samples fewer = samples;
  if (fewer.worlds.size() > 2) fewer.worlds.pop_back();
  if (find_holes(fewer) != holes) return std::nullopt;
  const auto rest = stretches(without(samples, *holes));
  if (!rest || !*rest) return rest;
  NumberLaw law = **rest;
  const Expr remainder = Expr::variable(expr::kRank) % Expr(holes->period);
  const Expr place(holes->remainder);
  if (holes->value == 0 && all_zero_or_one(samples)) {
    law.expression =
        Expr::make(Op::logical_and, Expr::make(Op::not_equal, remainder, place), law.expression);
  } else {
    law.expression = Expr::conditional(Expr::make(Op::equal, remainder, place), Expr(holes->value),
                                       law.expression);
  }
  return law;
}

}  // namespace reprise::extrapolate
