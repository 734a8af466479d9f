// What `reprise simulate` prints of what would save time.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "simulate/results/what_if.hpp"
#include "trace/program.hpp"

namespace reprise::cli {

// Those that save most, as lines under the time: as simulated, or else by the critical path alone.
void print_best_changes(const trace::Trace& trace, const simulate::Outcome& run,
                        const std::vector<simulate::Change>& changes);
// All of them, with what simulating them gave.
void print_tried_changes(const trace::Trace& trace, const simulate::Outcome& run,
                         const std::vector<simulate::Change>& changes);
nlohmann::ordered_json changes_json(const trace::Trace& trace,
                                    const std::vector<simulate::Change>& changes);

}  // namespace reprise::cli
