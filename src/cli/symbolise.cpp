// reprise symbolise: names for a trace that `reprise record` did not write itself.
#include "cli/symbolise.hpp"

#include <fmt/core.h>

#include "analyze/symbolise.hpp"
#include "cli/command.hpp"
#include "cli/open_trace.hpp"
#include "cli/outputs.hpp"
#include "cli/wrappers.hpp"
#include "cli/write.hpp"
#include "code/tail_calls.hpp"

namespace reprise::cli {
namespace {

struct SymboliseOptions {
  std::vector<std::string> files;
  std::string program, wrappers;
};

void run(const SymboliseOptions& o) {
  for (const std::string& file : o.files) {
    trace::Trace t = open_trace(file, analyze::Use::structure);
    if (t.symbolised && o.program.empty() && o.wrappers.empty()) continue;
    check_writable(file);
    const std::string program = o.program.empty() ? t.program : o.program;
    write_output(std::move(t), program, file, Existing::replace, o.wrappers);
  }
}

}  // namespace

void name_frames(trace::Trace& trace) {
  const std::size_t first_jump = code::restore_tail_calls(trace);
  analyze::symbolise(trace, first_jump);
}

void add_symbolise(CLI::App& app) {
  auto o = std::make_shared<SymboliseOptions>();
  CLI::App* sub = app.add_subcommand(
      "symbolise", "Look up functions, files and lines for traces of `reprise record --print-env`");
  sub->add_option("files", o->files, "The traces; they are replaced")->required();
  sub->add_option("--program", o->program,
                  "The command line that was recorded, for the trace's header");
  add_wrappers_option(*sub, o->wrappers);
  sub->footer(
      "The program and its libraries must be where they were, and the same.\n\n"
      "Example: reprise symbolise --program 'srun ./app' app.reprise");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
