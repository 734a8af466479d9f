// Where the calls of a generated program come from, and how many there are: the tables behind its
// report and its options.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generate/c_source.hpp"
#include "trace/program.hpp"

namespace reprise::generate {

// The function, file and line of a call.
std::string place_of(const trace::Trace& trace, std::uint32_t call);

// The tables of the places of calls, and of functions with what the trace has of each. `calls` are
// by site, those of a function next to each other.
std::string place_tables(const trace::Trace& trace, const std::vector<std::uint32_t>& calls,
                         const std::vector<trace::FunctionId>& functions, Source& source);

}  // namespace reprise::generate
