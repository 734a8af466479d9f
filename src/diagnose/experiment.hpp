// A run that is simulated again with something changed: what that saves.
#pragma once

#include "diagnose/diagnosis.hpp"

namespace reprise::diagnose {

class Experiment {
 public:
  // REQUIRES: all outlive it; the run is of this trace, machine and options.
  Experiment(const trace::Trace& trace, const simulate::Machine& machine, const Options& options,
             const simulate::Outcome& run)
      : trace_(trace), machine_(machine), options_(options), run_(run) {}

  const trace::Trace& trace() const { return trace_; }
  const simulate::Machine& machine() const { return machine_; }
  const simulate::Outcome& run() const { return run_; }
  // The shortest time that is worth a finding.
  Picoseconds least() const;

  // By stream, what it computes before a call in all.
  std::vector<Picoseconds> computed(std::uint32_t call) const;
  // The stream of these ranks that computes most before a call.
  std::uint64_t busiest(std::uint32_t call, const Ranks& ranks) const;
  bool executes(std::uint64_t stream, std::uint32_t call) const {
    return run_.accounts[stream][call].calls > 0;
  }

  // Ranks that make a call.
  Ranks ranks_at(std::uint32_t call) const;

  // How much earlier the run ends with computation multiplied so; negative: later. 0 if it does not
  // end.
  Result<Picoseconds> saves(const simulate::Factors& factors) const;
  // The time on another machine, or without change if it does not end there.
  Result<Picoseconds> time_on(const simulate::Machine& machine) const;

  // The time with computation drawn from what was recorded, before one call or before all. None:
  // the run has more calls than are simulated one by one, or does not end.
  std::optional<Picoseconds> time_drawn(std::optional<std::uint32_t> only,
                                        const simulate::Limits& limits = {}) const;

 private:
  // Of a simulation for its time alone.
  simulate::Options plain_options() const;

  const trace::Trace& trace_;
  const simulate::Machine& machine_;
  const Options& options_;
  const simulate::Outcome& run_;
};

// Makes what each stream computes before a call no longer than `level`.
void cap(simulate::Factors& factors, const Experiment& experiment, std::uint32_t call,
         Picoseconds level);

// Ranks of those streams that have at least a tenth of what the first has that has most.
Ranks notable_ranks(const std::vector<double>& by_stream, std::uint64_t threads);

}  // namespace reprise::diagnose
