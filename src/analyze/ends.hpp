// How the run ended for each rank.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/program.hpp"

namespace reprise::analyze {

// Ranks, in order. Of the trace of one rank (trace/file/rank_section.hpp), that rank alone.
struct Ends {
  std::vector<std::uint64_t> cut_short;  // made calls, but not MPI_Finalize
  std::vector<std::uint64_t> silent;     // made none that is in the trace
  // Made calls after their last checkpoint that are not in the trace, and how many.
  std::vector<std::uint64_t> behind_checkpoint, missing;
  std::vector<std::uint64_t> running;  // when the trace was made of their parts
  std::vector<std::uint64_t> unseen;   // may have been: that could not be seen there
  std::vector<std::uint64_t> no_part;  // left none, while others did
};

// Cost: O(nodes x terms x classes of streams + streams), and the streams for each node whose trips
// differ between them and each call that opens or closes MPI.
Ends ends_of(const trace::Trace& trace);

// Describes what a trace lacks of a run that was cut short, one line for each reason: "rank 1: cut
// short before MPI_Finalize". Ranks without MPI_Finalize are not cut short in a trace that has no
// MPI_Init either, such as that of a part of a run. Cost: as ends_of.
std::vector<std::string> describe_missing_end(const trace::Trace& trace);

// What ended ranks before MPI_Finalize.
struct Death {
  enum class Cause : std::uint8_t {
    signal,
    abort,    // MPI_Abort
    exit,     // or a return from main
    unknown,  // what leaves no trace: SIGKILL, _exit, a fatal error of MPI
    unseen,   // that, or none: the rank may have been running when the trace was made of its part
  };
  enum class Where : std::uint8_t {
    in_call,     // `function` had not returned
    after_call,  // outside of MPI, `function` being the last call
    outside,     // outside of MPI; the trace does not have the last call
    elsewhere,   // in a thread that made no calls
    several,     // each of several threads was somewhere
  };
  Cause cause = Cause::signal;
  std::int64_t signal = 0;  // 0: another cause
  Where where = Where::outside;
  // The thread of `where`, in a trace of several threads a rank.
  std::optional<std::uint64_t> thread;
  trace::FunctionId function{};
  std::uint32_t callpath = 0;        // index into Trace::callpaths
  std::vector<std::uint64_t> ranks;  // all that died so, in order
};

// What is the program's own doing comes first, then what left no trace outside of MPI and in calls,
// then signals that a launcher sends; each by rank. Cost: as of ends_of, times the log of
// the trips, and for each stream of a rank that died the calls that had not returned.
std::vector<Death> deaths_of(const trace::Trace& trace);

}  // namespace reprise::analyze
