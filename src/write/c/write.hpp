// A trace as a program in C that makes the same calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "program/program.hpp"
#include "trace/program.hpp"
#include "write/times/detail.hpp"

namespace reprise::write::c {

// The file that programs include, which stands beside them: the same for all.
inline constexpr std::string_view kRuntimeFile = "reprise_benchmark.h";
std::string runtime();

// Where a program has its runtime part and its long tables: in files beside it, or within it.
enum class Parts : std::uint8_t { beside, within };

struct Source {
  std::string program;  // one source file for mpicc
  std::string tables;   // what its file of tables has; empty: it needs none
};

struct Options {
  Parts parts = Parts::beside;
  // Of the file of tables, which the program looks for beside itself.
  std::string tables_name = "benchmark.tables";
  std::vector<std::string> remarks = {};  // lines of a comment
  times::Detail times = times::Detail::full;
};

// `trace_name`: of the trace's file, for a comment. An error says which call cannot be written, and
// why. Its length follows the nodes of the trace and what no expression explains.
Result<Source> write(const trace::Trace& trace, const std::string& trace_name,
                     const Options& options);
// The same of an explained program. Of one of any number of ranks: a program that runs on all that
// its domain has.
Result<Source> write(const program::Program& program, const std::string& trace_name,
                     const Options& options);

}  // namespace reprise::write::c
