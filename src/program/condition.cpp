#include "program/condition.hpp"

#include <algorithm>
#include <array>

#include "base/hash.hpp"
#include "expr/simplify.hpp"
#include "trace/series_folder.hpp"

namespace reprise::program {
namespace {

using expr::Expr;
using expr::Op;

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kMostPeriod = 64;     // of a remainder that is tried
constexpr std::int64_t kLeastPeriod = 4;     // that is tried of however many numbers
constexpr std::int64_t kMostLooked = 16384;  // numbers that are divided, in all

// A condition reads easier than a list of as many bits.
constexpr Bits kPreference = 10;

Expr compare(Op op, const Expr& a, std::int64_t b) { return Expr::make(op, a, Expr(b)); }

class Cheapest {
 public:
  void offer(const Expr& e) {
    const Bits bits = bits_of(e);
    if (best_ && bits >= bits_) return;
    best_ = e;
    bits_ = bits;
  }
  const std::optional<Expr>& get() const { return best_; }

 private:
  std::optional<Expr> best_;
  Bits bits_ = 0;
};

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

// The distinct numbers of a leaf, in order.
Numbers numbers_of(const Leaf& leaf, const Streams& streams) {
  constexpr std::int64_t kMostMarked = 1 << 16;
  Numbers out;
  std::vector<bool> seen;  // of numbers from 0 on
  for (const std::uint64_t s : streams) {
    const std::int64_t v = leaf.of(s);
    if (v < 0 || v >= kMostMarked) {
      if (out.empty() || out.back() != v) out.push_back(v);
      continue;
    }
    const auto at = static_cast<std::size_t>(v);
    if (at >= seen.size()) seen.resize(std::max(at + 1, 2 * seen.size()));
    seen[at] = true;
  }
  for (std::size_t v = 0; v < seen.size(); ++v) {
    if (seen[v]) out.push_back(static_cast<std::int64_t>(v));
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Numbers without(const Numbers& all, const Numbers& some) {
  Numbers out;
  std::ranges::set_difference(all, some, std::back_inserter(out));
  return out;
}

Expr join(Op op, const Expr& a, const Expr& b) {
  if (b.op() != op) return Expr::make(op, a, b);
  return join(op, join(op, a, b.operands()[0]), b.operands()[1]);
}

Expr join(Op op, const std::vector<Expr>& parts) {
  Expr out = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) out = join(op, out, parts[i]);
  return out;
}

Bits bits_of_set(const Streams& some) {
  trace::SeriesFolder folder;
  for (const std::uint64_t s : some) folder.append(static_cast<std::int64_t>(s));
  return kTableBits + bits_of(folder.finish());
}

// predicate_of, with remainders by divisors of `of` alone if that is not 0.
std::optional<Expr> predicate_in(const Expr& number, std::span<const std::int64_t> in,
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

// One factor of a product of sets.
struct Factor {
  const Leaf* leaf;
  Numbers in;
  Expr predicate;
};

// Whether just the streams of a product of `count` streams satisfy all factors but one.
bool suffices(const std::vector<Factor>& factors, std::size_t without, std::size_t count,
              const Streams& all) {
  std::size_t n = 0;
  for (const std::uint64_t s : all) {
    bool is_in = true;
    for (std::size_t i = 0; i < factors.size() && is_in; ++i)
      is_in = i == without || std::ranges::binary_search(factors[i].in, factors[i].leaf->of(s));
    n += is_in;
    if (n > count) return false;
  }
  return n == count;
}

// `some` as what satisfies predicates of several leaves at once.
std::vector<Factor> product(std::span<const Leaf* const> leaves, const Streams& some,
                            const Streams& all) {
  std::vector<Factor> factors;
  for (const Leaf* leaf : leaves) {
    Numbers in = numbers_of(*leaf, some);
    const Numbers out = without(numbers_of(*leaf, all), in);
    if (out.empty()) continue;
    if (auto predicate = predicate_in(leaf->expression, in, out, 0))
      factors.push_back({leaf, std::move(in), *predicate});
  }
  if (factors.empty() || !suffices(factors, factors.size(), some.size(), all)) return {};
  // The dearest go first, if they can.
  while (factors.size() > 1) {
    std::vector<std::size_t> order(factors.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](std::size_t i) { return bits_of(factors[i].predicate); });
    const auto idle = std::ranges::find_if(
        order, [&](std::size_t i) { return suffices(factors, i, some.size(), all); });
    if (idle == order.end()) break;
    factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(*idle));
  }
  return factors;
}

void offer_product(std::span<const Leaf* const> leaves, const Streams& some, const Streams& rest,
                   const Streams& all, Cheapest& cheapest) {
  std::vector<Expr> parts;
  for (const Factor& f : product(leaves, some, all)) parts.push_back(f.predicate);
  if (!parts.empty()) cheapest.offer(join(Op::logical_and, parts));
  parts.clear();
  for (const Factor& f : product(leaves, rest, all)) {
    const Numbers out = without(numbers_of(*f.leaf, all), f.in);
    if (auto opposite = predicate_in(f.leaf->expression, out, f.in, 0)) parts.push_back(*opposite);
  }
  if (!parts.empty()) cheapest.offer(join(Op::logical_or, parts));
}

}  // namespace

std::optional<Expr> predicate_of(const Expr& number, std::span<const std::int64_t> in,
                                 std::span<const std::int64_t> out) {
  return predicate_in(number, in, out, 0);
}

Condition condition_of(const Space& space, const Streams& some, const Streams& all) {
  if (some.size() == all.size()) return {Expr(1), 0};
  if (some.empty()) return {Expr(0), 0};
  if (all.size() > kMostStreams) return {std::nullopt, kNever / 64};
  Streams rest;
  std::ranges::set_difference(all, some, std::back_inserter(rest));
  Cheapest cheapest;
  const auto offer_leaf = [&](const Leaf& leaf) {
    const Numbers in = numbers_of(leaf, some), out = numbers_of(leaf, rest);
    Numbers both;
    std::ranges::set_intersection(in, out, std::back_inserter(both));
    if (!both.empty()) return;
    // Other remainders of parts of the rank are chance, and of the rank where there is a grid; of
    // sums all but odd and even.
    const bool is_part = leaf.expression.op() == Op::divide || leaf.expression.op() == Op::modulo;
    const bool is_rank = leaf.expression.is_variable() && leaf.expression.name() == expr::kRank;
    const bool by_ranks = is_part || (is_rank && !space.extents().empty());
    const bool is_sum = leaf.expression.op() == Op::add || leaf.expression.op() == Op::subtract;
    const auto ranks = static_cast<std::int64_t>(space.ranks());
    const std::int64_t of = is_sum ? 2 : by_ranks ? ranks : 0;
    if (const auto predicate = predicate_in(leaf.expression, in, out, of))
      cheapest.offer(*predicate);
  };
  for (const Leaf& leaf : space.plain()) offer_leaf(leaf);
  for (const Leaf& leaf : space.derived()) offer_leaf(leaf);
  std::vector<const Leaf*> leaves;
  for (const Leaf& leaf : space.plain()) {
    // Coordinates tell all that the rank does.
    const bool is_rank = leaf.expression.is_variable() && leaf.expression.name() == expr::kRank;
    if (!is_rank || space.extents().empty()) leaves.push_back(&leaf);
  }
  offer_product(leaves, some, rest, all, cheapest);
  if (space.extents().empty()) {
    // A remainder and the quotient by the same number are as good as coordinates.
    const std::vector<Leaf>& derived = space.derived();
    for (std::size_t i = 0; i + 1 < derived.size(); i += 2) {
      const std::array<const Leaf*, 2> pair = {&derived[i], &derived[i + 1]};
      offer_product(pair, some, rest, all, cheapest);
    }
  }
  const Bits set = bits_of_set(some);
  if (!cheapest.get()) return {std::nullopt, set};
  const Bits bits = bits_of(*cheapest.get());
  if (bits > set + kPreference) return {std::nullopt, set};
  return {expr::simplify(*cheapest.get()), bits};
}

Condition Conditions::of(const Streams& some, const Streams& all) {
  if (some.size() == all.size()) return {Expr(1), 0};
  const auto hash = [](const Streams& s, std::uint64_t seed) {
    return hash_bytes(s.data(), s.size() * sizeof(s[0]), seed);
  };
  const auto [entry, is_new] = known_.try_emplace(hash(some, hash(all, 0)));
  Known& known = entry->second;
  if (!is_new && (known.some != some || known.all != all)) return condition_of(space_, some, all);
  if (is_new) known = {some, all, condition_of(space_, some, all)};
  return known.condition;
}

}  // namespace reprise::program
