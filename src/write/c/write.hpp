// A trace as a program in C that makes the same calls.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "program/program.hpp"

namespace reprise::write::c {

// The file that programs include, which stands beside them: the same for all.
inline constexpr std::string_view kRuntimeFile = "reprise_benchmark.h";
std::string runtime();

// Where a program has its runtime part.
enum class Runtime : std::uint8_t { beside, within };

// One source file for mpicc. `trace_name`: of the trace's file, for a comment. An error says which
// call cannot be written, and why. Its length follows the nodes of the trace and what no expression
// explains.
Result<std::string> write(const trace::Trace& trace, const std::string& trace_name,
                          Runtime runtime);

// The same of an explained program; of one of any number of ranks, a program that runs on all that
// its domain has.
Result<std::string> write(const program::Program& program, const std::string& trace_name,
                          Runtime runtime);

}  // namespace reprise::write::c
