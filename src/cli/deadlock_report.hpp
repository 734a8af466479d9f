// Who waits for whom, in words that stay short on many ranks.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "trace/program.hpp"
#include "transform/deadlock.hpp"

namespace reprise::cli {

// By rank: a call, as an index into Trace::calls.
using CallByRank = std::map<std::uint64_t, std::uint32_t>;

// Lines, each behind a line break: the cycles, a line a rank; those that wait for them, by call;
// who else waits for whom, and what the ranks did that wait for nobody. `unfinished`: the calls
// that had not returned when the run ended.
std::string deadlock_text(const trace::Trace& trace, const transform::Deadlock& deadlock,
                          const CallByRank& unfinished = {});

// The same for programs, with every rank that waits.
nlohmann::ordered_json deadlock_json(const trace::Trace& trace,
                                     const transform::Deadlock& deadlock);

}  // namespace reprise::cli
