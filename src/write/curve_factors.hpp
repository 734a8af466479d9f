// Curves of times as programs calculate them: exponents are multiples of one sixth, coefficients
// whole femtoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/program.hpp"

namespace reprise::write {

// variable^(sixths / 6) * log2(variable)^logs
struct CurvePower {
  std::string variable;  // "ranks", or the name of a size of the problem
  std::int64_t sixths = 0;
  int logs = 0;

  bool operator==(const CurvePower&) const = default;
};

// A term: the product of all.
struct CurveFactors {
  std::int64_t femtoseconds = 0;
  std::vector<CurvePower> powers;

  bool operator==(const CurveFactors&) const = default;
};

// The terms of a curve in nanoseconds, without those that are 0.
std::vector<CurveFactors> factors_of(const fit::Curve& curve, const program::Program& program);

// What is computed before a call; no terms: nothing.
std::vector<CurveFactors> computation_of(const program::Program& program, std::uint32_t call);

}  // namespace reprise::write
