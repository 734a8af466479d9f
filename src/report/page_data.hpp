// What the page knows of a trace without its engine, as JSON: the explained program line by line,
// and calls, bytes and times of each call.
#pragma once

#include <nlohmann/json.hpp>

#include "base/result.hpp"
#include "trace/program.hpp"

namespace reprise::report {

// Error: the trace is damaged.
Result<nlohmann::ordered_json> page_data(const trace::Trace& trace);

}  // namespace reprise::report
