// What a rank replays: its streams of one trace of all ranks, a trace of its own, or its flat logs.
// ScalaTrace (JPDC 2009) calls the three global, intra-node and flat.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "replay/check.hpp"
#include "trace/cursors/call_source.hpp"
#include "trace/file/flat_log.hpp"

namespace reprise::replay {

enum class Form : std::uint8_t {
  trace,        // FILE
  rank_traces,  // FILE.0, FILE.1, ..., and no FILE: `record --merge none`
  flat_logs,    // a folder of them: `record --flat`
};

Form form_of(const std::string& file);

// What the launcher needs to know.
struct Layout {
  std::uint64_t ranks = 0;
  std::string mpi;  // "Open MPI 4.1.4"; empty: not known
};

// Of ranks' traces or flat logs. Fails if one is missing, or cannot be read where that is found out
// without reading all of them.
Result<Layout> layout_of(Form form, const std::string& file);

class Recording {
 public:
  // Reads what a rank replays. Fails for what cannot be read or replayed; what makes a call of a
  // log impossible is found when the log comes to it.
  static Result<std::unique_ptr<Recording>> open(const std::string& file, std::uint64_t rank,
                                                 const Obstacle& obstacle);
  // An empty one, for ranks that cannot read theirs.
  explicit Recording(Form form = Form::trace) : form_(form) {}

  Form form() const { return form_; }
  // Of flat logs: the numbers of ranks and of this rank's threads, and no calls.
  const trace::Trace& trace() const { return trace_; }
  // Where ranks have recordings of their own: which of them this is of.
  std::uint64_t rank() const { return rank_; }

  // The calls of one thread of a rank, from the first on. REQUIRES: `rank` is that of open(), if
  // the recording is of one rank.
  std::unique_ptr<trace::CallSource> calls(std::uint64_t rank, std::uint64_t thread) const;

  // Whether the rank may need a channel that outlasts the world, and a folder for files.
  bool has_sessions() const { return has_sessions_; }
  bool has_files() const { return has_files_; }
  // Identifier of the run; 0: not known.
  std::uint64_t run() const { return run_; }

 private:
  class Numbers;

  Status read_trace(const std::string& file, const Obstacle& obstacle);
  Status read_logs(const std::string& folder, const Obstacle& obstacle);

  Form form_;
  trace::Trace trace_;
  std::uint64_t rank_ = 0, run_ = 0;
  bool has_sessions_ = false, has_files_ = false;
  std::vector<std::string> logs_;  // by thread
  Obstacle obstacle_;
  std::shared_ptr<Numbers> numbers_;  // of the communicators that logs name
};

}  // namespace reprise::replay
