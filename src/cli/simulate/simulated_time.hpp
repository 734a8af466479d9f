// Simulated times and their shares, as people read them.
#pragma once

#include <string>

#include "simulate/machine/machine.hpp"
#include "trace/program.hpp"

namespace reprise::cli {

// "1.50 us"; a negative time has a sign.
std::string time_text(simulate::Picoseconds time);
// What a change saves: the time, or "none" if the run gets longer.
std::string saving_text(simulate::Picoseconds saved);
// "; the recorded run took 1.50 s"; empty where that is not known.
std::string beside_recorded(const trace::Trace& trace);
// "12.5 %"; "-" if there is no whole.
std::string percent_of(simulate::Picoseconds part, simulate::Picoseconds whole);

}  // namespace reprise::cli
