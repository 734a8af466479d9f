// reprise symbolize: names for a trace that `reprise record` did not write itself.
#include "cli/record/symbolize.hpp"

#include <fmt/core.h>

#include "analyze/symbols/symbolize.hpp"
#include "cli/command.hpp"
#include "cli/open_trace.hpp"
#include "cli/record/outputs.hpp"
#include "cli/wrappers.hpp"
#include "cli/write.hpp"
#include "code/tail_calls.hpp"

namespace reprise::cli {
namespace {

struct SymbolizeOptions {
  std::vector<std::string> files;
  std::string program, wrappers;
};

void run(const SymbolizeOptions& o) {
  for (const std::string& file : o.files) {
    trace::Trace t = open_trace(file, analyze::Use::structure);
    if (t.symbolized && o.program.empty() && o.wrappers.empty()) continue;
    check_writable(file);
    const std::string program = o.program.empty() ? t.program : o.program;
    write_output(std::move(t), program, file, Existing::replace, o.wrappers);
  }
}

}  // namespace

void name_frames(trace::Trace& trace) {
  const std::size_t first_jump = code::restore_tail_calls(trace);
  analyze::symbolize(trace, first_jump);
}

void add_symbolize(CLI::App& app) {
  auto o = std::make_shared<SymbolizeOptions>();
  CLI::App* sub = app.add_subcommand(
      "symbolize", "Add functions, files and lines to traces of `reprise record --print-env`");
  sub->add_option("files", o->files, "The traces, which are modified in place")->required();
  sub->add_option("--program", o->program, "The recorded command line, for the trace's header");
  add_wrappers_option(*sub, o->wrappers);
  sub->footer(
      "The program and its libraries must be unchanged and in the same place.\n\n"
      "Example: reprise symbolize --program 'srun ./app' app.reprise");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
