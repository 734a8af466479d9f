// What a fuzzer of readers starts from.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/program.hpp"

namespace reprise {

// The body of the part that one stream of a trace would have left, had its run ended early.
std::vector<std::uint8_t> part_of(const trace::Trace& trace, std::uint64_t stream);

}  // namespace reprise
