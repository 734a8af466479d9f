// What `reprise simulate` prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulate/results/efficiency.hpp"
#include "simulate/results/what_if.hpp"
#include "trace/program.hpp"

namespace reprise::cli {

struct SimulationReport {
  const trace::Trace& trace;
  const simulate::Machine& machine;
  const simulate::Outcome& run;
  std::optional<simulate::Efficiency> efficiency;
  std::vector<simulate::Tolerance> tolerances;
  std::vector<simulate::Change> changes;
  bool has_tried_changes = false;
};

// "dimemas, latency 1.00 us, bandwidth 10.0 GB/s" and what else is not as usual.
std::string machine_text(const simulate::Machine& machine);

// The lines titled "efficiency"; one that says so if nothing is computed in the run.
std::string efficiency_text(const simulate::Efficiency& efficiency);

// The time, the efficiencies and a row for each call site; `by_rank`: and for each rank.
void print_simulation(const SimulationReport& report, std::size_t top, bool by_rank);
void print_simulation_json(const SimulationReport& report);

// Who waits for whom. REQUIRES: the run came to a deadlock.
std::string deadlock_text(const trace::Trace& trace, const simulate::Outcome& run);
// The same to stderr, if the run came to a deadlock. Returns whether it did.
bool print_deadlock(const trace::Trace& trace, const simulate::Outcome& run);
// What a trace of this name lacks, to stderr: who reads of its time must know of it.
void warn_of_losses(const trace::Trace& trace, const std::string& name);
// What was simplified, and messages that nobody received, to stderr.
void print_notes(const trace::Trace& trace, const simulate::Outcome& run);

}  // namespace reprise::cli
