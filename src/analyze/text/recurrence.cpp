#include "analyze/text/recurrence.hpp"

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

}  // namespace reprise::analyze
