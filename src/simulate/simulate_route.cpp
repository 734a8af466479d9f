// The simulation with clocks that know by which streams the critical path goes.
#include "simulate/engine_all.hpp"
#include "simulate/route_clock.hpp"

namespace reprise::simulate {

Result<Outcome> simulate_with_route(const trace::Trace& trace, const Machine& machine,
                                    const ComputeTimes& times, const Options& options) {
  return Engine<RouteClock>(trace, machine, times, options).run();
}

}  // namespace reprise::simulate
