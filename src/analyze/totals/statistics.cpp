#include "analyze/totals/statistics.hpp"

#include <algorithm>
#include <map>

#include "trace/calls/places.hpp"

namespace reprise::analyze {
namespace {

// What one class of streams does in the calls of one row.
std::vector<CallTotals> by_class(const Totals& totals, const std::vector<std::size_t>& calls) {
  std::vector<CallTotals> out(totals.classes.size());
  for (std::size_t c = 0; c < out.size(); ++c) {
    for (const std::size_t call : calls) {
      out[c].calls += totals.classes[c][call].calls;
      out[c].volume += totals.classes[c][call].volume;
    }
  }
  return out;
}

void add(Spread& spread, std::uint64_t value, std::uint64_t rank) {
  spread.total += value;
  if (rank == 0 || value < spread.min) {
    spread.min = value;
    spread.min_rank = rank;
  }
  if (rank == 0 || value > spread.max) {
    spread.max = value;
    spread.max_rank = rank;
  }
}

void spread_over_ranks(const trace::Trace& trace, const Totals& totals,
                       const std::vector<std::size_t>& calls, StatisticsRow& row) {
  const std::vector<CallTotals> classes = by_class(totals, calls);
  for (std::uint64_t rank = 0; rank < trace.ranks; ++rank) {
    CallTotals sum;
    for (std::uint64_t t = 0; t < trace.threads; ++t) {
      const CallTotals& stream = classes[totals.class_of[rank * trace.threads + t]];
      sum.calls += stream.calls;
      sum.volume += stream.volume;
    }
    add(row.calls, sum.calls, rank);
    for (std::size_t d = 0; d < row.bytes.size(); ++d) add(row.bytes[d], sum.volume.bytes[d], rank);
    row.unknown += sum.volume.unknown;
  }
}

std::uint64_t all_bytes(const StatisticsRow& row) {
  std::uint64_t n = 0;
  for (const Spread& s : row.bytes) n += s.total;
  return n;
}

std::string place_of(const trace::Places& places, const trace::Call& call, Grouping grouping) {
  switch (grouping) {
    case Grouping::function: return {};
    case Grouping::site: return places.text(call.callpath);
    case Grouping::callpath: return places.path_text(call.callpath);
  }
  return {};
}

}  // namespace

Statistics statistics_of(const trace::Trace& trace, const Totals& totals, Grouping grouping) {
  std::map<std::pair<trace::FunctionId, std::string>, std::vector<std::size_t>> groups;
  const trace::Places places(trace);
  std::vector<std::size_t> every;
  for (std::size_t c = 0; c < trace.calls.size(); ++c) {
    groups[{trace.calls[c].function, place_of(places, trace.calls[c], grouping)}].push_back(c);
    every.push_back(c);
  }
  Statistics out;
  for (const auto& [key, calls] : groups) {
    StatisticsRow& row = out.rows.emplace_back();
    row.function = key.first;
    row.place = key.second;
    spread_over_ranks(trace, totals, calls, row);
  }
  spread_over_ranks(trace, totals, every, out.all);
  std::ranges::stable_sort(out.rows, [](const StatisticsRow& a, const StatisticsRow& b) {
    return std::pair(all_bytes(a), a.calls.total) > std::pair(all_bytes(b), b.calls.total);
  });
  return out;
}

void sort_by_calls(Statistics& statistics) {
  std::ranges::stable_sort(statistics.rows, std::ranges::greater(),
                           [](const StatisticsRow& row) { return row.calls.total; });
}

}  // namespace reprise::analyze
