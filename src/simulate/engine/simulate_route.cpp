// The simulation with clocks that know by which streams the critical path goes.
#include "simulate/clocks/route_clock.hpp"
#include "simulate/engine/all_parts.hpp"

namespace reprise::simulate {

Result<Outcome> simulate_with_route(const trace::Trace& trace, const Machine& machine,
                                    const ComputeTimes& times, const Options& options) {
  return Engine<RouteClock>(trace, machine, times, options).run();
}

}  // namespace reprise::simulate
