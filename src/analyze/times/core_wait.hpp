// Whether the ranks of a run had cores of their own.
#pragma once

#include "trace/program.hpp"

namespace reprise::analyze {

// From this share on a run was not that of a quiet machine.
inline constexpr double kMuchCoreWait = 0.05;

// For how much of the run a rank was ready to run and had no core, in the mean over ranks: 0 to 1;
// 0 if it is not known.
double core_wait_share(const trace::Trace& trace);

}  // namespace reprise::analyze
