#include "program/nest.hpp"

#include <algorithm>
#include <set>

#include "analyze/recurrence.hpp"
#include "trace/series_sum.hpp"

namespace reprise::program {
namespace {

// The trips of an item if a stream makes the same number of them each time.
std::optional<std::int64_t> constant_trips(const trace::Value& trips, std::uint64_t stream) {
  const trace::Series* series = trips.series_of(stream);
  if (!series) return trips.constant_of(stream);
  if (series->is_constant()) return series->at(0);
  return std::nullopt;
}

}  // namespace

std::size_t Nest::loops() const {
  return static_cast<std::size_t>(std::ranges::count_if(levels_, &Level::is_loop));
}

// Executions of the place in one pass of the body around a level, on a stream; 0 if passes differ.
// `arrivals`: how often the stream comes by each level in all.
std::uint64_t Nest::executions_of_entry(std::size_t level, std::uint64_t stream,
                                        const std::vector<std::uint64_t>& arrivals) const {
  std::uint64_t executions = 1;
  for (std::size_t k = level; k < levels_.size(); ++k) {
    const trace::Value& trips = levels_[k].item->trips;
    const trace::Series* series = trips.series_of(stream);
    if (series && !analyze::recurs(*series, executions, arrivals[k])) return 0;
    executions = static_cast<std::uint64_t>(trace::sum_of(trips, stream, executions));
  }
  return executions;
}

std::vector<std::uint64_t> Nest::one_of_each_class(
    const std::vector<std::uint64_t>& streams) const {
  std::set<std::uint32_t> seen;
  std::vector<std::uint64_t> out;
  for (const std::uint64_t s : streams) {
    if (seen.insert(executions_.class_of(s)).second) out.push_back(s);
  }
  return out;
}

std::optional<std::vector<std::uint64_t>> Nest::radices(
    std::size_t level, const std::vector<std::uint64_t>& some) const {
  std::vector<std::uint64_t> out;
  for (std::size_t k = level; k < levels_.size(); ++k) {
    const trace::Value& trips = levels_[k].item->trips;
    std::optional<std::int64_t> same;
    for (const std::uint64_t s : some) {
      const auto n = constant_trips(trips, s);
      // The outermost index may go as far as it wants.
      const bool is_outermost = levels_[k].is_loop && out.empty();
      if (!n || (!is_outermost && same && *same != *n)) return std::nullopt;
      same = std::max(same.value_or(*n), *n);
    }
    if (levels_[k].is_loop) out.push_back(static_cast<std::uint64_t>(same.value_or(0)));
    if (!levels_[k].is_loop && same.value_or(1) != 1) return std::nullopt;
  }
  return out;
}

Entry Nest::entry(const std::vector<std::uint64_t>& streams,
                  const std::function<std::uint64_t(std::uint64_t)>& times,
                  const Recurs& recurs) const {
  const std::vector<std::uint64_t> some = one_of_each_class(streams);
  std::vector<std::vector<std::uint64_t>> arrivals;
  for (const std::uint64_t s : some) {
    std::vector<std::uint64_t> here{1};
    for (const Level& l : levels_) {
      const std::int64_t trips = trace::sum_of(l.item->trips, s, here.back());
      here.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(trips, 0)));
    }
    arrivals.push_back(std::move(here));
  }
  for (std::size_t level = levels_.size() + 1; level-- > 0;) {
    // Levels within the same loops are one scope: the outermost of them stands for it.
    if (level > 0 && !levels_[level - 1].is_loop) continue;
    std::uint64_t most = 0;
    const bool alike = std::ranges::all_of(some, [&](const std::uint64_t& s) {
      const auto& here = arrivals[static_cast<std::size_t>(&s - some.data())];
      const std::uint64_t n = executions_of_entry(level, s, here);
      most = std::max(most, n);
      return n > 0 && n <= times(s) && recurs(s, n, times(s));
    });
    if (!alike) continue;
    const auto outside = static_cast<std::size_t>(
        std::count_if(levels_.begin(), levels_.begin() + static_cast<std::ptrdiff_t>(level),
                      [](const Level& l) { return l.is_loop; }));
    return {outside, most, radices(level, some)};
  }
  std::uint64_t most = 0;
  for (const std::uint64_t s : streams) most = std::max(most, times(s));
  return {0, most, radices(0, some)};
}

}  // namespace reprise::program
