// The calls of a program by number, and what the trace has of each function, as tables of C.
#pragma once

#include <map>

#include "trace/program.hpp"
#include "write/c/language/syntax.hpp"

namespace reprise::write::c {

struct SiteTables {
  Block definitions;  // the arrays `sites` and `totals`
  std::size_t functions = 0;
};

// `sites`: the calls of the trace by site; `times`: as TimeRows::of_sites has them. `has_totals`:
// it has values, by which calls and bytes are known. Throws Unwritable.
SiteTables site_tables(const trace::Trace& trace, const std::vector<std::uint32_t>& sites,
                       const std::map<std::int64_t, Expression>& times, bool has_totals);

}  // namespace reprise::write::c
