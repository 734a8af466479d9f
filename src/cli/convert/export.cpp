// reprise export: a trace for other people's viewers and simulators.
#include <fmt/core.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "cli/command.hpp"
#include "cli/convert/export_flat.hpp"
#include "cli/convert/export_mpip.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/open_trace.hpp"
#include "cli/progress.hpp"
#include "cli/record/outputs.hpp"
#include "cli/say.hpp"
#include "cli/simulate/machine_options.hpp"
#include "convert/dimemas_machine.hpp"
#include "convert/write.hpp"

namespace reprise::cli {
namespace {

struct ExportOptions {
  std::string file, output;
  std::string format;
  MachineOptions machine;
  FlatExportOptions flat;
  MpipExportOptions mpip;
  double flops = 1e9;
  bool force = false;
};

convert::Format format_of(const std::string& word) {
  return word == "goal" ? convert::Format::goal
         : word == "ti" ? convert::Format::ti
                        : convert::Format::dimemas;
}

std::string default_output(const ExportOptions& o) {
  static const std::map<std::string, const char*> kSuffixes{
      {"goal", ".goal"}, {"ti", ".ti"},       {"dimemas", ".dim"},
      {"otf2", "-otf2"}, {"paraver", ".prv"}, {"perfetto", ".pftrace"},
      {"mpip", ".mpiP"}};
  return std::filesystem::path(o.file).stem().string() + kSuffixes.at(o.format);
}

void run(ExportOptions o) {
  if (o.output.empty()) o.output = default_output(o);
  std::error_code error;
  if (std::filesystem::equivalent(o.file, o.output, error))
    throw CommandError{o.output + " is the trace itself; choose another -o"};
  if (is_flat_format(o.format)) return export_flat(o.file, o.format, o.output, o.flat, o.force);
  if (has_range(o.flat)) {
    throw CommandError{
        fmt::format("--format {} has no --ranks, --from or --until (it covers the whole run); "
                    "omit them, or export as otf2, paraver or perfetto",
                    o.format),
        2};
  }
  if (o.format == "mpip") return export_mpip(o.file, o.output, o.mpip, o.force);
  const trace::Trace t = open_trace(o.file, analyze::Use::states);
  warn_of_unfinished(t, o.file);
  const convert::Format format = format_of(o.format);
  for (const std::string& file : convert::files_of(format, o.output, t.ranks)) {
    check_new(file, o.force);
  }
  if (format == convert::Format::dimemas && o.output.find_first_of(",\"}") != std::string::npos) {
    throw CommandError{o.output +
                       " cannot be named in Dimemas's configuration (it has a comma, a quotation "
                       "mark or a brace); choose another -o"};
  }
  const simulate::Machine machine = machine_of(o.machine);
  // Dimemas divides computation itself, as the configuration says.
  simulate::Machine collected = machine;
  if (format == convert::Format::dimemas) collected.cpu_ratio = 1;
  if (Status ok = convert::check_dimemas(machine, t.ranks);
      format == convert::Format::dimemas && !ok)
    throw CommandError{ok.error().message};
  const auto steps = convert::Steps::beside(o.output, t.ranks);
  if (!steps) {
    throw CommandError{o.output +
                       ".steps cannot be made (the export keeps its steps there); "
                       "choose another folder"};
  }
  Progress progress("calls simulated", 0);
  convert::Collecting how{.has_meetings = format == convert::Format::dimemas, .options = {}};
  if (progress.is_shown()) {
    progress.begin("calls simulated", calls_of(t));
    how.options.progress = [&](std::uint64_t calls) { progress.tell(calls); };
  }
  if (Status ok = convert::collect(t, collected, how, *steps); !ok)
    throw CommandError{fmt::format("{} cannot be exported: {}", o.file, ok.error().message)};
  progress.begin("ranks written", t.ranks);
  const auto tell = [&](std::uint64_t ranks) { progress.tell(ranks); };
  if (Status ok =
          convert::write_steps(*steps, format, o.output, {o.flops, t.program, machine, tell});
      !ok)
    throw CommandError{ok.error().message};
  progress.end();
  say_written(o.output);
  if (format == convert::Format::dimemas) {
    say("Dimemas simulates it, in this folder, with: Dimemas {0} --dim {1} --config-file {1}.cfg\n",
        convert::dimemas_options(machine), o.output);
  }
}

}  // namespace

void add_export(CLI::App& app) {
  auto o = std::make_shared<ExportOptions>();
  CLI::App* sub = app.add_subcommand("export", "Convert a trace to the format of another tool");
  sub->add_option("file", o->file, "The trace")->required();
  sub->add_option("--format", o->format,
                  "otf2 (Vampir, Scalasca), paraver, perfetto (ui.perfetto.dev), goal (LogGOPSim, "
                  "ATLAHS), ti "
                  "(SimGrid), dimemas, or mpip (a report in the form of mpiP)")
      ->required()
      ->transform(CLI::IsMember({"dimemas", "goal", "mpip", "otf2", "paraver", "perfetto", "ti"},
                                CLI::ignore_case));
  sub->add_option(
      "-o,--output", o->output,
      "The output (by default the trace's name with the format's suffix, in the working folder); "
      "otf2: the folder of the archive; paraver: FILE.prv, with FILE.pcf and "
      "FILE.row beside it; perfetto: the trace; ti: a list of files, one for each rank beside "
      "it; dimemas: the trace, and the machine beside it as FILE.cfg; mpip: the report");
  add_flat_options(*sub, o->flat);
  add_mpip_options(*sub, o->mpip);
  add_machine_file_options(*sub, o->machine);
  sub->add_option("--flops", o->flops, "ti: the speed of a host of your platform [flop/s]")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  sub->add_flag("--force", o->force, "Overwrite existing outputs");
  sub->footer(
      "Except mpip, these formats have no loops: the size of the output grows with the length of "
      "the run. otf2, "
      "paraver and perfetto\nhave the calls of the trace with their mean times, mpip the totals of "
      "call sites on each rank (docs/import.md). "
      "For simulators, collectives are written as the\nmessages of their algorithms "
      "(docs/simulate.md), and wildcards get the messages that they match on the "
      "machine.\n\nExamples: reprise export app.reprise --format otf2 -o app-otf2 --ranks 0-15\n"
      "          reprise export app.reprise --format paraver -o app.prv --from 2s --until 2.5s\n"
      "          reprise export app.reprise --format perfetto -o app.pftrace\n"
      "          reprise export app.reprise --format goal -o app.goal\n"
      "          reprise export app.reprise --format mpip -o app.mpiP --depth 2");
  sub->callback([o, sub] {
    if (o->format != "mpip" && sub->count("--depth") + sub->count("--wrappers") > 0) {
      throw CommandError{
          fmt::format("--format {} has no --depth or --wrappers (they select the call sites of an "
                      "mpiP report); omit them, or export as mpip",
                      o->format),
          2};
    }
    const bool is_for_simulators = !is_flat_format(o->format) && o->format != "mpip";
    if (!is_for_simulators &&
        sub->count("--machine") + sub->count("--set") + sub->count("--flops") > 0) {
      throw CommandError{
          fmt::format("--format {} has no --machine, --set or --flops (they describe "
                      "a machine to simulators); omit them",
                      o->format),
          2};
    }
    run(*o);
  });
}

}  // namespace reprise::cli
