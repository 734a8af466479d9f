// A process of a run from its flat logs (trace/file/flat_log.hpp): what they have is folded as
// while recording.
#pragma once

#include <functional>
#include <string_view>

#include "compress/process.hpp"
#include "compress/times/time_folder.hpp"
#include "trace/file/flat_log.hpp"

namespace reprise::compress {

// How logs are read that have more or less than those of `record --flat`.
struct LogReading {
  trace::LogColumns columns = trace::LogColumns::all;
  TimeOptions times;  // of logs that have times
  // The frames of a call path in words, the innermost first, as offsets in a module without a name.
  std::function<std::vector<std::uint64_t>(std::string_view place)> frames_of = nullptr;
};

// `logs`: by thread. Fails for a log that cannot be read or makes no sense. Communicators are known
// by the names that logs give them; where several threads make some, their numbers may be others
// than those of a recording. Cost: all calls.
Result<Process> process_of_logs(std::uint64_t rank, std::uint64_t ranks,
                                const std::vector<std::string>& logs, const LogReading& how = {});

}  // namespace reprise::compress
