#include "fit/scaling_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "fit/least_squares.hpp"

namespace reprise::fit {
namespace {

constexpr std::array<std::string_view, 13> kNames = {
    "1",         "P",         "sqrt(P)",  "cbrt(P)",   "log2(P)",      "P log2(P)",  "1/P",
    "1/sqrt(P)", "1/cbrt(P)", "P^(-2/3)", "log2(P)/P", "ceil(log2 P)", "doubling(P)"};

constexpr double kFar = 16;         // times the largest sample
constexpr double kExact = 1e-18;    // square of an error that is rounding
constexpr double kFurtherTerm = 4;  // by how much another term has to reduce the mean square
constexpr double kLaterStart = 16;  // and leaving the smallest sample out
constexpr double kRival = 4;        // mean square of rivals over the law's
constexpr double kSame = 1e-6;      // share by which curves differ

bool is_power_of_two(double p) { return std::exp2(std::round(std::log2(p))) == p; }

// The constant, then a term each, then with the constant, then two with it.
std::vector<std::vector<ScalingTerm>> shapes_for(std::size_t samples) {
  std::vector<std::vector<ScalingTerm>> out{{ScalingTerm::one}};
  std::vector<ScalingTerm> terms;
  for (std::size_t t = 1; t < kNames.size(); ++t) terms.push_back(static_cast<ScalingTerm>(t));
  for (const ScalingTerm t : terms) out.push_back({t});
  for (const ScalingTerm t : terms) out.push_back({ScalingTerm::one, t});
  constexpr std::size_t kCoefficients = 3;
  if (samples < kCoefficients + 2) return out;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) out.push_back({ScalingTerm::one, terms[k], terms[i]});
  }
  return out;
}

double square(double v) { return v * v; }

std::optional<ScalingLaw> fit_shape(const std::vector<ScalingTerm>& shape,
                                    std::span<const ScalingSample> samples) {
  std::vector<std::vector<double>> columns;
  std::vector<const std::vector<double>*> pointers;
  columns.reserve(shape.size());
  for (const ScalingTerm t : shape) {
    auto& column = columns.emplace_back();
    for (const ScalingSample& s : samples) column.push_back(value_of(t, s.ranks) / s.value);
    pointers.push_back(&column);
  }
  auto solution = solve_relative_signed(pointers, samples.size());
  if (!solution) return std::nullopt;
  ScalingLaw out{shape, std::move(solution->coefficients), 0, samples.front().ranks};
  for (const double e : solution->left_out) out.error += square(e);
  out.error = std::sqrt(out.error / static_cast<double>(samples.size()));
  if (!(out.at(kFar * samples.back().ranks) > 0)) return std::nullopt;
  for (const ScalingSample& s : samples) {
    if (!(out.at(s.ranks) > 0)) return std::nullopt;
  }
  return out;
}

// The law of all these samples, and its rivals.
std::optional<ScalingLawFit> fit_all(std::span<const ScalingSample> samples) {
  std::vector<ScalingLaw> laws;
  for (const auto& shape : shapes_for(samples.size())) {
    if (auto law = fit_shape(shape, samples)) laws.push_back(std::move(*law));
  }
  std::optional<ScalingLaw> best;
  const auto is_worth = [&](const ScalingLaw& law) {
    if (!best) return true;
    const double now = square(law.error) + kExact, before = square(best->error) + kExact;
    return law.terms.size() > best->terms.size() ? kFurtherTerm * now < before : now < before;
  };
  for (const ScalingLaw& law : laws) {
    if (is_worth(law)) best = law;
  }
  if (!best) return std::nullopt;
  ScalingLawFit out{*best, {}};
  // A law that has the same values, since its further term is 0, is no rival.
  const double far = kFar * samples.back().ranks, there = best->at(far);
  for (ScalingLaw& law : laws) {
    const bool is_as_good = square(law.error) <= kRival * square(best->error) + kExact;
    if (is_as_good && std::abs(law.at(far) - there) > kSame * there)
      out.rivals.push_back(std::move(law));
  }
  return out;
}

std::string four_digits(double v) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", v);
  return text.data();
}

}  // namespace

double value_of(ScalingTerm term, double p) {
  switch (term) {
    case ScalingTerm::one: return 1;
    case ScalingTerm::ranks: return p;
    case ScalingTerm::root: return std::sqrt(p);
    case ScalingTerm::cube_root: return std::cbrt(p);
    case ScalingTerm::log: return std::log2(p);
    case ScalingTerm::ranks_log: return p * std::log2(p);
    case ScalingTerm::inverse: return 1 / p;
    case ScalingTerm::inverse_root: return 1 / std::sqrt(p);
    case ScalingTerm::inverse_cube_root: return 1 / std::cbrt(p);
    case ScalingTerm::inverse_two_thirds: return 1 / std::cbrt(p * p);
    case ScalingTerm::log_over_ranks: return std::log2(p) / p;
    case ScalingTerm::tree_steps: return std::ceil(std::log2(p));
    case ScalingTerm::doubling_steps:
      return std::floor(std::log2(p)) + (is_power_of_two(p) ? 0 : 2);
  }
  return 0;
}

std::string_view name_of(ScalingTerm term) { return kNames[static_cast<std::size_t>(term)]; }

std::optional<ScalingTerm> find_scaling_term(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<ScalingTerm>(found - kNames.begin());
}

double ScalingLaw::at(double ranks) const {
  double v = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) v += coefficients[i] * value_of(terms[i], ranks);
  return v;
}

std::string ScalingLaw::describe() const {
  std::string out;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const double c = coefficients[i];
    if (!out.empty()) out += c < 0 ? " - " : " + ";
    out += four_digits(out.empty() ? c : std::abs(c));
    if (terms[i] != ScalingTerm::one) out.append(" ").append(name_of(terms[i]));
  }
  return out;
}

std::optional<ScalingLawFit> fit_scaling_law(std::span<const ScalingSample> samples) {
  // Relative errors are undefined where the value is 0, as on one rank.
  while (!samples.empty() && !(samples.front().value > 0)) samples = samples.subspan(1);
  const bool is_positive =
      std::ranges::all_of(samples, [](const ScalingSample& s) { return s.value > 0; });
  if (samples.size() < kLeastForScalingLaw || !is_positive) return std::nullopt;
  std::optional<ScalingLawFit> best;
  for (; samples.size() >= kLeastForScalingLaw; samples = samples.subspan(1)) {
    auto fit = fit_all(samples);
    if (!fit) continue;
    const bool is_better =
        !best || kLaterStart * (square(fit->law.error) + kExact) < square(best->law.error) + kExact;
    if (is_better) best = std::move(fit);
  }
  return best;
}

}  // namespace reprise::fit
