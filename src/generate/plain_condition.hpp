// Conditions on a number as a person would write them: bounds, every n-th, all but one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trace/series.hpp"

namespace reprise::generate {

// The condition in C on `number`, which is C itself, that tells those apart that are to be in from
// those that are not; nothing if it takes more than two comparisons, or if all are alike.
// REQUIRES: numbers are in order, each once, none is negative.
std::optional<std::string> plain_condition(
    const std::vector<std::pair<std::int64_t, bool>>& samples, const std::string& number);

// The same for the places of the ones in a series of n zeros and ones.
std::optional<std::string> plain_condition(const trace::Series& series, std::uint64_t n,
                                           const std::string& place);

// How far apart the ones of n zeros and ones are, if that is always as far and there are several,
// or a single one of them all: n.
std::optional<std::int64_t> distance_of_ones(const trace::Series& series, std::uint64_t n);

}  // namespace reprise::generate
