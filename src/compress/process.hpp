// What one process of a run recorded, and how the processes of a run become one trace.
//
// The same steps serve a run that ends well, where ranks combine over MPI, and one that does not,
// where `reprise merge` reads what every process left behind:
//   1. combine what all processes must agree on (`Agreement`), pairwise, in any order;
//   2. read from the machine code where the combined call paths lie (`Agreement::code`), in one
//      process, and find the loops, the same in every process;
//   3. lay the streams of each process out on them, and append those of consecutive ranks
//   (`MergedStreams`);
//   4. finish the trace.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compress/fold/callpath_table.hpp"
#include "compress/loops/loop_evidence.hpp"
#include "compress/merge/merge.hpp"
#include "compress/merge/size_averages.hpp"

namespace reprise::compress {

// A name that all members of a communicator find without a message: the k-th creation on a parent,
// or the k-th with these members where only they take part.
struct CommName {
  std::int64_t parent = 0;     // number of the parent; the world where members count
  std::uint64_t members = 0;   // hash of their ranks in the world; 0 if all of the parent take part
  std::uint64_t creation = 0;  // earlier ones with the same two

  auto operator<=>(const CommName&) const = default;
};

// Losses of a run that ended early, of ranks that had no chance to write down their last calls.
inline constexpr const char* kCutShort = "ranks cut short at their last checkpoint";
inline constexpr const char* kLeftNothing = "ranks that left nothing";
inline constexpr const char* kBehindCheckpoint = "calls after the last checkpoint of their rank";
// Loops are then told by what repeats alone.
inline constexpr const char* kCodeUnread = "call paths whose machine code was not read for loops";

// What all processes must have in common before their streams can be laid side by side.
struct Agreement {
  FlowGraph graph;
  CallpathTable callpaths;
  CallpathMode callpaths_kept = CallpathMode::full;  // in the trace
  trace::Code code;             // by path of `callpaths`, in its order; empty before it is read
  std::vector<CommName> comms;  // world and self first, parents before their children
  std::uint64_t threads = 1;    // the most that a process has
  std::uint64_t duration = 0;   // the longest [us]
  std::map<std::string, std::uint64_t> losses;
  std::string options;                   // Trace::options
  std::map<SiteName, SizeTotals> sizes;  // under --average-sizes
  trace::Timing timing;
  TimesPerStream times_kept = TimesPerStream::classes_and_sums;

  // REQUIRES: no code has been read.
  void merge(const Agreement& other);
  // From the sites of the graph.
  FunctionOfPath function_of_path() const;
  // Takes where the call paths lie in the machine code; if nothing was read, that is a loss.
  void set_code(trace::Code read);
  // Where the sites of the graph lie in `code`, in its order; empty if it has not been read.
  SitePaths code_paths() const;

  void encode(ByteWriter& out) const;
  static Agreement decode(ByteReader& in);
};

// What a thread was doing when its process ended.
struct Tail {
  bool is_in_call = false;  // `function` to `record` count
  trace::FunctionId function{};
  std::uint64_t callpath = 0;        // hash of its frames
  std::vector<std::int64_t> record;  // of the arguments: scalars, then whole lists (Layout)
  std::uint64_t waited = 0;          // how long it had been in the call when last looked at [s]
  std::uint64_t missing = 0;         // calls that it has made behind the last one of its stream
  // What ended the process, of the thread to which that came: a signal or trace::kExited.
  std::uint64_t signal = 0;
  // 1: it came to a thread that made no calls, and stands with the first one.
  std::uint64_t is_signal_elsewhere = 0;
};

struct Process {
  std::uint64_t rank = 0, ranks = 1;
  std::uint64_t run = 0;                     // the same in all processes of a run, and in no other
  std::string program;                       // the process's command line; empty: not known
  std::string mpi;                           // "Open MPI v4.1.4"
  std::int64_t date = 0;                     // [s since 1970-01-01 UTC]
  std::vector<FoldedStream> streams;         // by thread
  std::vector<std::vector<SiteName>> names;  // of their sites
  std::vector<trace::Membership> comms;      // by this process's number
  std::vector<trace::Membership> windows;
  std::vector<Tail> tails;  // by thread; none: the process is not known to have ended
  // lock_identity() of the lock that the process holds on its part while it runs; 0: it has none.
  // Not encoded.
  std::uint64_t lock = 0;
  Agreement own;  // this process's contribution

  // What the streams show of loops directly within each other, added to `evidence`.
  void show_loops(const Agreement& all, const LoopTree& tree, LoopEvidence& evidence) const;

  // Lays the streams out on the loops of all, and takes them away. Communicators get the numbers
  // that all share.
  MergedStreams lay_out(const Agreement& all, const LoopTree& tree);

  // part := "REPPART" version:byte, fixed64 checksum, the fields in order
  std::vector<std::uint8_t> encode() const;
  static Result<Process> decode(std::span<const std::uint8_t> data, const std::string& name);
  // What lies behind the checksum; exposed for tests that damage it.
  static Result<Process> decode_body(std::span<const std::uint8_t> body, const std::string& name);
};

trace::Trace finish_trace(const Process& first, const Agreement& all, const LoopTree& tree,
                          MergedStreams merged);

// Lays all processes of a run out, those that left nothing as empty. REQUIRES: sorted by rank.
MergedStreams lay_out_all(std::vector<Process>& processes, const Agreement& all,
                          const LoopTree& tree);

// Reads where call paths lie in the machine code, in the order of the table; what is not known is
// empty (src/code).
using ReadCode =
    std::function<trace::Code(const CallpathTable& callpaths, const FunctionOfPath& functions)>;

// The trace of a run from what its processes left. Processes that left nothing are empty in it, and
// it says so. REQUIRES: at least one process, all of one run.
trace::Trace merge_processes(std::vector<Process> processes, const ReadCode& read_code);

}  // namespace reprise::compress
