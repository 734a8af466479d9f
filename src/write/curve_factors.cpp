#include "write/curve_factors.hpp"

#include <cmath>

namespace reprise::write {
namespace {

constexpr double kSixths = 6;
constexpr double kFemtoseconds = 1e6;  // of a nanosecond

}  // namespace

std::vector<CurveFactors> factors_of(const fit::Curve& curve, const program::Program& program) {
  std::vector<CurveFactors> out;
  for (std::size_t t = 0; t < curve.terms.size(); ++t) {
    CurveFactors term{std::llround(kFemtoseconds * curve.coefficients[t]), {}};
    if (term.femtoseconds == 0) continue;
    for (const fit::Factor& f : curve.terms[t]) {
      term.powers.push_back(
          {f.variable == 0 ? std::string(expr::kRanks) : program.sizes[f.variable - 1],
           std::llround(kSixths * f.exponent), f.logs});
    }
    out.push_back(std::move(term));
  }
  return out;
}

std::vector<CurveFactors> computation_of(const program::Program& program, std::uint32_t call) {
  if (call >= program.computation.size() || !program.computation[call]) return {};
  return factors_of(*program.computation[call], program);
}

}  // namespace reprise::write
