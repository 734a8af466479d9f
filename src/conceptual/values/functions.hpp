// The functions of the language: of integers, of real numbers, and of places in trees and meshes,
// as its manual (version 1.5, section "Built-in functions") defines them.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>

#include "conceptual/ast.hpp"

namespace reprise::conceptual {

// What functions need besides their arguments.
struct Context {
  std::int64_t num_tasks = 1;
  std::mt19937_64* random = nullptr;  // a task's own; null: there is none
};

// Throws Problem where a call has too few or too many arguments.
void check_arguments(const Expr& call);

// Of integers. Throws Problem where it has no value, or one of more than 63 bits.
std::int64_t call_integer(const Expr& call, std::span<const std::int64_t> arguments,
                          const Context& context);

// The same of real numbers; functions of places take them as integers.
double call_real(const Expr& call, std::span<const double> arguments, const Context& context);

// floor(|x|^(1/n)) and the like. REQUIRES: n > 0, x >= 0.
std::int64_t integer_root(std::int64_t n, std::int64_t x);

// base ** exponent, rounded towards zero; none: it overflows or is not defined.
std::optional<std::int64_t> integer_power(std::int64_t base, std::int64_t exponent);

}  // namespace reprise::conceptual
