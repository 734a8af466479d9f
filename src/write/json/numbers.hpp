// Numbers, series and expressions as JSON (docs/show_json.md).
#pragma once

#include <nlohmann/json.hpp>

#include "expr/expr.hpp"
#include "fit/curves.hpp"
#include "trace/calls/functions.hpp"
#include "trace/series/series.hpp"

namespace reprise::write {

// Special values, datatypes, operations and constants of enumerations by name, other numbers as
// numbers.
nlohmann::ordered_json number_json(const trace::Column& column, std::int64_t v);

// The first n values, as a list of terms.
nlohmann::ordered_json series_json(const trace::Column& column, const trace::Series& series,
                                   std::uint64_t n);

// Streams or ranks in order, as a list of terms.
nlohmann::ordered_json set_json(const std::vector<std::uint64_t>& numbers);

// A number, the name of a variable, {"constant": name}, or an operator with its operands:
// ["%", ["+", "rank", 1], "ranks"].
nlohmann::ordered_json expression_json(const trace::Column& column, const expr::Expr& e);

// A list of terms: a coefficient, and the factors that it is multiplied by.
nlohmann::ordered_json curve_json(const fit::Curve& curve, const std::vector<std::string>& sizes);

// Of what stands for nothing but a number.
inline constexpr trace::Column kPlainNumber{"", trace::Kind::integer, -1};

}  // namespace reprise::write
