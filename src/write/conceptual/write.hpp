// A trace as a coNCePTuaL program.
#pragma once

#include <string>

#include "base/result.hpp"
#include "trace/program.hpp"
#include "write/conceptual/substitutes.hpp"

namespace reprise::write::conceptual {

// Fails for what the language cannot say, and why. `trace_name`: for the comment at the top.
// REQUIRES: one thread a rank, collectives are aligned, wildcards resolved.
Result<std::string> write(const trace::Trace& trace, const std::string& trace_name,
                          Substitutes substitutes);

}  // namespace reprise::write::conceptual
