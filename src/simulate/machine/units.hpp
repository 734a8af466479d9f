// Numbers with units, as people write them in machine files and on command lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulate/machine/machine.hpp"

namespace reprise::simulate {

// "2us", "1.5 ms", "800 ns", "0": a number and s, ms, us, ns or ps. Nothing: it is not a duration,
// has no unit although it is not 0, or is longer than 10^6 s.
std::optional<Picoseconds> parse_duration(const std::string& text);

// "10GB/s", "25 Gb/s", "100MiB/s", "unlimited", as the time that a byte takes [ps]. Nothing: it is
// not a bandwidth, or has no unit. Zero and negative bandwidths yield infinity, which no machine
// may have.
std::optional<double> parse_bandwidth(const std::string& text);

// "64KiB", "4096", "1MB" [bytes].
std::optional<std::int64_t> parse_size(const std::string& text);

// "2": more than 0, without a unit.
std::optional<double> parse_ratio(const std::string& text);

}  // namespace reprise::simulate
