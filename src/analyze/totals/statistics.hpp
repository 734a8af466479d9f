// Calls and bytes by function, by place or by call path, over all ranks: what mpiP prints.
#pragma once

#include <string>
#include <vector>

#include "analyze/totals/totals.hpp"

namespace reprise::analyze {

enum class Grouping {
  function,
  site,      // function and place
  callpath,  // function and the whole way to it
};

// A sum over all ranks, and the ranks that have least and most of it (the first of equals).
struct Spread {
  std::uint64_t total = 0;
  std::uint64_t min = 0, max = 0;
  std::uint64_t min_rank = 0, max_rank = 0;
};

struct StatisticsRow {
  trace::FunctionId function{};
  std::string place;            // empty when grouped by function
  Spread calls;                 // calls
  std::array<Spread, 4> bytes;  // by trace::Direction [bytes]
  std::uint64_t unknown = 0;    // calls that moved an amount that the trace does not tell

  const Spread& of(trace::Direction d) const { return bytes[static_cast<std::size_t>(d)]; }
};

struct Statistics {
  std::vector<StatisticsRow> rows;  // most bytes first, then most calls
  StatisticsRow all;                // all calls together
};

// Cost: O(classes of streams x nodes + rows x ranks).
Statistics statistics_of(const trace::Trace& trace, const Totals& totals, Grouping grouping);

// A table of the busiest calls reads better the other way round for codes that send little.
void sort_by_calls(Statistics& statistics);

}  // namespace reprise::analyze
