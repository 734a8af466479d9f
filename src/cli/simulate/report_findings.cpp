#include "cli/simulate/report_findings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/open_trace.hpp"
#include "cli/progress.hpp"
#include "cli/simulate/analyze_report.hpp"
#include "cli/text.hpp"
#include "diagnose/diagnosis.hpp"
#include "diagnose/diagnosis_json.hpp"
#include "simulate/results/outcome_json.hpp"
#include "trace/calls/call_names.hpp"
#include "trace/calls/one_program.hpp"

namespace reprise::cli {

using nlohmann::ordered_json;
using simulate::seconds;

namespace {

ordered_json json_of(const trace::CallNames& names, const diagnose::Diagnosis& d,
                     const diagnose::Finding& f) {
  const diagnose::FindingText& text = diagnose::text_of(f.kind);
  ordered_json out{{"id", text.id},
                   {"title", text.title},
                   {"where", names.text(f.call)},
                   {"ranks", ranks_text(f.ranks)},
                   {"number_of_ranks", f.ranks.size()},
                   {"lines", finding_lines(names, f)},
                   {"definition", text.definition},
                   {"cost", text.cost},
                   {"cost_s", seconds(f.cost)},
                   {"is_bound", f.is_bound},
                   {"share", f.share},
                   {"is_of_run", diagnose::is_of_run(f.kind)},
                   {"executions", executions_text(f.executions)},
                   {"call", f.call},
                   {"in_main_loop", d.main_loop && std::ranges::find(d.main_loop->calls, f.call) !=
                                                       d.main_loop->calls.end()}};
  if (f.whole > 0) out["whole_s"] = seconds(f.whole);
  const std::uint32_t named = diagnose::is_of_run(f.kind) ? f.call : f.cause;
  if (named != diagnose::kNowhere) out["named"] = {{"call", named}, {"where", names.text(named)}};
  if (f.same_as) out["same_as"] = *f.same_as;
  return out;
}

// As Engine::simulate() has it, in the page's short form.
ordered_json summary_of(const trace::Trace& t, const simulate::Machine& machine,
                        const diagnose::Diagnosis& d) {
  simulate::PathShare path;
  for (const simulate::PathShare& p : d.run.path) path += p;
  ordered_json out = simulate::run_json(t, machine, d.run, d.efficiency);
  if (d.variation) out["varying_time_s"] = seconds(d.variation->time);
  if (d.balance_without_long) out["load_balance_without_long_executions"] = *d.balance_without_long;
  if (d.main_loop) out["iteration"] = d.main_loop->share / static_cast<double>(d.main_loop->trips);
  if (const auto rest = diagnose::unexplained(d, t); rest > 0) out["unexplained_s"] = seconds(rest);
  out["is_far_from_recorded"] = diagnose::is_far_from_recorded(d, t);
  out["path"] = {{"computation_s", seconds(path.compute)},
                 {"latency_s", seconds(path.latency)},
                 {"transfer_s", seconds(path.transfer)}};
  return out;
}

}  // namespace

void add_findings(ordered_json& data, const trace::Trace& t, const simulate::Machine& machine) {
  diagnose::Options options;
  Progress progress("calls simulated", 0);
  if (progress.is_shown()) {
    const std::uint64_t calls = calls_of(t);
    options.stage = [&progress, calls](const char*) { progress.begin("calls simulated", calls); };
    options.simulation.progress = [&](std::uint64_t done) { progress.tell(done); };
  }
  const auto found = diagnose::diagnose(t, machine, options);
  progress.end();
  if (!found || !found->run.blocked.empty()) return;
  data["findings"] = ordered_json::array();
  const trace::CallNames names(t);
  for (const diagnose::Finding& f : found->findings)
    data["findings"].push_back(json_of(names, *found, f));
  data["simulated"] = summary_of(t, machine, *found);
}

void add_scaling(ordered_json& data, const std::vector<std::string>& files,
                 const simulate::Machine& machine) {
  struct Run {
    std::string file;
    diagnose::ScalingPoint point;
  };
  std::vector<Run> runs;
  trace::OneProgram program;
  for (const std::string& file : files) {
    const trace::Trace t = open_trace(file, analyze::Use::states);
    take(program.add(t, file));
    if (Status ok = machine.check(t.ranks); !ok) throw CommandError{ok.error().message};
    const auto run = simulate::simulate(t, machine, {});
    if (!run)
      throw CommandError{fmt::format("{} cannot be simulated: {}", file, run.error().message)};
    if (!run->blocked.empty()) {
      throw CommandError{fmt::format(
          "{} has no efficiencies (its simulated run ends in a deadlock); see `reprise simulate "
          "{}`, or leave it out",
          file, file)};
    }
    const auto ideal = simulate::simulate(t, machine.with_ideal_network(), {});
    if (!ideal)
      throw CommandError{fmt::format("{} cannot be simulated: {}", file, ideal.error().message)};
    runs.push_back({std::filesystem::path(file).filename().string(),
                    diagnose::point_of(t.ranks, *run, *ideal)});
  }
  std::ranges::stable_sort(runs, {}, [](const Run& r) { return r.point.ranks; });
  std::vector<diagnose::ScalingPoint> points;
  std::vector<std::string> names;
  for (const Run& r : runs) {
    points.push_back(r.point);
    names.push_back(r.file);
  }
  data["scaling"] = diagnose::json_of(diagnose::scaling_of(std::move(points)));
  data["scaling"]["files"] = names;
}

}  // namespace reprise::cli
