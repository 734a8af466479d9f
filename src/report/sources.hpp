// The text of the program's source files, as far as they lie in a folder: what stands on the page
// beside the program.
//
// A trace is not trusted: it may name any file of the machine on which the page is made. Only
// regular files within the folder are taken, and no link is followed.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/result.hpp"
#include "trace/program.hpp"

namespace reprise::report {

// What of a source file may be put on a page, and of all of them together [bytes].
inline constexpr std::uint64_t kMostOfASource = 256 * 1024;
inline constexpr std::uint64_t kMostOfSources = 1024 * 1024;

// {"files": [{"name", "path", "text"}], "missing": [{"name", "why"}]} for the files of all frames,
// named as in the trace. A file is the one in the folder whose path has most of its last parts in
// common with that name. An error: the folder cannot be read. Cost: O(files in the folder), of
// which there may be 1,000,000.
Result<nlohmann::ordered_json> sources_of(const trace::Trace& trace,
                                          const std::filesystem::path& folder);

}  // namespace reprise::report
