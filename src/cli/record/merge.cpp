// reprise merge: one trace of parts, rank traces or flat logs, as a run that ended early does.
#include <fmt/core.h>

#include <filesystem>

#include "cli/command.hpp"
#include "cli/look/end_report.hpp"
#include "cli/record/outputs.hpp"
#include "cli/record/parts.hpp"
#include "cli/write.hpp"
#include "trace/file/file.hpp"

namespace reprise::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> parts;
  std::string output = "trace.reprise";
  std::string program;
  bool force = false;
};

Result<trace::Trace> merge(const std::vector<std::string>& inputs) {
  std::error_code error;
  for (const std::string& input : inputs) {
    if (!std::filesystem::is_directory(input, error)) continue;
    if (inputs.size() == 1) {
      const Result<trace::FlatLogs> logs = trace::find_flat_logs(input);
      return logs ? merge_logs(*logs) : logs.error();
    }
    return Error{input + " is a folder (the logs of one run are in one folder); give it alone",
                 Error::Kind::usage};
  }
  if (inputs.empty() || !trace::is_flat_log(inputs.front())) return merge_ranks(inputs);
  const Result<trace::FlatLogs> logs = trace::arrange_flat_logs(inputs);
  return logs ? merge_logs(*logs) : logs.error();
}

void run(const MergeOptions& o) {
  std::error_code error;
  if (std::filesystem::exists(o.output, error) && !o.force) {
    throw CommandError{fmt::format(
        "{} exists (existing files are not overwritten); add --force, or choose another -o",
        o.output)};
  }
  check_writable(o.output);
  trace::Trace merged = take(merge(o.parts));
  const std::string program = o.program.empty() ? merged.program : o.program;
  write_output(std::move(merged), program, o.output, o.force ? Existing::replace : Existing::keep);
  say_end(take(trace::read_trace(o.output)));
}

}  // namespace

void add_merge(CLI::App& app) {
  auto o = std::make_shared<MergeOptions>();
  CLI::App* sub =
      app.add_subcommand("merge", "Merge parts, rank traces or flat logs into one trace");
  sub->add_option(
         "parts", o->parts,
         "The parts of an interrupted run, FILE.part-*; the traces of `record --merge none`, "
         "FILE.RANK of all ranks; or the folder of `record --flat`, or all logs in it")
      ->required();
  sub->add_option("-o,--output", o->output, "The trace to write")->capture_default_str();
  sub->add_option("--program", o->program, "The recorded command line, for the trace's header");
  sub->add_flag("--force", o->force, "Overwrite an existing output");
  sub->footer(
      "Prints what `reprise info` reports about the end of a run: losses, ranks that were cut "
      "short and the\nsignals that ended them, calls that had not returned, and which ranks wait "
      "for which. You can merge the\nparts of a hanging run while it hangs.\nMerged rank traces "
      "equal the trace that `record` writes without --merge none; the program has to be in "
      "the\nsame place. Flat logs have neither times nor call paths.\n\n"
      "Examples: reprise merge -o app.reprise app.reprise.part-*\n"
      "          reprise merge -o app.reprise ranks.reprise.*\n"
      "          reprise merge -o app.reprise logs");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
