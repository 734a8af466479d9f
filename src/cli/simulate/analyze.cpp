// reprise analyze: what costs time in a run, and why.
#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/nearest.hpp"
#include "cli/command.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/open_trace.hpp"
#include "cli/progress.hpp"
#include "cli/record/outputs.hpp"
#include "cli/say.hpp"
#include "cli/simulate/analyze_report.hpp"
#include "cli/simulate/machine_options.hpp"
#include "cli/simulate/simulate_report.hpp"
#include "cli/wrappers.hpp"
#include "diagnose/diagnosis_json.hpp"
#include "diagnose/messages.hpp"
#include "trace/calls/one_program.hpp"

namespace reprise::cli {
namespace {

struct AnalyzeOptions {
  std::vector<std::string> files;
  std::string wrappers;
  MachineOptions machine;
  std::int64_t ranks_per_node = 0;
  std::string matching = "arrival";
  double threshold = 1;  // [%]
  std::string explain;
  std::string matrix = "blocks";
  std::string quantity = "bytes";
  std::string output;
  std::uint64_t work = simulate::Options().work;
  std::size_t top = 0;
  bool force = false;
  bool json = false;
};

CommandError refusal(const std::string& file, const Error& e) {
  return CommandError{fmt::format("{} cannot be analyzed: {}", file, e.message)};
}

simulate::Machine machine_for(const AnalyzeOptions& o) {
  MachineOptions options = o.machine;
  if (o.ranks_per_node > 0)
    options.settings.push_back(fmt::format("node.processors={}", o.ranks_per_node));
  return machine_of(options);
}

diagnose::Options options_of(const AnalyzeOptions& o) {
  diagnose::Options out;
  out.simulation.matching =
      o.matching == "arrival" ? simulate::Matching::arrival : simulate::Matching::recorded;
  out.simulation.work = o.work;
  out.least_share = o.threshold / 100;
  return out;
}

trace::Trace open(const AnalyzeOptions& o, const std::string& file,
                  const simulate::Machine& machine) {
  trace::Trace t = open_trace(file, analyze::Use::states);
  warn_of_unfinished(t, file);
  set_wrappers(t, o.wrappers, file);
  if (Status ok = machine.check(t.ranks); !ok) throw CommandError{ok.error().message};
  warn_of_losses(t, file);
  return t;
}

void end_at_deadlock(const trace::Trace& t, const simulate::Outcome& run,
                     const simulate::Options& options) {
  if (!print_deadlock(t, run)) return;
  const bool may_differ = run.in_order && options.matching == simulate::Matching::arrival;
  throw CommandError{may_differ ? "wildcards met other messages than when the run was recorded; "
                                  "try --wildcards recorded"
                                : ""};
}

void check_output(const AnalyzeOptions& o) {
  if (o.matrix == "dense" && o.output.empty())
    throw CommandError{
        "--matrix dense needs a file (it has a number for each pair of ranks); add "
        "-o FILE.csv or -o FILE.npy",
        2};
  if (o.output.empty()) return;
  if (o.matrix != "dense")
    throw CommandError{"-o is for a matrix (all else is printed); add --matrix dense", 2};
  if (!o.output.ends_with(".csv") && !o.output.ends_with(".npy"))
    throw CommandError{
        fmt::format(
            "{} is not a valid name for a matrix (the suffix selects the format); use a name that "
            "ends in .csv or .npy",
            o.output),
        2};
  check_new(o.output, o.force);
}

void write_matrix(const AnalyzeOptions& o, const trace::Trace& t, const diagnose::Messages& m) {
  const auto quantity =
      o.quantity == "bytes" ? diagnose::Quantity::bytes : diagnose::Quantity::messages;
  if (Status ok = diagnose::write_dense(m, t.ranks, quantity, o.output); !ok)
    throw CommandError{ok.error().message};
  say_written(o.output);
}

void analyze_one(const AnalyzeOptions& o) {
  const std::string& file = o.files.front();
  const simulate::Machine machine = machine_for(o);
  const trace::Trace t = open(o, file, machine);
  warn_of_shared_cores(t, file);
  // Printed before the simulation, which may end at a deadlock itself.
  const std::string blocked = o.json ? std::string() : blocked_report(t);
  if (!blocked.empty()) say(stdout, "{}\n", blocked);
  diagnose::Options options = options_of(o);
  Progress progress("calls simulated", 0);
  if (progress.is_shown()) {
    const std::uint64_t calls = calls_of(t);
    options.stage = [&progress, calls](const char* what) {
      progress.begin(*what ? fmt::format("calls simulated {}", what) : "calls simulated", calls);
    };
    options.simulation.progress = [&](std::uint64_t done) { progress.tell(done); };
  }
  const auto found = diagnose::diagnose(t, machine, options);
  progress.end();
  if (!found) throw refusal(file, found.error());
  print_notes(t, found->run);
  end_at_deadlock(t, found->run, options.simulation);
  if (o.matrix == "dense") write_matrix(o, t, found->messages);
  if (o.json) {
    nlohmann::ordered_json out = diagnose::json_of(t, *found);
    if (auto unfinished = unfinished_json(t); !unfinished.is_null())
      out["unfinished"] = std::move(unfinished);
    return say_json(out);
  }
  print_diagnosis(t, machine, *found, options.least_share, o.top);
}

diagnose::ScalingPoint point_of(const AnalyzeOptions& o, const std::string& file,
                                const simulate::Machine& machine, trace::OneProgram& program,
                                SharedCores& cores) {
  const trace::Trace t = open(o, file, machine);
  take(program.add(t, file));
  cores.add(t, file);
  const simulate::Options options = options_of(o).simulation;
  const auto run = simulate::simulate(t, machine, options);
  if (!run) throw refusal(file, run.error());
  end_at_deadlock(t, *run, options);
  const auto ideal = simulate::simulate(t, machine.with_ideal_network(), options);
  if (!ideal) throw refusal(file, ideal.error());
  return diagnose::point_of(t.ranks, *run, *ideal);
}

void analyze_several(const AnalyzeOptions& o) {
  const simulate::Machine machine = machine_for(o);
  std::vector<diagnose::ScalingPoint> points;
  trace::OneProgram program;
  SharedCores cores;
  for (const std::string& file : o.files)
    points.push_back(point_of(o, file, machine, program, cores));
  cores.warn();
  const diagnose::Scaling scaling = diagnose::scaling_of(std::move(points));
  if (o.json) return say_json(diagnose::json_of(scaling));
  print_scaling(scaling);
}

constexpr const char* kAllFindings = "all";

std::vector<std::string> finding_names() {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < diagnose::kFindingKinds; ++k)
    out.emplace_back(diagnose::text_of(static_cast<diagnose::FindingKind>(k)).id);
  return out;
}

void explain(const std::string& id) {
  if (id == kAllFindings) return print_explanations();
  const auto kind = diagnose::find_finding(id);
  if (!kind) {
    const std::string near = nearest(finding_names(), id);
    throw CommandError{
        fmt::format("{} is not known as a finding ({}); `reprise analyze --explain` lists them", id,
                    near.empty() ? "findings have other names" : "did you mean " + near + "?"),
        2};
  }
  print_explanation(*kind);
}

void run(const AnalyzeOptions& o) {
  if (!o.explain.empty()) return explain(o.explain);
  if (o.files.empty())
    throw CommandError{"there is no trace to analyze (none is named); name a file", 2};
  check_output(o);
  if (o.files.size() == 1) return analyze_one(o);
  if (o.matrix == "dense")
    throw CommandError{"--matrix dense is of one trace (several are given); name one", 2};
  analyze_several(o);
}

}  // namespace

void add_analyze(CLI::App& app) {
  auto o = std::make_shared<AnalyzeOptions>();
  CLI::App* sub = app.add_subcommand(
      "analyze", "Find what costs time: wait states and their causes, imbalance, messages");
  sub->add_option(
      "files", o->files,
      "The trace; with several, of different numbers of ranks, prints a table of efficiencies");
  add_machine_options(*sub, o->machine);
  sub->add_option("--ranks-per-node", o->ranks_per_node,
                  "The number of ranks per node (node.processors)")
      ->check(CLI::PositiveNumber);
  sub->add_option("--threshold", o->threshold, "The least cost of a finding [% of the run's time]")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  sub->add_option("--explain", o->explain,
                  "Explain a finding, such as late-sender; all, or no name: list them")
      ->type_name("ID")
      ->expected(0, 1)
      ->default_str(kAllFindings);
  sub->add_option(
         "--matrix", o->matrix,
         "Messages between ranks: blocks of ranks with equal communication, or dense, to a file")
      ->check(CLI::IsMember({"blocks", "dense"}))
      ->capture_default_str();
  sub->add_option(
         "-o,--output", o->output,
         "The file for a dense matrix, with a row for each sender; .csv, or .npy for NumPy")
      ->type_name("FILE");
  sub->add_option("--quantity", o->quantity, "The values of a dense matrix")
      ->check(CLI::IsMember({"bytes", "messages"}))
      ->capture_default_str();
  sub->add_flag("--force", o->force, "Overwrite an existing output");
  sub->add_option("--wildcards", o->matching,
                  "How wildcards and MPI_Waitany are matched: arrival, with what arrives first, or "
                  "recorded, as in the recorded run")
      ->check(CLI::IsMember({"arrival", "recorded"}))
      ->capture_default_str();
  sub->add_option("--work", o->work,
                  "Stop after this many calls and steps; steady states of loops count once")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  sub->add_option("--top", o->top, "Print at most this many rows of each table")
      ->check(CLI::PositiveNumber);
  add_wrappers_option(*sub, o->wrappers);
  sub->add_flag("--json", o->json, "Print a JSON document with everything, times in seconds");
  sub->footer(
      "The trace is simulated on the machine that the options describe; docs/analysis.md "
      "defines\nthe findings and their costs.\n\n"
      "Examples: reprise analyze app.reprise\n"
      "          reprise analyze app.reprise --latency 2us --ranks-per-node 32 --set "
      "node.latency=300ns\n"
      "          reprise analyze app16.reprise app64.reprise app256.reprise\n"
      "          reprise analyze app.reprise --matrix dense -o app.npy\n"
      "          reprise analyze --explain late-sender");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
