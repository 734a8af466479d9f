// Who waits for whom, in words that stay short on many ranks.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "trace/program.hpp"
#include "transform/deadlock.hpp"

namespace reprise::cli {

// What ranks were doing when their run ended, where it ended early.
struct LastSeen {
  // By rank: the call that had not returned, as an index into Trace::calls.
  std::map<std::uint64_t, std::uint32_t> unfinished;
  std::set<std::uint64_t> exited;  // called exit, or returned from main
};

// Lines, each behind a line break: the cycles, a line a rank; those that wait for them, by call;
// who else waits for whom, and what the ranks did that wait for nobody.
std::string deadlock_text(const trace::Trace& trace, const transform::Deadlock& deadlock,
                          const LastSeen& seen = {});

// The same for programs, with every rank that waits.
nlohmann::ordered_json deadlock_json(const trace::Trace& trace,
                                     const transform::Deadlock& deadlock);

}  // namespace reprise::cli
