// The simulation with clocks that know what each call site has on the critical path.
#include "simulate/engine/all_parts.hpp"

namespace reprise::simulate {

Result<Outcome> simulate_with_paths(const trace::Trace& trace, const Machine& machine,
                                    const ComputeTimes& times, const Options& options) {
  return Engine<PathClock>(trace, machine, times, options).run();
}

}  // namespace reprise::simulate
