#include "cli/write.hpp"

#include <fmt/core.h>

#include <csignal>
#include <utility>

#include "analyze/text/source_order.hpp"
#include "base/files.hpp"
#include "cli/command.hpp"
#include "cli/record/outputs.hpp"
#include "cli/record/symbolize.hpp"
#include "cli/wrappers.hpp"
#include "trace/file/file.hpp"
#include "trace/file/rank_section.hpp"
#include "transform/copies.hpp"

namespace reprise::cli {
namespace {

// Of all ranks together, beyond which copies of call sites stay apart: what can be walked again in
// some seconds.
constexpr std::uint64_t kMostWalked = 20'000'000;

// With all that the file is to have.
trace::Trace finished(trace::Trace trace, const std::string& program, const std::string& path,
                      const std::string& wrappers) {
  trace.program = program;
  const bool is_recording = !trace.symbolized;
  name_frames(trace);
  set_wrappers(trace, wrappers, path);
  // A trace that was symbolized before is the result of something else, and stays as it is.
  if (is_recording) {
    // The trace of a single rank keeps what merging needs: copies become one then.
    if (trace.threads == 1 && !trace::rank_section(trace) && transform::has_copies(trace)) {
      if (auto united = transform::unite_copies(trace, kMostWalked)) trace = std::move(*united);
    }
    analyze::put_in_source_order(trace);
  }
  return trace;
}

// Beyond a limit on the size of files, writing then fails with a message.
void ignore_size_signal() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace

void write_output(trace::Trace trace, const std::string& program, const std::string& path,
                  Existing existing, const std::string& wrappers) {
  trace = finished(std::move(trace), program, path, wrappers);
  ignore_size_signal();
  if (existing == Existing::replace) {
    const Status written = trace::write_trace(trace, path);
    if (!written) throw CommandError{written.error().message};
    return say_written(path);
  }
  if (!take(trace::write_new_trace(trace, path))) {
    throw CommandError{
        fmt::format("{} is not replaced (another program wrote it meanwhile, and existing "
                    "files are not overwritten); add --force, "
                    "or choose another -o",
                    path)};
  }
  say_written(path);
}

Status name_recording(const std::string& path, const std::string& program) {
  const auto encoded =
      trace::encode_trace(finished(take(trace::read_trace(path)), program, path, {}));
  if (!encoded) return encoded.error();
  ignore_size_signal();
  return write_file(path, *encoded);
}

}  // namespace reprise::cli
