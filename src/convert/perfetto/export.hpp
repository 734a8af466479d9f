// A trace as track events of Perfetto: a track for each rank, with its calls and what it computed,
// and a flow for each message.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "convert/flat/range.hpp"
#include "convert/flat/walk.hpp"
#include "trace/program.hpp"

namespace reprise::convert::perfetto {

std::vector<std::string> files_of(const std::string& path);

// Ranks out of the range are tracks without slices. Messages are sorted in a file beside `path`.
// Cost: all calls of all ranks, twice.
Result<FlatLosses> export_trace(const trace::Trace& trace, const std::string& path,
                                const FlatRange& range, const RanksWalked& progress);

}  // namespace reprise::convert::perfetto
