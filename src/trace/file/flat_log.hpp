// Flat logs: what `record --flat FOLDER` writes, `FOLDER/rank-RANK-thread-THREAD.log`, a line for
// each call (call_text.hpp).
//
// A log has every parameter of every call, and so all that a replay needs. What it lacks of a
// trace: times, call paths, what was lost, the program, its MPI and when it ran.
//
// Other tools may write logs for `reprise import`, with less or more in each line (docs/import.md):
//
//   line := (begin " " end " ")? call (" @ " frame (" > " frame)*)?     # [ns]; or a remark, "#
//   ..."
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trace/cursors/call_source.hpp"
#include "trace/file/call_text.hpp"

namespace reprise::trace {

// By rank, the logs of its threads; one at least for each.
using FlatLogs = std::vector<std::vector<std::string>>;

// Whether the name of a file is one of a log, as far as its ending goes.
bool is_flat_log(const std::string& path);

// The logs of a run, from the names of files. Fails for a name that is no log's, one that comes
// twice, and where a rank between 0 and the last, or a thread, is missing.
Result<FlatLogs> arrange_flat_logs(const std::vector<std::string>& paths);

// The same of all logs in a folder. Other files in it do not matter.
Result<FlatLogs> find_flat_logs(const std::string& folder);

// Reads a log line by line. Memory: O(its longest line), of which kMostLine are read.
class FlatLogSource : public CallSource {
 public:
  static constexpr std::size_t kMostLine = std::size_t{1} << 29;  // [bytes]

  // `columns`: `some` reads logs as other tools may write them.
  FlatLogSource(const std::string& path, CommNumbering number_of,
                LogColumns columns = LogColumns::all);

  const Event* next() override;
  std::string problem() const override { return problem_; }
  // When the last call began and ended, if its line says so.
  struct Span {
    std::int64_t begin = 0, end = 0;  // [ns]
  };
  const std::optional<Span>& span() const { return span_; }
  // Its call path, "main a.c:12 > exchange a.c:40"; empty if its line has none.
  std::string_view place() const { return place_; }

  // Where in the log the last call stands, "run/rank-0-thread-0.log:12".
  std::string position() const { return path_ + ":" + std::to_string(line_); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  bool read_line();
  Status take_extras(std::string_view& line);

  std::string path_, problem_;
  CommNumbering number_of_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<char> buffer_;
  std::uint64_t line_ = 0;
  std::string text_;
  LogColumns columns_;
  std::optional<Span> span_;
  std::string_view place_;  // in `text_`
  Event event_;
};

// The function of the last whole line of a log, without reading what is before it; none: the log is
// empty, or its end is damaged.
std::optional<FunctionId> last_function(const std::string& path);

}  // namespace reprise::trace
