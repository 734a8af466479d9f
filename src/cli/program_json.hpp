// Traces and calls as JSON; docs/show_json.md is the schema in words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "trace/cursor.hpp"

namespace reprise::cli {

// What the trace is of, and its call paths.
nlohmann::ordered_json header_json(const trace::Trace& trace);

// Its loops and calls. A trace of one stream may be that of another rank than 0.
nlohmann::ordered_json tree_json(const trace::Trace& trace, std::uint64_t first_rank);

// One call as it was made.
nlohmann::ordered_json event_json(const trace::Trace& trace, const trace::Event& event);

// Bytes that are no UTF-8 are replaced. `indent` below 0: on one line.

}  // namespace reprise::cli
