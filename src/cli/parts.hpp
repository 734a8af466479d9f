// What an interrupted run leaves: a part for each rank, beside where the trace would be.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "trace/program.hpp"

namespace reprise::cli {

// The files `<path><mark><number><end>`, by number.
std::vector<std::string> find_numbered(const std::string& path, const std::string& mark,
                                       const std::string& end = "");

// The parts of a trace that was to be written to `output`, `<output>.part-<rank>`, sorted.
std::vector<std::string> find_parts(const std::string& output);

// What ranks that were killed while they wrote such a part left half done.
std::vector<std::string> find_partial_parts(const std::string& output);

// The trace of all that happened until the run ended.
Result<trace::Trace> merge_parts(const std::vector<std::string>& files);

}  // namespace reprise::cli
