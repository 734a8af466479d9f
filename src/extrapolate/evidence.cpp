#include "extrapolate/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "expr/cost.hpp"
#include "infer/evaluator.hpp"
#include "solve/description.hpp"
#include "trace/special.hpp"

namespace reprise::extrapolate {
namespace {

constexpr double kAllowance = 8;  // [bits]: two nodes
constexpr double kClearly = 6;    // [bits]: 1 to 64 that it is no chance
constexpr double kSpecial = 6;    // [bits]: there are 63 of them

// A number whose size is not known (Elias gamma code, with a sign), or one of the special values.
double bits_of(std::int64_t value) {
  if (trace::is_special(value)) return kSpecial;
  return 2 * std::floor(std::log2(std::abs(static_cast<double>(value)) + 1)) + 2;
}

// The different values, once each [bits].
double bits_of_all(const std::map<std::int64_t, double>& counts) {
  double bits = 0;
  for (const auto& [value, count] : counts) bits += bits_of(value);
  return bits;
}

std::map<std::int64_t, double> count(const infer::Samples& samples) {
  std::map<std::int64_t, double> counts;
  for (const infer::WorldSamples& w : samples.worlds) {
    for (const infer::Sample& s : w.samples) ++counts[s.value];
  }
  return counts;
}

// Whether a law has one value on all ranks of a run, and others on other runs.
bool is_of_runs(const expr::Expr& law) {
  const auto used = free_variables(law);
  return !used.empty() && std::ranges::all_of(used, [](const std::string& v) {
    return v == expr::kRanks || (v.size() == 2 && v[0] == 'd');
  });
}

// At least; values that do not exist say nothing.
double bits_of_runs(const infer::Samples& samples, const expr::Expr& law) {
  const std::size_t dimensions = samples.worlds.front().world.extents.size();
  auto evaluator = infer::Evaluator::make(law, dimensions);
  std::vector<std::int64_t> values;
  for (const infer::WorldSamples& w : samples.worlds) {
    const auto value = evaluator ? evaluator->at(0, w.world) : std::nullopt;
    if (value) values.push_back(*value);
  }
  return solve::bits_of_values(values);
}

}  // namespace

double bits_of_values(const infer::Samples& samples) {
  const auto counts = count(samples);
  double all = 0, bits = bits_of_all(counts);
  for (const auto& [value, n] : counts) all += n;
  for (const auto& [value, n] : counts) bits -= n * std::log2(n / all);
  return bits;
}

double bits_of_stretches(const infer::Samples& samples) {
  const auto counts = count(samples);
  const double each = std::log2(static_cast<double>(counts.size()));
  double bits = bits_of_all(counts);
  for (const infer::WorldSamples& w : samples.worlds) {
    std::vector<infer::Sample> sorted = w.samples;
    std::ranges::stable_sort(sorted, {}, &infer::Sample::rank);
    double stretches = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      stretches += i == 0 || sorted[i].value != sorted[i - 1].value ? 1 : 0;
    }
    bits += stretches * (each + std::log2(static_cast<double>(sorted.size()) + 1));
  }
  return bits;
}

bool is_evidence(const infer::Samples& samples, const expr::Expr& law) {
  return expr::cost_of(law) <= bits_of_values(samples) + kAllowance;
}

bool is_shorter(const infer::Samples& samples, const expr::Expr& law) {
  const double bits = std::min(bits_of_values(samples), bits_of_stretches(samples));
  return expr::cost_of(law) <= bits + kAllowance;
}

bool is_clear_of_runs(const infer::Samples& samples, const expr::Expr& law) {
  if (!is_of_runs(law) || samples.worlds.size() < 3) return true;
  return expr::cost_of(law) + kClearly <= bits_of_runs(samples, law);
}

}  // namespace reprise::extrapolate
