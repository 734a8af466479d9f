#include "fit/terms.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/hash.hpp"
#include "expr/program.hpp"

namespace reprise::fit {
namespace {

using expr::Expr;
using expr::Op;

// Sums of two values fit into 64 bits.
constexpr std::int64_t kLargest = std::int64_t{1} << 61;

class Collector {
 public:
  explicit Collector(const ExactSamples& samples) : samples_(samples) {
    for (const std::string& name : samples.variables) variables_.push_back(Expr::variable(name));
  }

  std::vector<Term> collect() {
    singles();
    pairs();
    triples();
    shares();
    std::stable_sort(terms_.begin(), terms_.end(), [](const Term& a, const Term& b) {
      return a.expression.nodes() < b.expression.nodes();
    });
    return std::move(terms_);
  }

 private:
  void singles() {
    for (const Expr& v : variables_) add(v);
    for (const Expr& v : variables_) {
      const Expr log = Expr::make(Op::log2, v);
      const Expr is_power = equal(power_of_two(log), v);
      add(log, is_power);
      for (const Expr& root : {Expr::make(Op::sqrt, v), Expr::make(Op::cbrt, v)}) {
        const bool square = root.op() == Op::sqrt;
        if (holds(equal(square ? root * root : root * root * root, v))) add(root);
      }
      add(v * v);
      add(v / Expr(2), equal(v % Expr(2), Expr(0)));
      if (may_be_exponent(v)) add(power_of_two(v));
      add(v * v * v);
      add((v + Expr(1)) / Expr(2), equal(v % Expr(2), Expr(1)));
      if (holds(is_power)) add(v * log);
      add(power_of_two(log), is_power);
      add(Expr::make(Op::log2, Expr(2) * v - Expr(1)), is_power);  // rounded up
    }
  }

  void pairs() {
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        add(variables_[k] * variables_[i]);
        add(Expr::make(Op::minimum, variables_[k], variables_[i]));
        add(Expr::make(Op::maximum, variables_[k], variables_[i]));
      }
    }
    for (const Expr& v : variables_) {
      for (const Expr& w : variables_) {
        if (v == w) continue;
        const Expr log = Expr::make(Op::log2, v / w);
        const Expr root = Expr::make(Op::sqrt, w);
        add(v / w);
        add((v + w - Expr(1)) / w);
        add(v % w, Expr(0));
        if (holds(equal(root * root, w))) add(v / root);
        add(v * v / w);
        add(v / (w * w));
        add(log, equal(power_of_two(log) * w, v));
      }
    }
  }

  void triples() {
    const std::size_t n = variables_.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = i + 1; k < n; ++k) {
        for (std::size_t m = 0; m < n; ++m) {
          if (m > k) add(variables_[i] * variables_[k] * variables_[m]);
          if (m != i && m != k) {
            add(variables_[m] / (variables_[i] * variables_[k]));
            // The area of a local block, and its faces.
            add(variables_[m] / variables_[i] * (variables_[m] / variables_[k]));
          }
        }
      }
    }
  }

  void shares() {
    for (const Share& s : find_shares(samples_.variables)) {
      for (std::size_t n = 0; n < variables_.size(); ++n) {
        if (n == s.part || n == s.parts) continue;
        for (const Blocks kind : kBlocks) {
          add(block_size(kind, variables_[n], variables_[s.part], variables_[s.parts]));
        }
      }
    }
  }

  // Nothing in a program has 2 ^ ranks elements or trips: that of few ranks fits by chance.
  static bool may_be_exponent(const Expr& v) {
    return v.name() != expr::kRank && v.name() != expr::kRanks && v.name()[0] != 'd' &&
           v.name()[0] != 'x';
  }

  static Expr equal(const Expr& a, const Expr& b) { return Expr::make(Op::equal, a, b); }
  static Expr power_of_two(const Expr& e) { return Expr::make(Op::shift_left, Expr(1), e); }

  // The values at all samples and targets; nothing if there is none somewhere.
  std::optional<std::vector<std::int64_t>> values_of(const Expr& e) const {
    const auto program = *expr::Program::compile(e, samples_.variables);
    std::vector<std::int64_t> out;
    for (const auto* points : {&samples_.points, &samples_.targets}) {
      for (const auto& point : *points) {
        const auto v = program.run(point);
        if (!v || *v > kLargest || *v < -kLargest) return std::nullopt;
        out.push_back(*v);
      }
    }
    return out;
  }

  // Whether a condition is met at all samples and targets.
  bool holds(const Expr& condition) const {
    const auto values = values_of(condition);
    return values && std::find(values->begin(), values->end(), 0) == values->end();
  }

  // Where `exact` does not hold everywhere, the term is rough.
  void add(const Expr& e, const Expr& exact = Expr(1)) {
    const auto values = values_of(e);
    if (!values) return;
    const auto targets = values->begin() + static_cast<std::ptrdiff_t>(samples_.points.size());
    const bool varies =
        std::any_of(values->begin(), targets, [&](std::int64_t v) { return v != values->front(); });
    const std::uint64_t hash = hash_bytes(values->data(), values->size() * sizeof(std::int64_t));
    if (!varies || !seen_.insert(hash).second) return;
    terms_.push_back({e, {values->begin(), targets}, {targets, values->end()}, !holds(exact)});
  }

  const ExactSamples& samples_;
  std::vector<Expr> variables_;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<Term> terms_;
};

}  // namespace

std::vector<Term> make_terms(const ExactSamples& samples) { return Collector(samples).collect(); }

std::vector<Share> find_shares(std::span<const std::string> variables) {
  std::vector<Share> out;
  const auto index = [&](std::string_view name) {
    return static_cast<std::size_t>(std::find(variables.begin(), variables.end(), name) -
                                    variables.begin());
  };
  const auto add = [&](std::size_t part, std::size_t parts) {
    if (part < variables.size() && parts < variables.size()) out.push_back({part, parts});
  };
  add(index(expr::kRank), index(expr::kRanks));
  for (std::size_t i = 0; i < expr::kMaxDimensions; ++i) {
    add(index(expr::coordinate_name(i)), index(expr::extent_name(i)));
  }
  return out;
}

Expr block_size(Blocks kind, const Expr& n, const Expr& x, const Expr& p) {
  switch (kind) {
    case Blocks::remainder_first: return n / p + Expr::make(Op::less, x, n % p);
    case Blocks::even_bounds: return n * (x + Expr(1)) / p - n * x / p;
    case Blocks::ceiling: {
      const Expr block = (n + p - Expr(1)) / p;
      return Expr::make(Op::minimum, block, Expr::make(Op::maximum, n - x * block, Expr(0)));
    }
  }
  return 0;
}

std::int64_t block_size(Blocks kind, std::int64_t n, PartOf part) {
  const std::int64_t x = part.index, p = part.count;
  switch (kind) {
    case Blocks::remainder_first: return n / p + (x < n % p ? 1 : 0);
    case Blocks::even_bounds: return n * (x + 1) / p - n * x / p;
    case Blocks::ceiling: {
      const std::int64_t block = (n + p - 1) / p;
      return std::min(block, std::max<std::int64_t>(n - x * block, 0));
    }
  }
  return 0;
}

}  // namespace reprise::fit
