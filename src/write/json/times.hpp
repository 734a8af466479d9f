// Durations of calls and of the computation before them as JSON (docs/show_json.md).
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "trace/program.hpp"

namespace reprise::write {

// The bins of a histogram: count, sum, minimum, maximum and standard deviation [ns].
nlohmann::ordered_json bins_json(const std::vector<trace::Bin>& bins);

// The times of each call, in the order of Trace::calls. Cost: linear in what is written.
// REQUIRES: the trace has times.
nlohmann::ordered_json times_json(const trace::Trace& trace);

}  // namespace reprise::write
