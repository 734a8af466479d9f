// Where ranks were blocked when a run ended, and who waits for whom, in words.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "trace/program.hpp"
#include "transform/deadlock.hpp"

namespace reprise::cli {

// By rank: a call, as an index into Trace::calls.
using CallByRank = std::map<std::uint64_t, std::uint32_t>;

// A line for each rank of a chain that wait for each other, and how it ends. `unfinished`: the
// calls that had not returned when the run ended.
std::string deadlock_text(const trace::Trace& trace, const transform::Deadlock& deadlock,
                          const CallByRank& unfinished = {});

// The calls of a trace that had not returned, with ranks, arguments, places and for how long; then
// who waits for whom. Empty if every call returned.
std::string blocked_report(const trace::Trace& trace);

// The same for programs: null if every call returned.
nlohmann::ordered_json unfinished_json(const trace::Trace& trace);
nlohmann::ordered_json deadlock_json(const trace::Trace& trace,
                                     const transform::Deadlock& deadlock);

// To stderr, where a trace is used and its unfinished calls are not.
void warn_of_unfinished(const trace::Trace& trace, const std::string& file);

}  // namespace reprise::cli
