// Traces and explained programs as JSON; docs/show_json.md is the schema in words,
// docs/show_json.schema.json the same for validators.
#pragma once

#include <nlohmann/json.hpp>

#include "program/program.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::write {

// What a trace is of, and its call paths.
nlohmann::ordered_json header_json(const trace::Trace& trace);

// Grid, groups, procedures and body. Cost: linear in what is written.
nlohmann::ordered_json program_json(const program::Program& program);

// One call as it was made.
nlohmann::ordered_json event_json(const trace::Trace& trace, const trace::Event& event);

}  // namespace reprise::write
