// reprise simulate: the time of a trace on a machine that is described.
#include <fmt/core.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/open_trace.hpp"
#include "cli/progress.hpp"
#include "cli/record/outputs.hpp"
#include "cli/simulate/machine_options.hpp"
#include "cli/simulate/simulate_report.hpp"
#include "cli/wrappers.hpp"
#include "convert/perfetto/timeline.hpp"

namespace reprise::cli {
namespace {

// Of which evenly spread computation is looked at.
constexpr std::size_t kMostSites = 5;

struct SimulateOptions {
  std::string file, wrappers;
  MachineOptions machine;
  std::string compute = "mean";
  std::string matching = "arrival";
  std::uint64_t seed = 1;
  std::string timeline;
  std::size_t top = 0;
  std::uint64_t work = simulate::Options().work;
  bool no_steady_state = false;
  bool in_order = false;
  bool tolerance = false;
  bool what_if = false;
  bool by_rank = false;
  bool force = false;
  bool json = false;
};

simulate::Options simulation_of(const SimulateOptions& o) {
  simulate::Options out;
  out.compute = o.compute == "mean"      ? simulate::Compute::mean
                : o.compute == "sampled" ? simulate::Compute::sampled
                                         : simulate::Compute::none;
  out.seed = o.seed;
  out.matching =
      o.matching == "arrival" ? simulate::Matching::arrival : simulate::Matching::recorded;
  out.steady_state = !o.no_steady_state;
  out.in_order = o.in_order;
  out.work = o.work;
  return out;
}

std::unique_ptr<convert::perfetto::Timeline> timeline_for(const SimulateOptions& o,
                                                          const trace::Trace& t) {
  if (o.timeline.empty()) return nullptr;
  check_writable(o.timeline);
  make_room({o.timeline}, o.force);
  return std::make_unique<convert::perfetto::Timeline>(t, o.timeline);
}

void run(const SimulateOptions& o) {
  check_suffix(o.timeline, "a timeline of Perfetto", {".pftrace", ".perfetto-trace"});
  trace::Trace t = open_trace(o.file, analyze::Use::states);
  warn_of_unfinished(t, o.file);
  set_wrappers(t, o.wrappers, o.file);
  const simulate::Machine machine = machine_of(o.machine);
  if (Status ok = machine.check(t.ranks); !ok) throw CommandError{ok.error().message};
  warn_of_losses(t, o.file);
  if (o.compute != "none") warn_of_shared_cores(t, o.file);
  simulate::Options options = simulation_of(o);
  options.paths = true;
  const auto timeline = timeline_for(o, t);
  options.observer = timeline.get();
  const auto refusal = [&](const Error& e) {
    return CommandError{fmt::format("{} cannot be simulated: {}", o.file, e.message)};
  };
  Progress progress("calls simulated", 0);
  if (progress.is_shown()) {
    progress.begin("calls simulated", calls_of(t));
    options.progress = [&](std::uint64_t calls) { progress.tell(calls); };
  }
  auto result = simulate::simulate(t, machine, options);
  if (!result) throw refusal(result.error());
  if (timeline) {
    if (Status ok = timeline->close(); !ok) throw CommandError{ok.error().message};
  }
  if (progress.is_shown()) progress.begin("calls simulated on an ideal network", calls_of(t));
  SimulationReport report{t, machine, *result, {}, {}, {}, o.what_if};
  options.paths = false;
  options.observer = nullptr;
  if (result->blocked.empty()) {
    const auto ideal = simulate::simulate(t, machine.with_ideal_network(), options);
    if (!ideal) throw refusal(ideal.error());
    report.efficiency = simulate::efficiency_of(*result, *ideal);
    report.changes = simulate::changes_for(machine, *result, *ideal, kMostSites);
    if (o.what_if) {
      if (progress.is_shown()) progress.begin("calls simulated of changed runs", 0);
      if (Status ok = simulate::try_changes(t, machine, options, *result, report.changes); !ok)
        throw refusal(ok.error());
    }
    if (o.tolerance) {
      auto found = simulate::tolerance_of(t, machine, options, *result, {0.01, 0.02, 0.05});
      if (!found) throw refusal(found.error());
      report.tolerances = *found;
    }
  }
  progress.end();
  if (timeline) say_written(o.timeline);
  print_notes(t, *result);
  if (o.json) print_simulation_json(report);
  if (print_deadlock(t, *result)) {
    const bool may_differ = result->in_order && options.matching == simulate::Matching::arrival;
    throw CommandError{may_differ ? "wildcards met other messages than when the run was recorded; "
                                    "try --wildcards recorded"
                                  : ""};
  }
  if (!o.json) print_simulation(report, o.top, o.by_rank);
}

}  // namespace

void add_simulate(CLI::App& app) {
  auto o = std::make_shared<SimulateOptions>();
  CLI::App* sub = app.add_subcommand("simulate", "Simulate a trace on a machine that you describe");
  sub->add_option("file", o->file, "The trace")->required();
  add_machine_options(*sub, o->machine);
  sub->add_option(
         "--compute", o->compute,
         "Compute times: mean, of each rank at each call site; sampled, from histograms; none")
      ->check(CLI::IsMember({"mean", "sampled", "none"}))
      ->capture_default_str();
  sub->add_option("--seed", o->seed, "Seed for --compute sampled")->capture_default_str();
  sub->add_option("--wildcards", o->matching,
                  "How wildcards and MPI_Waitany are matched: arrival, with what arrives first, or "
                  "recorded, as in the recorded run")
      ->check(CLI::IsMember({"arrival", "recorded"}))
      ->capture_default_str();
  sub->add_flag("--what-if", o->what_if,
                "Simulate the savings of half the latency, twice the bandwidth, balanced "
                "computation and other changes, each separately");
  sub->add_flag("--tolerance", o->tolerance,
                "Print by how much latency may grow until the run takes 1, 2 and 5 % longer");
  sub->add_option("--timeline", o->timeline,
                  "Write the run to a file for ui.perfetto.dev, such as run.pftrace");
  sub->add_flag("--force", o->force, "Overwrite an existing output");
  sub->add_flag("--no-steady-state", o->no_steady_state,
                "Iterate all loops instead of advancing steady states; the result is the same");
  sub->add_flag("--in-order", o->in_order,
                "Process events in order of time even where the order does not affect the result");
  sub->add_option("--work", o->work,
                  "Stop after this many calls and steps; steady states of loops count once")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  sub->add_flag("--by-rank", o->by_rank, "Print a row for each rank, too");
  sub->add_option("--top", o->top, "Print at most this many call sites")
      ->check(CLI::PositiveNumber);
  add_wrappers_option(*sub, o->wrappers);
  sub->add_flag("--json", o->json, "Print a JSON document with everything, times in seconds");
  sub->footer(
      "docs/simulate.md describes the models and the output.\n\n"
      "Examples: reprise simulate app.reprise --latency 2us --bandwidth 10GB/s --cpu-ratio 2\n"
      "          reprise simulate app.reprise --machine cluster.toml --timeline run.pftrace\n"
      "          reprise simulate app.reprise --latency 2us --what-if --top 10");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
