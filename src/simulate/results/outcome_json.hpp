// Simulated runs as JSON (docs/simulate.md): what `reprise simulate --json` prints and the page of
// `reprise report` shows.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "simulate/results/efficiency.hpp"
#include "simulate/results/result.hpp"

namespace reprise::simulate {

inline double seconds(Picoseconds ps) { return static_cast<double>(ps) * 1e-12; }
// "dimemas", and so on.
std::string_view name_of(MessageModel model);

// Sums over the streams, by call.
std::vector<Account> by_call(const Outcome& run, std::size_t calls);
// Sum over the calls.
Account sum_of(const std::vector<Account>& accounts);
// Calls that were made, those with the most on the critical path first, or the most time without
// one. `accounts`: by_call() of the run.
std::vector<std::uint32_t> by_cost(const Outcome& run, const std::vector<Account>& accounts);

// A number for each efficiency; null where nothing is computed, but for the transfer.
nlohmann::ordered_json json_of(const Efficiency& efficiency);
// The machine, the time, and the efficiency where it is known.
nlohmann::ordered_json run_json(const trace::Trace& trace, const Machine& machine,
                                const Outcome& run, const std::optional<Efficiency>& efficiency);
// Adds call sites, streams and what was simplified.
void add_sites_json(nlohmann::ordered_json& out, const trace::Trace& trace, const Outcome& run);

}  // namespace reprise::simulate
