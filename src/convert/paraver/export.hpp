// A trace as a Paraver trace: FILE.prv with states, events and communications as Extrae writes
// them, FILE.pcf and FILE.row with names.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "convert/flat/range.hpp"
#include "convert/flat/walk.hpp"
#include "trace/program.hpp"

namespace reprise::convert::paraver {

// All files that an export to `path`, a FILE.prv, writes.
std::vector<std::string> files_of(const std::string& path);

// Ranks out of the range are rows without records; messages are written where both ends are in
// range. Records are sorted by time in a file beside `path`. Cost: all calls of all ranks.
Result<FlatLosses> export_trace(const trace::Trace& trace, const std::string& path,
                                const FlatRange& range, const RanksWalked& progress);

}  // namespace reprise::convert::paraver
