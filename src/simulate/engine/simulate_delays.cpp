// The simulation with clocks that know which rank computed what on the critical path.
#include <algorithm>
#include <tuple>

#include "simulate/engine/all_parts.hpp"

namespace reprise::simulate {
namespace {

// Orders sites and causes by call: who had their turn first does not matter.
void sort_delays(std::vector<DelaySite>& sites) {
  for (DelaySite& site : sites) {
    std::ranges::sort(site.causes, {},
                      [](const DelayCause& c) { return std::tuple(c.call, c.is_communication); });
  }
  std::ranges::sort(sites, {}, [](const DelaySite& s) { return std::tuple(s.call, s.state); });
}

}  // namespace

Result<Outcome> simulate_with_delays(const trace::Trace& trace, const Machine& machine,
                                     const ComputeTimes& times, const Options& options) {
  Result<Outcome> out = Engine<DelayClock>(trace, machine, times, options).run();
  if (out) sort_delays(out->delays);
  return out;
}

}  // namespace reprise::simulate
