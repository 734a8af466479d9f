#include "extrapolate/shares.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <string>

#include "expr/print.hpp"
#include "expr/simplify.hpp"
#include "fit/exact.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::int64_t kLargestDivisor = 16;

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
    const auto share = [&] { return expr::simplify((Expr(a) * ranks + Expr(b)) / Expr(q)); };
    if (fits(borders, a, b, q)) return out.push_back({share(), cost});
    if (q == 1) return;
    if (fits(borders, a, b, q, Clip::least)) {
      out.push_back({Expr::make(Op::maximum, share(), Expr(1)), cost + kClip});
    }
    if (fits(borders, a, b, q, Clip::most)) {
      out.push_back({Expr::make(Op::minimum, share(), ranks - Expr(1)), cost + kClip});
    }
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

// The shortest of the laws that `find` finds, if it is that without the largest run too; an error
// if one that is hardly longer differs from it.
template <class Find>
std::optional<Result<Expr>> shortest(const std::vector<Border>& borders, const Find& find,
                                     const std::vector<std::int64_t>& sizes) {
  const std::vector<Share> all = find(borders);
  if (all.empty()) return std::nullopt;
  const Share& best = *std::ranges::min_element(all, {}, &Share::cost);
  std::vector<std::int64_t> here;
  for (const std::int64_t n : sizes) here.push_back(value_at(best.law, n));
  const auto differs = [&](const Expr& law) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (value_at(law, sizes[i]) != here[i]) return true;
    }
    return false;
  };
  const auto rival = std::ranges::find_if(
      all, [&](const Share& c) { return c.cost < best.cost + fit::kDoubt && differs(c.law); });
  if (rival != all.end()) {
    return Error{"the samples do not tell '" + print(best.law) + "' from '" + print(rival->law) +
                 "'; add a run that does" + where_they_differ(best.law, rival->law)};
  }
  if (borders.size() > 2) {
    const std::vector<Share> fewer = find({borders.begin(), borders.end() - 1});
    const auto same = std::ranges::min_element(fewer, {}, &Share::cost);
    if (!(same->law == best.law)) return std::nullopt;
  }
  return best.law;
}

}  // namespace

std::optional<Result<Expr>> law_of_border(const std::vector<Border>& borders,
                                          const std::optional<Expr>& before,
                                          const std::vector<std::int64_t>& sizes) {
  const auto find = [&](const std::vector<Border>& of) { return candidates(of, before); };
  return shortest(borders, find, sizes);
}

std::optional<Result<Expr>> law_of_share(const std::vector<Border>& values,
                                         const std::vector<std::int64_t>& sizes) {
  const auto find = [](const std::vector<Border>& of) {
    std::vector<Share> out = shares(of);
    std::ranges::copy(multiples(of), std::back_inserter(out));
    return out;
  };
  return shortest(values, find, sizes);
}

}  // namespace reprise::extrapolate
