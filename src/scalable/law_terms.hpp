// What is the same of all laws for those that write them down.
#pragma once

#include <optional>
#include <vector>

#include "extrapolate/laws/law.hpp"

namespace reprise::scalable {

// The terms of a law that is a series, as laws that may be constants. REQUIRES: neither `indexed`
// nor `distribution`.
std::vector<extrapolate::TermLaw> terms_of(const extrapolate::Law& law);

// Whether terms are one value for ever.
bool is_one_value(const std::vector<extrapolate::TermLaw>& terms);

// The expression that a law is in all executions; null if it is a series, drawn, or
// counted from the depth of a recursion.
std::optional<expr::Expr> expression_of(const extrapolate::Law& law);

// The number that the law is for all ranks, executions and numbers of ranks.
std::optional<std::int64_t> constant_of(const extrapolate::Law& law);

}  // namespace reprise::scalable
