// Where ranks were blocked when a run ended, and who waits for whom, in words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "trace/program.hpp"

namespace reprise::cli {

// The calls of a trace that had not returned, with ranks, arguments, places and for how long; then
// who waits for whom. Empty if every call returned.
std::string blocked_report(const trace::Trace& trace);

// The same for programs: null if every call returned.
nlohmann::ordered_json unfinished_json(const trace::Trace& trace);

// To stderr, where a trace is used and its unfinished calls are not.
void warn_of_unfinished(const trace::Trace& trace, const std::string& file);

}  // namespace reprise::cli
