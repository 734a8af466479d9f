// A trace as a program in C that makes the same calls.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "trace/program.hpp"

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

}  // namespace reprise::write::c
