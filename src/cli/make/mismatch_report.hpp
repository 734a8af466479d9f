// Collectives of different ranks that should be one and are not, in words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "trace/program.hpp"
#include "transform/collectives.hpp"

namespace reprise::cli {

// The two ranks, and where each of them is.
std::string mismatch_text(const trace::Trace& trace, const transform::Mismatch& mismatch);

// The same for programs.
nlohmann::ordered_json mismatch_json(const trace::Trace& trace,
                                     const transform::Mismatch& mismatch);

}  // namespace reprise::cli
