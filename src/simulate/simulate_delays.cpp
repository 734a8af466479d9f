// The simulation with clocks that know which rank computed what on the critical path.
#include "simulate/engine_all.hpp"

namespace reprise::simulate {

Result<Outcome> simulate_with_delays(const trace::Trace& trace, const Machine& machine,
                                     const ComputeTimes& times, const Options& options) {
  return Engine<DelayClock>(trace, machine, times, options).run();
}

}  // namespace reprise::simulate
