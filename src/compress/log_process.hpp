// A process of a run from its flat logs (trace/flat_log.hpp): what they have is folded as while
// recording without call paths and times.
#pragma once

#include "compress/process.hpp"

namespace reprise::compress {

// `logs`: by thread. Fails for a log that cannot be read or makes no sense. Communicators are known
// by the names that logs give them; where several threads make some, their numbers may be others
// than those of a recording. Cost: all calls.
Result<Process> process_of_logs(std::uint64_t rank, std::uint64_t ranks,
                                const std::vector<std::string>& logs);

}  // namespace reprise::compress
