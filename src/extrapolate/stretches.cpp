// Laws of ranks that stand together: components that share out the ranks among them, each with its
// own part of the program, and every m-th rank, as those are that serve files.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

#include "expr/print.hpp"
#include "expr/simplify.hpp"
#include "extrapolate/joined_law.hpp"
#include "fit/exact.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;
using infer::Sample;
using infer::Samples;
using infer::Standing;
using infer::WorldSamples;

constexpr std::size_t kMostStretches = 8;
constexpr std::int64_t kLargestDivisor = 16;
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

// Where a stretch may begin on so many ranks: behind the last rank of the one before, and at its
// own first rank at the latest.
struct Border {
  std::int64_t ranks = 0;
  std::int64_t low = 0, high = 0;
};

// What a share must leave: at least one rank to this part, or to the other.
enum class Clip : std::uint8_t { none, least, most };

bool fits(const std::vector<Border>& borders, std::int64_t a, std::int64_t b, std::int64_t q,
          Clip clip = Clip::none) {
  return std::ranges::all_of(borders, [&](const Border& w) {
    const std::int64_t dividend = a * w.ranks + b;
    std::int64_t share = dividend / q;
    if (clip == Clip::least) share = std::max<std::int64_t>(share, 1);
    if (clip == Clip::most) share = std::min(share, w.ranks - 1);
    return dividend >= 0 && w.low <= share && share <= w.high;
  });
}

// A law that a border may have. Numbers are shares the likelier the smaller they are, round or not.
struct Share {
  Expr law;
  unsigned cost = 0;  // [bits]
};

unsigned width(std::int64_t number) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(std::abs(number))));
}

constexpr unsigned kSum = 2;   // [bits]
constexpr unsigned kClip = 4;  // [bits]

// (a * ranks + b) / q with small numbers, where all borders allow it; at least one rank, or all but
// one at most; a constant, and a distance from the end.
std::vector<Share> shares(const std::vector<Border>& borders) {
  const Expr ranks = Expr::variable(expr::kRanks);
  std::vector<Share> out;
  const auto add = [&](std::int64_t a, std::int64_t b, std::int64_t q) {
    const unsigned sum = b == 0 ? 0 : kSum + width(b);
    const unsigned cost = 2 * (width(a) + width(q)) + sum;
    const Expr share = expr::simplify((Expr(a) * ranks + Expr(b)) / Expr(q));
    if (fits(borders, a, b, q)) return out.push_back({share, cost});
    if (q == 1) return;
    const Expr least = Expr::make(Op::maximum, share, Expr(1));
    if (fits(borders, a, b, q, Clip::least)) out.push_back({least, cost + kClip});
    const Expr most = Expr::make(Op::minimum, share, ranks - Expr(1));
    if (fits(borders, a, b, q, Clip::most)) out.push_back({most, cost + kClip});
  };
  for (const std::int64_t v : {borders.front().low, borders.front().high}) {
    add(0, v, 1);
    add(1, v - borders.front().ranks, 1);
  }
  for (std::int64_t q = 2; q <= kLargestDivisor; ++q) {
    for (std::int64_t a = 1; a < q; ++a) {
      for (std::int64_t b = -q; b < 2 * q && std::gcd(a, q) == 1; ++b) add(a, b, q);
    }
  }
  return out;
}

std::int64_t value_at(const Expr& law, std::int64_t ranks) {
  const std::array<expr::Binding, 1> names = {expr::Binding{std::string(expr::kRanks), ranks}};
  return expr::simplify(substitute(law, names)).value();
}

// The number of ranks, rounded to a multiple of a small number: m * ((ranks + b) / m).
std::vector<Share> multiples(const std::vector<Border>& borders) {
  std::vector<Share> out;
  for (std::int64_t m = 2; m <= kLargestDivisor; ++m) {
    for (std::int64_t b = 1 - m; b < m; ++b) {
      const bool all = std::ranges::all_of(borders, [&](const Border& w) {
        const std::int64_t rounded = (w.ranks + b) / m * m;
        return w.ranks + b >= 0 && w.low <= rounded && rounded <= w.high;
      });
      if (!all) continue;
      const Expr ranks = Expr::variable(expr::kRanks);
      out.push_back({expr::simplify((ranks + Expr(b)) / Expr(m) * Expr(m)),
                     2 * width(m) + (b == 0 ? 0 : kSum + width(b)) + kSum});
    }
  }
  return out;
}

// The laws that borders may have: shares of all ranks, or of what begins at the border before.
std::vector<Share> candidates(const std::vector<Border>& borders,
                              const std::optional<Expr>& before) {
  std::vector<Share> out = shares(borders);
  std::ranges::copy(multiples(borders), std::back_inserter(out));
  if (!before) return out;
  std::vector<Border> lengths = borders;
  for (Border& b : lengths) {
    const std::int64_t begin = value_at(*before, b.ranks);
    b.low -= begin;
    b.high -= begin;
  }
  for (const Share& length : shares(lengths)) {
    out.push_back({expr::simplify(*before + length.law), length.cost + kSum});
  }
  return out;
}

// ", as on 13 ranks": the least number from 4 on on which two laws say otherwise.
std::string where_they_differ(const Expr& one, const Expr& other) {
  constexpr std::int64_t kLeast = 4, kMost = 1024;
  for (std::int64_t n = kLeast; n <= kMost; ++n) {
    if (value_at(one, n) != value_at(other, n)) return ", as on " + std::to_string(n) + " ranks";
  }
  return "";
}

// The shortest law, if the borders of all runs but the largest have the same. An error: a law that
// is hardly longer differs from it on one of these numbers of ranks.
std::optional<Result<Expr>> law_of(const std::vector<Border>& borders,
                                   const std::optional<Expr>& before,
                                   const std::vector<std::int64_t>& sizes) {
  const auto all = candidates(borders, before);
  if (all.empty()) return std::nullopt;
  const Share& best = *std::ranges::min_element(all, {}, &Share::cost);
  const auto differs = [&](const Expr& law) {
    return std::ranges::any_of(
        sizes, [&](std::int64_t n) { return value_at(law, n) != value_at(best.law, n); });
  };
  const auto rival = std::ranges::find_if(
      all, [&](const Share& c) { return c.cost < best.cost + fit::kDoubt && differs(c.law); });
  if (rival != all.end()) {
    return Error{"the samples do not tell '" + print(best.law) + "' from '" + print(rival->law) +
                 "'; add a run that does" + where_they_differ(best.law, rival->law)};
  }
  if (borders.size() > 2) {
    const auto fewer = candidates({borders.begin(), borders.end() - 1}, before);
    const auto same = std::ranges::min_element(fewer, {}, &Share::cost);
    if (!(same->law == best.law)) return std::nullopt;
  }
  return best.law;
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
  constexpr std::int64_t kMost = 512;
  if (sizes_ == Sizes::target) return {ranks_};
  std::vector<std::int64_t> out;
  for (std::int64_t n = 2; n < ranks_; n += ranks_ / kMost + 1) out.push_back(n);
  out.push_back(ranks_);
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
  const auto law = law_of(values, std::nullopt, compared_sizes());
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
    const auto begin =
        law_of(border, borders.empty() ? std::nullopt : std::optional(borders.back()), sizes);
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
