// Merges what a run wrote rank by rank: the parts of an interrupted run, beside where the trace
// would be; rank traces, of `record --merge none`; flat logs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "trace/file/flat_log.hpp"
#include "trace/program.hpp"

namespace reprise::cli {

// The parts of a trace on this node: beside its output, and those that had no room there
// (moved_output()).
struct Parts {
  std::vector<std::string> beside, moved;

  bool empty() const { return beside.empty() && moved.empty(); }
  std::vector<std::string> all() const;
};

Parts parts_of(const std::string& output);
// The ranks of those whose recorder holds a lock on its part, in order: they are still running.
std::vector<std::uint64_t> running_ranks(const Parts& parts);
// Matches the parts of an output, as a word of a shell.
std::string pattern_of(const std::string& output);
// The command that makes a trace of them: in a folder that exists, and in place of no file.
std::string merge_command(const Parts& parts, const std::string& output);

// What ranks that were killed while they wrote such a part left half done.
std::vector<std::string> find_partial_parts(const std::string& output);

// The trace of all that happened until the run ended: of its parts, where some may be missing, or
// of the traces of its ranks, which have to be there.
Result<trace::Trace> merge_ranks(const std::vector<std::string>& files);

// The trace of a run from all of its flat logs; it has no times and no call paths.
Result<trace::Trace> merge_logs(const trace::FlatLogs& logs);

}  // namespace reprise::cli
