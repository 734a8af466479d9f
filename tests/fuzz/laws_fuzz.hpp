// The part of the fuzz target that is about scalable traces.
#pragma once

#include "trace/program.hpp"

namespace reprise {

void look_at_laws(const trace::Trace& trace);

}  // namespace reprise
