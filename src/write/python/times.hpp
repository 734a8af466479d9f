// What a program computes before each call, in a table: means by the call before and by classes of
// ranks.
#pragma once

#include "trace/program.hpp"
#include "write/python/syntax.hpp"

namespace reprise::write::python {

// The table COMPUTE of a program: by site, the time before the call [ns]. `sites`: the calls of the
// trace by site.
Statement compute_table(const trace::Trace& trace, const std::vector<std::uint32_t>& sites);

}  // namespace reprise::write::python
