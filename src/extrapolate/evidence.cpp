#include "extrapolate/evidence.hpp"

#include <cmath>
#include <map>

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
  double bits = 0;
  for (const auto& [value, count] : counts) bits += bits_of(value) - count * std::log2(count / all);
  return bits;
}

bool is_evidence(const infer::Samples& samples, const expr::Expr& law) {
  return fit::cost_of(law) <= bits_of_values(samples) + kAllowance;
}

}  // namespace reprise::extrapolate
