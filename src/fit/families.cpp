#include "fit/families.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

#include "expr/cost.hpp"
#include "expr/simplify.hpp"
#include "fit/linear.hpp"

namespace reprise::fit {
namespace {

using expr::Expr;

constexpr std::int64_t kLargest = std::int64_t{1} << 40;
constexpr std::int64_t kLargestElement = 256;  // [bytes]; a multiple of four, unless it is small
constexpr std::size_t kMostPaired = 48;        // terms
constexpr std::size_t kMostTripled = 16;       // terms
constexpr std::uint32_t kShort = 3;            // nodes
constexpr std::uint32_t kRough = 8;            // what a rounded term costs more [bits]

Expr scaled(std::int64_t by, const Expr& e) { return by == 1 ? e : Expr(by) * e; }

}  // namespace

Families::Families(const ExactSamples& samples) : samples_(samples), values_(samples.values) {
  for (Term& t : make_terms(samples)) (t.rough ? rough_ : terms_).push_back(std::move(t));
  distinct_ = std::set(samples.points.begin(), samples.points.end()).size();
  const auto ranks = std::ranges::find(samples.variables, expr::kRanks);
  if (ranks == samples.variables.end()) {
    runs_ = distinct_;
  } else {
    const auto at = static_cast<std::size_t>(ranks - samples.variables.begin());
    std::set<std::int64_t> runs;
    for (const auto& point : samples.points) runs.insert(point[at]);
    runs_ = runs.size();
  }
  one_ = {Expr(1), std::vector<std::int64_t>(values_.size(), 1),
          std::vector<std::int64_t>(samples.targets.size(), 1)};
  std::int64_t common = 0;
  for (const std::int64_t v : values_) {
    if (v > -kLargest && v < kLargest) common = std::gcd(common, v);
  }
  for (std::int64_t d = kLargestElement; d > 1; --d) {
    if (common != 0 && common % d == 0 && (d <= 8 || d % 4 == 0)) divisors_.push_back(d);
  }
}

std::vector<Candidate> Families::laws(unsigned constants) const {
  switch (constants) {
    case 0: return without_constants();
    case 1: return with_one();
    case 2: return with_two();
    case 3: return with_three();
    default: return with_four();
  }
}

Families::Laws Families::without_constants() const {
  Laws laws;
  for (const auto* terms : {&terms_, &rough_}) {
    for (const Term& t : *terms) {
      if (t.at_samples != values_) continue;
      laws.emplace_back(t.expression);
      if (t.rough) laws.back().cost += kRough;
    }
  }
  return laws;
}

// A combination of terms, and of the constant 1 if wanted, each with a factor that is not 0.
void Families::add_combination(std::vector<const Term*> terms, bool constant, Laws& laws) const {
  if (constant) terms.push_back(&one_);
  std::vector<const std::vector<std::int64_t>*> columns;
  std::vector<Expr> expressions;
  for (const Term* t : terms) {
    columns.push_back(&t->at_samples);
    expressions.push_back(t->expression);
  }
  const bool is_curved = std::ranges::any_of(terms, has_function);
  if (is_curved && terms.size() > 1 && !may_be_curved(terms.size() - 1)) return;
  const auto solution = solve(columns, values_);
  if (!solution || (!is_certain(terms.size()) && solution->denominator > 2)) return;
  if (std::find(solution->numerators.begin(), solution->numerators.end(), 0) !=
      solution->numerators.end()) {
    return;
  }
  // Where one sample alone is left over, factors of their own fit by chance.
  const bool is_mixed = terms.size() > (constant ? 2U : 1U) && !is_certain(terms.size());
  const auto is_other = [&](std::int64_t n) {
    return std::abs(n) != std::abs(solution->numerators[0]);
  };
  if (is_mixed && std::any_of(solution->numerators.begin(),
                              solution->numerators.end() - (constant ? 1 : 0), is_other))
    return;
  for (std::size_t i = 0; i < samples_.targets.size() && solution->denominator > 1; ++i) {
    std::int64_t remainder = 0;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      remainder += solution->numerators[k] % solution->denominator *
                   (terms[k]->at_targets[i] % solution->denominator) % solution->denominator;
    }
    if (remainder % solution->denominator != 0) return;
  }
  laws.emplace_back(combine(*solution, expressions));
  laws.back().is_confirmed = is_confirmed(terms);
}

// Whether the runs but the largest, and those like it, determine the factors of the terms: many
// ranks of few runs say little of what ranks do not differ in.
bool Families::is_confirmed(std::span<const Term* const> terms) const {
  const auto& names = samples_.variables;
  const auto ranks = std::ranges::find(names, expr::kRanks) - names.begin();
  if (ranks == std::ssize(names)) return true;
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool differs = std::ranges::any_of(
        terms, [&](const Term* t) { return free_variables(t->expression).contains(names[i]); });
    if (differs && !varies_within_run(names[i])) used.push_back(i);
  }
  if (used.empty()) return true;
  const auto largest = std::ranges::max_element(
      samples_.points, {}, [&](const auto& p) { return p[static_cast<std::size_t>(ranks)]; });
  std::vector<std::vector<std::int64_t>> columns(terms.size());
  std::vector<std::int64_t> values;
  for (std::size_t s = 0; s < values_.size(); ++s) {
    const bool is_left = std::ranges::any_of(
        used, [&](std::size_t i) { return samples_.points[s][i] != (*largest)[i]; });
    if (!is_left) continue;
    values.push_back(values_[s]);
    for (std::size_t t = 0; t < terms.size(); ++t) columns[t].push_back(terms[t]->at_samples[s]);
  }
  std::vector<const std::vector<std::int64_t>*> places;
  for (const auto& column : columns) places.push_back(&column);
  return values.size() >= terms.size() && solve(places, values);
}

// With many terms and a single sample to spare, some law fits by chance.
bool Families::is_certain(std::size_t constants) const { return distinct_ >= constants + 2; }

// Logarithms and roots of few numbers of ranks are like much else.
bool Families::may_be_curved(std::size_t constants) const { return runs_ >= constants + 3; }

// Two values are those of many a rounded quotient: a threshold somewhere between the samples.
bool Families::tells_roundings() const {
  return std::set(values_.begin(), values_.end()).size() > 2;
}

// The terms of which two or three are combined, where so many constants are to be found.
std::size_t Families::terms_to_combine(std::size_t constants) const {
  if (is_certain(constants)) return terms_.size();
  const auto longer = std::find_if(terms_.begin(), terms_.end(),
                                   [](const Term& t) { return t.expression.nodes() > kShort; });
  return static_cast<std::size_t>(longer - terms_.begin());
}

// t + c and c - t
void Families::add_sums(const Term& term, Laws& laws) const {
  const std::int64_t plus = values_[0] - term.at_samples[0];
  const std::int64_t minus = values_[0] + term.at_samples[0];
  bool is_sum = true;
  bool is_difference = true;
  for (std::size_t i = 1; i < values_.size(); ++i) {
    is_sum &= values_[i] - term.at_samples[i] == plus;
    is_difference &= values_[i] + term.at_samples[i] == minus;
  }
  // One more or less than a logarithm is what programs count; other sums are like much else.
  const bool is_usual = !has_function(&term) || may_be_curved(1);
  if (is_sum && (is_usual || std::abs(plus) == 1)) {
    laws.emplace_back(expr::simplify(term.expression + Expr(plus)));
  }
  if (is_difference && is_usual) laws.emplace_back(expr::simplify(Expr(minus) - term.expression));
}

// t + u, t - u and u - t, of short terms, with or without a constant.
void Families::add_unit_sums(bool constant, Laws& laws) const {
  for (std::size_t i = 0; i < terms_.size() && terms_[i].expression.nodes() <= kShort; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const Term& t = terms_[k];
      const Term& u = terms_[i];
      for (const int signs : {0, 1, 2}) {
        const std::int64_t st = signs == 2 ? -1 : 1;
        const std::int64_t su = signs == 1 ? -1 : 1;
        const auto rest = [&](std::size_t s) {
          return values_[s] - st * t.at_samples[s] - su * u.at_samples[s];
        };
        const std::int64_t c = rest(0);
        bool fits = constant == (c != 0);
        for (std::size_t s = 1; s < values_.size() && fits; ++s) fits = rest(s) == c;
        if (!fits) continue;
        const Expr& first = signs == 2 ? u.expression : t.expression;
        const Expr& second = signs == 2 ? t.expression : u.expression;
        const Expr sum = signs == 0 ? first + second : first - second;
        laws.emplace_back(expr::simplify(sum + Expr(c)));
      }
    }
  }
}

Families::Laws Families::with_one() const {
  Laws laws;
  for (const Term& t : terms_) {
    add_combination({&t}, false, laws);
    add_sums(t, laws);
    add_quotients(t, 1, 1, laws);
    add_divided(t, laws);
  }
  for (const Term& t : rough_) add_sums(t, laws);
  add_unit_sums(false, laws);
  add_scaled_quotients(laws);
  add_blocks(1, laws);
  // The size of an element, which all values have in common, is hardly a constant that was found.
  for (const std::int64_t scale : divisors_) {
    const std::size_t before = laws.size();
    for (const Term& t : terms_) add_quotients(t, scale, 1, laws);
    add_blocks(scale, laws);
    const std::uint32_t free = cost_of(Expr(scale) * Expr(0)) - cost_of(Expr(0));
    for (std::size_t i = before; i < laws.size(); ++i) laws[i].cost -= free;
  }
  return laws;
}

// a * (t + b) * (u + b): what a local block and its halo take.
void Families::add_halos(Laws& laws) const {
  const std::size_t n = std::min(terms_.size(), kMostPaired);
  for (const std::int64_t b : {0, 1, 2, 4, -1, -2}) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k <= i; ++k) {
        std::int64_t a = 0;
        bool fits = true;
        for (std::size_t s = 0; s < values_.size() && fits; ++s) {
          std::int64_t area = 0;
          fits = !__builtin_mul_overflow(terms_[i].at_samples[s] + b, terms_[k].at_samples[s] + b,
                                         &area) &&
                 area != 0 && values_[s] % area == 0 && (a == 0 || values_[s] / area == a);
          if (fits) a = values_[s] / area;
        }
        if (!fits || a == 0) continue;
        laws.emplace_back(expr::simplify(
            scaled(a, (terms_[k].expression + Expr(b)) * (terms_[i].expression + Expr(b)))));
      }
    }
  }
}

// scale * (c / t + b): a local extent and its halo.
void Families::add_shifted_quotients(std::int64_t scale, Laws& laws) const {
  Families without = *this;
  for (const std::int64_t b : {1, 2, 4, 8, -1, -2}) {
    for (std::size_t i = 0; i < values_.size(); ++i) without.values_[i] = values_[i] / scale - b;
    Laws quotients;
    for (const Term& t : terms_) without.add_quotients(t, 1, 2, quotients);
    for (const Candidate& q : quotients) {
      laws.emplace_back(expr::simplify(scaled(scale, q.law + Expr(b))));
    }
  }
}

Families::Laws Families::with_two() const {
  Laws laws;
  for (const Term& t : terms_) add_combination({&t}, true, laws);
  add_shifted_quotients(1, laws);
  for (const std::int64_t scale : divisors_) add_shifted_quotients(scale, laws);
  add_linear_quotients(laws);
  add_unit_sums(true, laws);
  for (std::size_t i = 0; i < terms_to_combine(2); ++i) {
    for (std::size_t k = 0; k < i; ++k) add_combination({&terms_[k], &terms_[i]}, false, laws);
  }
  add_halos(laws);
  return laws;
}

Families::Laws Families::with_three() const {
  Laws laws;
  const std::size_t n = std::min(terms_to_combine(3), kMostPaired);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) add_combination({&terms_[k], &terms_[i]}, true, laws);
  }
  return laws;
}

// c0 + c1 d0 + c2 d0 d1 + c3 d0 d1 d2, and the other products of three extents with what they are
// made of
Families::Laws Families::with_four() const {
  Laws laws;
  std::vector<const Term*> chain;
  Expr product = 1;
  for (std::size_t i = 0; i < expr::kMaxDimensions; ++i) {
    const Expr d = Expr::variable(expr::extent_name(i));
    product = i == 0 ? d : product * d;
    const auto found = std::find_if(terms_.begin(), terms_.end(),
                                    [&](const Term& t) { return t.expression == product; });
    if (found == terms_.end()) break;
    chain.push_back(&*found);
  }
  if (chain.size() == 3) add_combination(chain, true, laws);
  const std::size_t n = std::min(terms_to_combine(4), kMostTripled);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      for (std::size_t m = 0; m < k; ++m) {
        add_combination({&terms_[m], &terms_[k], &terms_[i]}, true, laws);
      }
    }
  }
  return laws;
}

}  // namespace reprise::fit
