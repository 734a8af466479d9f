#include "extrapolate/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "fit/families.hpp"
#include "trace/special.hpp"

namespace reprise::extrapolate {
namespace {

constexpr double kAllowance = 8;  // [bits]: two nodes
constexpr double kSpecial = 6;    // [bits]: there are 63 of them

// A number whose size is not known (Elias gamma code, with a sign), or one of the special values.
double bits_of(std::int64_t value) {
  if (trace::is_special(value)) return kSpecial;
  return 2 * std::floor(std::log2(std::abs(static_cast<double>(value)) + 1)) + 2;
}

// Where consecutive ranks have one value it counts once: which, and where the next begins.
double bits_of_stretches(const infer::Samples& samples, double values) {
  double bits = 0;
  for (const infer::WorldSamples& w : samples.worlds) {
    std::vector<infer::Sample> sorted = w.samples;
    std::ranges::sort(sorted, {}, &infer::Sample::rank);
    double stretches = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      stretches += i == 0 || sorted[i].value != sorted[i - 1].value ? 1 : 0;
    }
    bits += stretches * (std::log2(values) + std::log2(static_cast<double>(sorted.size()) + 1));
  }
  return bits;
}

}  // namespace

double bits_of_values(const infer::Samples& samples) {
  std::map<std::int64_t, double> counts;
  double all = 0;
  for (const infer::WorldSamples& w : samples.worlds) {
    for (const infer::Sample& s : w.samples) {
      ++counts[s.value];
      ++all;
    }
  }
  double values = 0, which = 0;
  for (const auto& [value, count] : counts) {
    values += bits_of(value);
    which -= count * std::log2(count / all);
  }
  if (samples.parameters.empty()) {
    which = std::min(which, bits_of_stretches(samples, static_cast<double>(counts.size())));
  }
  return values + which;
}

bool is_evidence(const infer::Samples& samples, const expr::Expr& law) {
  return fit::cost_of(law) <= bits_of_values(samples) + kAllowance;
}

}  // namespace reprise::extrapolate
