// A scalable trace as an explained program.
#pragma once

#include "program/program.hpp"
#include "scalable/scalable_trace.hpp"

namespace reprise::scalable {

// On each number of ranks, and for each size, that the domain has, the program makes the calls of
// the trace that is instantiated there. REQUIRES: the scalable trace outlives the program. Cost:
// items x laws, some of which are tried on a few thousand ranks.
program::Program explain(const ScalableTrace& scalable);

}  // namespace reprise::scalable
