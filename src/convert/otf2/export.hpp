// A trace as an OTF2 archive, with the records that Score-P writes.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "convert/flat/range.hpp"
#include "convert/flat/walk.hpp"
#include "trace/program.hpp"

namespace reprise::convert::otf2 {

// The files and folders that an archive in `folder` is.
std::vector<std::string> files_of(const std::string& folder);

// `folder` must have none of these. `progress` is told how many ranks have been written. Ranks out
// of the range are defined, and have no events. Cost: all calls of all ranks.
Result<FlatLosses> export_archive(const trace::Trace& trace, const std::string& folder,
                                  const FlatRange& range, const RanksWalked& progress);

}  // namespace reprise::convert::otf2
