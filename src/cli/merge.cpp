// reprise merge: the trace of a run that ended early.
#include <fmt/core.h>

#include <filesystem>

#include "cli/blocked_report.hpp"
#include "cli/command.hpp"
#include "cli/outputs.hpp"
#include "cli/parts.hpp"
#include "cli/say.hpp"
#include "cli/write.hpp"
#include "trace/file.hpp"

namespace reprise::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> parts;
  std::string output = "trace.reprise";
  std::string program;
  bool force = false;
};

void run(const MergeOptions& o) {
  std::error_code error;
  if (std::filesystem::exists(o.output, error) && !o.force) {
    throw CommandError{fmt::format(
        "{} exists (nothing is overwritten unasked); add --force, or choose another -o", o.output)};
  }
  check_writable(o.output);
  write_output(take(merge_parts(o.parts)), o.program, o.output,
               o.force ? Existing::replace : Existing::keep);
  say("{}", blocked_report(take(trace::read_trace(o.output))));
}

}  // namespace

void add_merge(CLI::App& app) {
  auto o = std::make_shared<MergeOptions>();
  CLI::App* sub =
      app.add_subcommand("merge", "Make a trace of the parts that an interrupted run left");
  sub->add_option("parts", o->parts, "The parts, FILE.part-*")->required();
  sub->add_option("-o,--output", o->output, "The trace to write")->capture_default_str();
  sub->add_option("--program", o->program,
                  "The command line that was recorded, for the trace's header");
  sub->add_flag("--force", o->force, "Overwrite the output");
  sub->footer(
      "Says which calls had not returned when the run ended, and which ranks wait for each other. "
      "The parts of a\nrun that hangs can be merged while it does.\n\n"
      "Example: reprise merge -o app.reprise app.reprise.part-*");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
