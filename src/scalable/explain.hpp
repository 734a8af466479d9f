// A scalable trace as an explained program.
#pragma once

#include "program/program.hpp"
#include "scalable/scalable_trace.hpp"

namespace reprise::scalable {

// Whether a program has functions; else what they do stands wherever they are called.
enum class Functions : bool { left_out, told };

// On each number of ranks, and for each size, that the domain has, the program makes the calls of
// the trace that is instantiated there. REQUIRES: the scalable trace outlives the program. Cost:
// items x laws, some of which are tried on a few thousand ranks.
program::Program explain(const ScalableTrace& scalable, Functions functions = Functions::told);

}  // namespace reprise::scalable
