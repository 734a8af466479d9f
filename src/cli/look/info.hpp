// What `reprise info --json` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "trace/program.hpp"

namespace reprise::cli {

// `file`: the trace's own. Throws CommandError.
nlohmann::ordered_json info_json(const trace::Trace& trace, const std::string& file);
// The same of a trace in memory, which takes so many bytes in a file.
nlohmann::ordered_json info_json(const trace::Trace& trace, const std::string& name,
                                 std::uint64_t size);

}  // namespace reprise::cli
