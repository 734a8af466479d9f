// Simulates, exports and models whatever can be read, within bounds.
#pragma once

#include "trace/program.hpp"

namespace reprise {

void simulate_all(const trace::Trace& trace);

}  // namespace reprise
