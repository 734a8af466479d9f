#include "extrapolate/laws/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

constexpr double kSpecial = 6;  // [bits]: there are 63 of them

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

}  // namespace reprise::extrapolate
