#include "analyze/surrounding_loops.hpp"

#include "trace/series_sum.hpp"

namespace reprise::analyze {

bool recurs(const trace::Series& series, std::uint64_t period) {
  if (series.is_constant()) return true;
  if (period == 0 || series.terms().size() != 1) return false;
  const trace::Term& t = series.terms().front();
  return t.step == 0 && period % t.period == 0;
}

// How often a stream comes by the place in one entry into a loop; 0 if entries differ.
std::uint64_t SurroundingLoops::executions_of_entry(std::size_t loop, std::uint64_t stream) const {
  std::uint64_t executions = 1;
  for (std::size_t k = loop; k < items_.size(); ++k) {
    const trace::Value& trips = items_[k]->trips;
    const trace::Series* series = trips.series_of(stream);
    if (series && !recurs(*series, executions)) return 0;
    executions = static_cast<std::uint64_t>(trace::sum_of(trips, stream, executions));
  }
  return executions;
}

std::uint64_t SurroundingLoops::executions_shown(
    std::uint64_t stream, std::uint64_t n, const std::function<bool(std::uint64_t)>& same) const {
  for (std::size_t loop = items_.size(); loop-- > 0;) {
    const std::uint64_t executions = executions_of_entry(loop, stream);
    if (executions > 0 && executions <= n && same(executions)) return executions;
  }
  return n;
}

}  // namespace reprise::analyze
