#include "analyze/surrounding_loops.hpp"

#include "trace/series_sum.hpp"

namespace reprise::analyze {

namespace {
constexpr std::uint64_t kMostValues = 4096;  // looked at one by one
}

bool recurs(const trace::Series& series, std::uint64_t period, std::uint64_t n) {
  if (series.is_constant() || period >= n) return true;
  if (period == 0) return false;
  if (n > kMostValues) {
    const trace::Term& t = series.terms().front();
    return series.terms().size() == 1 && t.step == 0 && period % t.period == 0;
  }
  trace::SeriesCursor first(series), later(series);
  for (std::uint64_t k = 0; k < period; ++k) later.next();
  for (std::uint64_t k = period; k < n; ++k) {
    if (first.next() != later.next()) return false;
  }
  return true;
}

// Executions of the item in one entry into a loop, on a stream; 0 if entries differ. `arrivals`:
// executions of each item around it, in all.
std::uint64_t SurroundingLoops::executions_of_entry(
    std::size_t loop, std::uint64_t stream, const std::vector<std::uint64_t>& arrivals) const {
  std::uint64_t executions = 1;
  for (std::size_t k = loop; k < items_.size(); ++k) {
    const trace::Value& trips = items_[k]->trips;
    const trace::Series* series = trips.series_of(stream);
    if (series && !recurs(*series, executions, arrivals[k])) return 0;
    executions = static_cast<std::uint64_t>(trace::sum_of(trips, stream, executions));
  }
  return executions;
}

std::uint64_t SurroundingLoops::executions_shown(
    std::uint64_t stream, std::uint64_t n, const std::function<bool(std::uint64_t)>& same) const {
  std::vector<std::uint64_t> arrivals{1};
  for (const trace::Item* i : items_) {
    const std::int64_t trips = trace::sum_of(i->trips, stream, arrivals.back());
    arrivals.push_back(static_cast<std::uint64_t>(trips));
  }
  for (std::size_t loop = items_.size(); loop-- > 0;) {
    const std::uint64_t executions = executions_of_entry(loop, stream, arrivals);
    if (executions > 0 && executions <= n && same(executions)) return executions;
  }
  return n;
}

}  // namespace reprise::analyze
