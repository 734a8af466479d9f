// What a program computes before each call, as rows of data for the runtime part: by the call
// before, by rank, by execution and by distribution, in as much detail as the whole run notices.
#pragma once

#include "trace/program.hpp"
#include "write/c/syntax.hpp"
#include "write/names.hpp"

namespace reprise::write::c {

struct TimeRows {
  Block definitions;  // tables, and the array `computations` unless there are no rows
  std::size_t rows = 0;
  std::size_t overlaps = 0;  // rows of the array `overlaps`
};

// `sites`: the calls of the trace by site.
TimeRows time_rows(const trace::Trace& trace, const std::vector<std::uint32_t>& sites,
                   Names& names);

}  // namespace reprise::write::c
