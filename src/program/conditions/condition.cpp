#include "program/conditions/condition.hpp"

#include <algorithm>
#include <array>

#include "base/hash.hpp"
#include "expr/simplify.hpp"
#include "program/conditions/predicate.hpp"
#include "program/conditions/streams.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::program {
namespace {

using expr::Expr;
using expr::Op;

using Numbers = std::vector<std::int64_t>;

// A condition reads easier than a list of as many bits.
constexpr Bits kPreference = 10;

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

Numbers others(const Numbers& all, const Numbers& some) {
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

Bits bits_of_set(const Streams& some) { return kTableBits + bits_of(trace::fold_numbers(some)); }

// One factor of a product of sets.
struct Factor {
  const Leaf* leaf;
  Numbers in;
  Expr predicate;
};

// Whether `count` of all streams satisfy all factors, or all but one. REQUIRES: as many at least.
bool suffices(const std::vector<Factor>& factors, const Factor* without, const Streams& all,
              std::size_t count) {
  std::size_t n = 0;
  for (const std::uint64_t s : all) {
    bool is_in = true;
    for (const Factor& f : factors) {
      if (!is_in) break;
      is_in = &f == without || std::ranges::binary_search(f.in, f.leaf->of(s));
    }
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
    const Numbers out = others(numbers_of(*leaf, all), in);
    if (out.empty()) continue;
    if (auto predicate = predicate_of(leaf->expression, in, out))
      factors.push_back({leaf, std::move(in), *predicate});
  }
  if (factors.empty() || !suffices(factors, nullptr, all, some.size())) return {};
  // The dearest go first, if they can.
  while (factors.size() > 1) {
    std::vector<std::size_t> order(factors.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](std::size_t i) { return bits_of(factors[i].predicate); });
    const auto idle = std::ranges::find_if(
        order, [&](std::size_t i) { return suffices(factors, &factors[i], all, some.size()); });
    if (idle == order.end()) break;
    factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(*idle));
  }
  return factors;
}

// Those of all streams that a condition is to hold for, and the others.
struct Wanted {
  const Streams &some, &rest, &all;
};

void offer_product(std::span<const Leaf* const> leaves, const Wanted& w, Cheapest& cheapest) {
  std::vector<Expr> parts;
  for (const Factor& f : product(leaves, w.some, w.all)) parts.push_back(f.predicate);
  if (!parts.empty()) cheapest.offer(join(Op::logical_and, parts));
  parts.clear();
  for (const Factor& f : product(leaves, w.rest, w.all)) {
    const Numbers out = others(numbers_of(*f.leaf, w.all), f.in);
    if (auto opposite = predicate_of(f.leaf->expression, out, f.in)) parts.push_back(*opposite);
  }
  if (!parts.empty()) cheapest.offer(join(Op::logical_or, parts));
}

bool is_rank(const Expr& e) { return e.is_variable() && e.name() == expr::kRank; }

bool is_order_of_ranks(const Expr& e) {
  const bool is_order = e.op() == Op::less || e.op() == Op::greater || e.op() == Op::less_equal ||
                        e.op() == Op::greater_equal;
  return is_order && is_rank(e.operands()[0]);
}

// Whether the predicate holds for the first or the last coordinate alone, or for all but that one.
bool is_of_border(const Factor& f, const Streams& all) {
  const Numbers numbers = numbers_of(*f.leaf, all);
  const auto is_end = [&](std::int64_t n) { return n == numbers.front() || n == numbers.back(); };
  return (f.in.size() == 1 && is_end(f.in.front())) ||
         (f.in.size() + 1 == numbers.size() && is_end(others(numbers, f.in).front()));
}

// A comparison of ranks as a condition on coordinates, if it holds for the ranks of a border that
// have a neighbor along it: in a grid of 4 x 4, x < 3 && y == 0 rather than rank < 3.
std::optional<Expr> along_border(std::span<const Leaf* const> leaves, const Expr& found,
                                 const Wanted& w) {
  if (!is_order_of_ranks(found)) return std::nullopt;
  const std::vector<Factor> factors = product(leaves, w.some, w.all);
  const bool are_borders = factors.size() > 1 && std::ranges::all_of(factors, [&](const Factor& f) {
                             return is_of_border(f, w.all);
                           });
  if (!are_borders) return std::nullopt;
  std::vector<Expr> parts;
  for (const Factor& f : factors) parts.push_back(f.predicate);
  return join(Op::logical_and, parts);
}

}  // namespace

Condition condition_of(const Space& space, const Streams& some, const Streams& all) {
  if (some.size() == all.size()) return {Expr(1), 0};
  if (some.empty()) return {Expr(0), 0};
  if (all.size() > kMostStreams) return {std::nullopt, kNever / 64};
  const Streams rest = without(all, some);
  Cheapest cheapest;
  const auto offer_leaf = [&](const Leaf& leaf) {
    const Numbers in = numbers_of(leaf, some), out = numbers_of(leaf, rest);
    Numbers both;
    std::ranges::set_intersection(in, out, std::back_inserter(both));
    if (!both.empty()) return;
    // Other remainders of parts of the rank are chance, and of the rank where there is a grid; of
    // sums all but odd and even.
    const bool is_part = leaf.expression.op() == Op::divide || leaf.expression.op() == Op::modulo;
    const bool by_ranks = is_part || (is_rank(leaf.expression) && !space.extents().empty());
    const bool is_sum = leaf.expression.op() == Op::add || leaf.expression.op() == Op::subtract;
    const auto ranks = static_cast<std::int64_t>(space.ranks());
    const std::int64_t of = is_sum ? 2 : by_ranks ? ranks : 0;
    if (const auto predicate = predicate_of(leaf.expression, in, out, of))
      cheapest.offer(*predicate);
  };
  for (const Leaf& leaf : space.plain()) offer_leaf(leaf);
  for (const Leaf& leaf : space.derived()) offer_leaf(leaf);
  std::vector<const Leaf*> leaves;
  for (const Leaf& leaf : space.plain()) {
    // Coordinates tell all that the rank does.
    if (!is_rank(leaf.expression) || space.extents().empty()) leaves.push_back(&leaf);
  }
  const Wanted wanted{some, rest, all};
  offer_product(leaves, wanted, cheapest);
  if (space.extents().empty()) {
    // A remainder and the quotient by the same number are as good as coordinates.
    const std::vector<Leaf>& derived = space.derived();
    for (std::size_t i = 0; i + 1 < derived.size(); i += 2) {
      const std::array<const Leaf*, 2> pair = {&derived[i], &derived[i + 1]};
      offer_product(pair, wanted, cheapest);
    }
  }
  const Bits set = bits_of_set(some);
  if (!cheapest.get()) return {std::nullopt, set};
  const Bits bits = bits_of(*cheapest.get());
  if (bits > set + kPreference) return {std::nullopt, set};
  // It has the cost of the comparison of ranks that it replaces.
  const auto border =
      space.extents().empty() ? std::nullopt : along_border(leaves, *cheapest.get(), wanted);
  return {expr::simplify(border ? *border : *cheapest.get()), bits};
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
