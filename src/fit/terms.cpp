#include "fit/terms.hpp"

#include <algorithm>
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
      for (const Op op : {Op::log2, Op::sqrt, Op::cbrt}) add(Expr::make(op, v));
      add(v * v);
      add(v / Expr(2));
      add(Expr::make(Op::shift_left, Expr(1), v));
      add(v * v * v);
      add((v + Expr(1)) / Expr(2));
      add(v * Expr::make(Op::log2, v));
      add(Expr::make(Op::log2, Expr(2) * v - Expr(1)));  // rounded up
      add(Expr::make(Op::shift_left, Expr(1), Expr::make(Op::log2, v)));
    }
  }

  void pairs() {
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) add(variables_[k] * variables_[i]);
    }
    for (const Expr& v : variables_) {
      for (const Expr& w : variables_) {
        if (v == w) continue;
        add(v / w);
        add((v + w - Expr(1)) / w);
        add(v % w);
        add(v / Expr::make(Op::sqrt, w));
        add(v * v / w);
        add(v / (w * w));
        add(Expr::make(Op::log2, v / w));
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

  void add(const Expr& e) {
    const auto program = *expr::Program::compile(e, samples_.variables);
    Term term{e, {}, {}};
    std::uint64_t hash = 0;
    const auto evaluate = [&](const auto& points, std::vector<std::int64_t>& out) {
      for (const auto& point : points) {
        const auto v = program.run(point);
        if (!v || *v > kLargest || *v < -kLargest) return false;
        out.push_back(*v);
        hash = combine(hash, static_cast<std::uint64_t>(*v));
      }
      return true;
    };
    if (!evaluate(samples_.points, term.at_samples) ||
        !evaluate(samples_.targets, term.at_targets)) {
      return;
    }
    const auto& at = term.at_samples;
    const bool varies =
        std::any_of(at.begin(), at.end(), [&](std::int64_t v) { return v != at[0]; });
    if (varies && seen_.insert(hash).second) terms_.push_back(std::move(term));
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

std::int64_t block_size(Blocks kind, std::int64_t n, std::int64_t x, std::int64_t p) {
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
