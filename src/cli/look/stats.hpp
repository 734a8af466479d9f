// Calls and bytes by function or by place: what `reprise stats --json` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "analyze/totals/statistics.hpp"

namespace reprise::cli {

// `file` is named where the trace is damaged. Throws CommandError.
analyze::Statistics statistics(const trace::Trace& trace, analyze::Grouping grouping,
                               const std::string& file);

// `statistics`: of the trace, by `grouping`.
nlohmann::ordered_json statistics_json(const trace::Trace& trace,
                                       const analyze::Statistics& statistics,
                                       analyze::Grouping grouping);

}  // namespace reprise::cli
