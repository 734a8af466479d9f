// The tree of a trace as JSON; docs/show_json.md is the schema in words.
#pragma once

#include <nlohmann/json.hpp>

#include "trace/program.hpp"

namespace reprise::cli {

nlohmann::ordered_json program_json(const trace::Trace& trace);

}  // namespace reprise::cli
