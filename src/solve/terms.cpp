#include "solve/terms.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/hash.hpp"
#include "expr/cost.hpp"
#include "solve/exact.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::uint32_t kOfAxis = 8;  // [bits]: an axis, and which of a few things of it
constexpr std::uint32_t kOfLevel =
    12;                              // [bits]: a place, a loop, and which of a few things of both
constexpr std::uint32_t kNext = 8;   // [bits]: what programs ask for most
constexpr std::uint32_t kMixed = 6;  // [bits]: an area and a length
constexpr std::uint32_t kPair = 15;  // [bits]
constexpr std::uint32_t kRepeatedCondition =
    10;                                   // [bits]: a condition that the program has elsewhere
constexpr std::uint32_t kLowestBit = 14;  // [bits]
constexpr std::uint32_t kHalf = 4;        // [bits]: rounded, which a whole number is not
constexpr std::uint32_t kRounded = 10;    // [bits]: halving what is not divisible
constexpr std::uint32_t kWithHalo = 18;   // [bits]
constexpr std::uint32_t kSkewed = 20;     // [bits]: two axes of different lengths
constexpr std::uint32_t kRing = 10;       // [bits]: a ring, and which way round it
constexpr std::uint32_t kRingNext = 12;   // [bits]: and the place before or after
constexpr std::uint32_t kDealtOut = 12;   // [bits]: an axis, and a loop
constexpr std::uint32_t kTree = 14;       // [bits]
constexpr std::size_t kMostMoving = 4;    // leaves: 80 sums, and neighbors of these

class Collector {
 public:
  explicit Collector(const Table& table) : table_(table) {}

  std::vector<Term> run() {
    for (std::size_t l = 0; l < table_.leaves().size(); ++l) {
      const Expr leaf = Expr::variable(table_.leaves()[l].name);
      if (add(leaf)) leaves_.push_back(l);
    }
    mirrored();
    for (const std::size_t l : leaves_) of_one(l);
    for (const std::size_t l : leaves_) {
      for (const std::size_t m : leaves_) {
        if (l != m) of_two(l, m);
      }
    }
    oblong();
    rotated();
    cyclic();
    tree();
    return take();
  }

  // `cost`: other than that of writing it down [bits]. False for what is no other than a term
  // before.
  bool add(const Expr& e, std::optional<std::uint32_t> cost = {}) {
    auto values = table_.evaluate(e);
    if (!values) return false;
    const bool is_same =
        std::ranges::all_of(*values, [&](std::int64_t v) { return v == values->front(); });
    std::uint64_t hash = hash_bytes(values->data(), values->size() * sizeof(std::int64_t));
    // What differs where the law is wanted is not the same, though it is on all samples.
    for (const auto& v : table_.at_targets(e)) {
      hash = combine(hash, v ? 1 : 0);
      hash = combine(hash, static_cast<std::uint64_t>(v.value_or(0)));
    }
    if (is_same || !seen_.insert(hash).second) return false;
    Leaves leaves = 0;
    const auto used = free_variables(e);
    for (std::size_t l = 0; l < table_.leaves().size(); ++l) {
      if (!is_of_run(l) && used.contains(table_.leaves()[l].name)) leaves |= table_.parts_of(l);
    }
    terms_.push_back({e, std::move(*values), leaves, cost.value_or(expr::cost_of(e))});
    return true;
  }

  // The shortest first.
  std::vector<Term> take() {
    std::ranges::stable_sort(terms_, {}, &Term::cost);
    return std::move(terms_);
  }

 private:
  Expr variable(std::size_t leaf) const { return Expr::variable(table_.leaves()[leaf].name); }
  bool is(std::size_t leaf, LeafKind kind) const { return table_.leaves()[leaf].kind == kind; }
  bool is_of_run(std::size_t leaf) const { return (table_.varying() & bit(leaf)) == 0; }
  bool is_step(std::size_t leaf) const {
    return is(leaf, LeafKind::index) || is(leaf, LeafKind::element);
  }
  bool is_place(std::size_t leaf) const {
    return is(leaf, LeafKind::rank) || is(leaf, LeafKind::coordinate);
  }

  // Counted from the other end; and whether this is an end.
  void mirrored() {
    for (const Axis& a : table_.axes()) {
      const Expr x = variable(a.coordinate), last = variable(a.extent) - Expr(1);
      const Expr is_after = Expr::make(Op::greater, x, Expr(0));
      const Expr is_before = Expr::make(Op::less, x, last);
      add(last - x, kOfAxis);
      add(is_after, kOfAxis);
      add(is_before, kOfAxis);
      if (!is_place(a.coordinate)) continue;
      add(is_after + is_before, kOfAxis);                // neighbors along it
      add(is_after + is_before + Expr(1), kOfAxis + 2);  // and the place itself
      halves(x, variable(a.extent));
    }
  }

  // Which half of an axis, and where in it; its bits in reverse order.
  void halves(const Expr& x, const Expr& d) {
    const Expr half = d / Expr(2);
    add(x / half);
    add(x % half);
    add(Expr::make(Op::reverse, x, d));
    add(Expr::make(Op::ctz, x + d));  // how often 2 divides it, of 0 how often the extent
  }

  void of_one(std::size_t l) {
    const Expr v = variable(l);
    const auto next = is_of_run(l) ? std::nullopt : std::optional(kNext);
    add(v + Expr(1), next);
    add(v - Expr(1), next);
    add(v / Expr(2), expr::cost_of(v / Expr(2)) + kHalf);
    add(v % Expr(2));
    if (is_place(l)) {
      add(Expr::make(Op::bit_xor, v, Expr(1)), kPair);
      add(Expr::make(Op::bit_and, v, Expr::make(Op::negate, v)), kLowestBit);
      add(Expr::make(Op::bit_and, v, v - Expr(1)), kLowestBit);  // without its lowest bit
    }
    add(v * v);
    if (is_of_run(l)) {
      add(v - Expr(2));
      const Expr log = Expr::make(Op::log2, v), root = Expr::make(Op::sqrt, v);
      const bool is_power = same(Expr::make(Op::shift_left, Expr(1), log), v);
      add(log, expr::cost_of(log) + (is_power ? 0 : kHalf));
      add(Expr::make(Op::log2, v - Expr(1)) + Expr(1), expr::cost_of(log) + kHalf);  // rounded up
      if (is_power) add(v * log);
      if (same(root * root, v)) add(root);
      add(v * (v - Expr(1)) / Expr(2));  // pairs
    }
    if (is_step(l)) {
      // Whose iteration it is, if ranks take one each.
      for (const std::size_t m : leaves_) {
        if (is(m, LeafKind::ranks) || is(m, LeafKind::extent)) add(v % variable(m));
      }
      // A size that doubles, or halves, with each iteration.
      add(Expr::make(Op::shift_left, Expr(1), v));
      for (const std::int64_t period : {3, 4}) add(v % Expr(period));
      for (const std::size_t m : leaves_) {
        if (!is_of_run(m)) continue;
        const Expr n = variable(m);
        halved(n, v);
        for (const Axis& a : table_.axes()) {
          if (a.coordinate != l || a.extent == m) continue;
          halved(n, variable(a.extent) - Expr(1) - v);
        }
      }
    }
  }

  // n / 2^times. Programs mostly halve multiples of 2^times, so that other quotients cost more.
  void halved(const Expr& n, const Expr& times) {
    const Expr e = Expr::make(Op::shift_right, n, times);
    const bool is_whole = same(Expr::make(Op::shift_left, e, times), n);
    add(e, expr::cost_of(e) + (is_whole ? 0 : kRounded));
  }

  void of_two(std::size_t l, std::size_t m) {
    const Expr a = variable(l), b = variable(m);
    if (l < m) {
      add(a * b);
      const bool is_mixed =
          is(l, LeafKind::ranks) != is(m, LeafKind::ranks) && is_of_run(l) && is_of_run(m);
      add(a + b, expr::cost_of(a + b) + (is_mixed ? kMixed : 0));
      if (is_of_run(l) && is_of_run(m)) {
        add(Expr::make(Op::maximum, a, b));
        add(Expr::make(Op::minimum, a, b));
        add((a - Expr(1)) * (b - Expr(1)));
      }
    }
    add(a - b);
    if (is_of_run(m) || !is_of_run(l)) add(a / b);
    if (is(l, LeafKind::declared) && is_of_run(m)) divided(a, b);
    if (is_place(l) && is_step(m)) of_level(a, b);
  }

  // What one of d gets of n things: a halo with it, rounded up, what is left over.
  void divided(const Expr& n, const Expr& d) {
    add(n / d + Expr(1), kWithHalo);
    add(n / d + Expr(2), kWithHalo);
    add((n + d - Expr(1)) / d);
    add(n % d);
  }

  // Blocks of places that double with each iteration: which of them, the place in it, and
  // which of two.
  void of_level(const Expr& place, const Expr& step) {
    for (const std::int64_t first : {1, 2}) {
      const Expr size = Expr::make(Op::shift_left, Expr(first), step);
      add(place / size, kOfLevel);
      add(place % size, kOfLevel);
      if (first == 1) add(place / size % Expr(2), kOfLevel);
    }
  }

  // On a grid that is longer along one axis, as many places of it as make the other axis' length:
  // which of these blocks, and where in it.
  void oblong() {
    for (const Axis& axis : table_.axes()) {
      if (!is(axis.extent, LeafKind::extent)) continue;
      for (const Axis& other : table_.axes()) {
        if (!is(other.extent, LeafKind::extent) || other.extent == axis.extent) continue;
        const Expr size = variable(axis.extent) / variable(other.extent);
        const auto sizes = table_.evaluate(size);
        if (!sizes || std::ranges::any_of(*sizes, [](std::int64_t w) { return w < 1; })) continue;
        add(variable(axis.coordinate) / size);
        add(variable(axis.coordinate) % size);
      }
    }
  }

  // Coordinates that move with a loop, and with each other: sums of some of them, added or taken
  // off, round the extent of an axis.
  void rotated() {
    std::vector<std::size_t> moving;
    for (const std::size_t l : leaves_) {
      if (is(l, LeafKind::coordinate) || is_step(l)) moving.push_back(l);
    }
    if (moving.size() > kMostMoving) return;
    const bool is_square = are_extents_equal();
    for (const Axis& axis : table_.axes()) {
      if (!is(axis.extent, LeafKind::extent)) continue;
      std::size_t combinations = 1;
      for (std::size_t k = 0; k < moving.size(); ++k) combinations *= 3;
      for (std::size_t c = 1; c < combinations; ++c) rotate(moving, c, axis, is_square);
    }
    for (const Axis& axis : table_.axes()) {
      if (!is(axis.extent, LeafKind::ranks)) continue;
      for (const std::size_t l : leaves_) {
        if (!is_step(l)) continue;
        const Expr place = variable(axis.coordinate), step = variable(l), n = variable(axis.extent);
        for (const std::int64_t shift : {0, 1, -1}) {
          const std::uint32_t cost = shift == 0 ? kRing : kRingNext;
          add(with_constant(place + step, shift) % n, cost);
          add(with_constant(place - step, shift) % n, cost);
          add(with_constant(step - place, shift) % n, cost);
        }
      }
    }
  }

  // Things that are dealt out one by one along an axis: how many of those before this iteration a
  // coordinate has. (Block-cyclic matrices; numroc of ScaLAPACK.)
  void cyclic() {
    for (const Axis& axis : table_.axes()) {
      if (!is_of_run(axis.extent) || !is_place(axis.coordinate)) continue;
      const Expr x = variable(axis.coordinate), d = variable(axis.extent);
      for (const std::size_t l : leaves_) {
        if (is_step(l)) add((variable(l) + d - Expr(1) - x) / d, kDealtOut);
      }
    }
  }

  // The number of children of a rank in a binomial tree with root 0: of the ranks that differ from
  // it in one of the zero bits below its lowest set bit, as far as there are such ranks. The binary
  // logarithm of n, rounded up, is log2(2 n - 1).
  void tree() {
    for (const Axis& axis : table_.axes()) {
      if (!is(axis.coordinate, LeafKind::rank)) continue;
      const Expr rank = variable(axis.coordinate), ranks = variable(axis.extent);
      const auto rounded_up = [](const Expr& n) {
        return Expr::make(Op::log2, Expr(2) * n - Expr(1));
      };
      const Expr children = Expr::conditional(
          Expr::make(Op::greater, rank, Expr(0)),
          Expr::make(Op::minimum, Expr::make(Op::ctz, rank), rounded_up(ranks - rank)),
          rounded_up(ranks));
      add(children, kTree);
    }
  }

  // The k-th digit of `combination` to the base 3 says whether the k-th leaf is left out, added or
  // taken off.
  void rotate(const std::vector<std::size_t>& moving, std::size_t combination, const Axis& axis,
              bool is_square) {
    const Expr extent = variable(axis.extent);
    std::optional<Expr> sum;
    std::vector<std::size_t> taken_off;
    std::size_t n = 0;
    bool is_skewed = false, has_own = false;
    for (const std::size_t l : moving) {
      const std::size_t digit = combination % 3;
      combination /= 3;
      n += digit != 0 ? 1 : 0;
      has_own = has_own || (digit != 0 && l == axis.coordinate);
      // Where axes differ in length, another axis' coordinate goes round this one with it alone.
      const bool is_other = is(l, LeafKind::coordinate) && l != axis.coordinate;
      is_skewed = is_skewed || (digit != 0 && is_other && !is_square);
      if (digit == 1) sum = sum ? *sum + variable(l) : variable(l);
      if (digit == 2) taken_off.push_back(l);
    }
    for (const std::size_t l : taken_off) {
      sum = sum ? *sum - variable(l) : Expr::make(Op::negate, variable(l));
    }
    if (is_skewed) {
      if (n == 2 && has_own) add(*sum % extent, kSkewed);
      return;
    }
    for (const std::int64_t shift : {0, 1, -1, 2, -2}) {
      if (n > 1 || shift != 0) add(with_constant(*sum, shift) % extent);
    }
  }

  bool are_extents_equal() const {
    const Column* first = nullptr;
    for (const Axis& a : table_.axes()) {
      if (!is(a.extent, LeafKind::extent)) continue;
      if (first != nullptr && table_.leaf(a.extent) != *first) return false;
      first = &table_.leaf(a.extent);
    }
    return true;
  }

  bool same(const Expr& a, const Expr& b) const {
    const auto x = table_.evaluate(a);
    return x && x == table_.evaluate(b);
  }

  const Table& table_;
  std::vector<std::size_t> leaves_;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<Term> terms_;
};

}  // namespace

Terms::Terms(const Table& table, const Vocabulary& vocabulary) : all_(Collector(table).run()) {
  std::ranges::copy_if(all_, std::back_inserter(of_runs_),
                       [](const Term& t) { return t.leaves == 0; });
  Collector conditions(table);
  for (const Expr& e : vocabulary.conditions) conditions.add(e, kRepeatedCondition);
  conditions_ = conditions.take();
}

}  // namespace reprise::solve
