// A trace as a coNCePTuaL program, or a program of any number of ranks.
#pragma once

#include <span>
#include <string>

#include "base/result.hpp"
#include "trace/program.hpp"
#include "write/conceptual/calls/samples.hpp"
#include "write/conceptual/calls/substitutes.hpp"
#include "write/times/detail.hpp"

namespace reprise::write::conceptual {

// Fails for what the language cannot say, and why. `trace_name`: for the comment at the top.
// REQUIRES: one thread a rank, collectives are aligned, wildcards resolved.
Result<std::string> write(const trace::Trace& trace, const std::string& trace_name,
                          Substitutes substitutes, times::Detail detail);

// The same of a program whose number of ranks is open. It asserts that tasks are as many as its
// laws hold for. `samples`: one at least; the last one has the sizes that are taken unless others
// are asked for. Fails by the name of the call. REQUIRES: it has no procedures. Cost: all calls of
// the samples.
Result<std::string> write(const program::Program& program, std::span<const Sample> samples,
                          const std::string& trace_name, Substitutes substitutes);

}  // namespace reprise::write::conceptual
