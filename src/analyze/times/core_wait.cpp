#include "analyze/times/core_wait.hpp"

#include <algorithm>

namespace reprise::analyze {

double core_wait_share(const trace::Trace& trace) {
  const double run = 1e3 * static_cast<double>(trace.duration) * static_cast<double>(trace.ranks);
  if (run <= 0) return 0;
  return std::min(1.0, static_cast<double>(trace.timing.core_wait) / run);
}

}  // namespace reprise::analyze
