// Numbers that follow the place where they are asked for: straight lines, conditions, and what goes
// round. What no table has to tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generate/c_values.hpp"

namespace reprise::generate {

// The first n numbers; none if they are too many to be looked at.
std::vector<std::int64_t> first_of(const trace::Series& series, std::uint64_t n);

// The fewest values that go round, all of them at most; 0 where there are none.
std::uint64_t period_of(const std::vector<std::int64_t>& values);

// The same where values that go on behind the last begin anew as one, on all ranks.
std::uint64_t round_of_all(const std::vector<std::int64_t>& values, const Point& point);

// first + step * place; nothing if it is no straight line.
std::optional<std::string> line(const std::vector<std::int64_t>& values, const std::string& place);

// Numbers as an expression of the place: a condition for zeros and ones, a straight line, or one
// within each period of a folded series and a step from one to the next. Empty: none of these.
std::string pattern(const trace::Series& series, std::uint64_t n, Point& point);

// The place in an array of so many of the n values that are seen. Where the point is passed more
// often than the trace has it, the array begins anew.
std::string place_in(std::uint64_t period, std::uint64_t n, Point& point);

}  // namespace reprise::generate
