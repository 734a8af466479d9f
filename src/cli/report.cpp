#include "cli/report.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <optional>

#include "base/files.hpp"
#include "cli/analyze_report.hpp"
#include "cli/command.hpp"
#include "cli/info.hpp"
#include "cli/machine_options.hpp"
#include "cli/open_trace.hpp"
#include "cli/outputs.hpp"
#include "cli/progress.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "cli/wrappers.hpp"
#include "diagnose/diagnosis.hpp"
#include "report/page.hpp"
#include "report/page_data.hpp"

namespace reprise::cli {
namespace {

struct ReportOptions {
  std::string file, wrappers;
  std::string output = "report.html";
  MachineOptions machine;
  bool force = false;
};

void check_output(const ReportOptions& o) {
  check_writable(o.output);
  std::error_code error;
  if (!o.force && std::filesystem::exists(o.output, error)) {
    throw CommandError{fmt::format(
        "{} exists (existing files are not overwritten); add --force, or choose another name",
        o.output)};
  }
}

// What `reprise analyze` finds; nothing where the run cannot be simulated to its end.
std::optional<nlohmann::ordered_json> findings_json(const trace::Trace& t,
                                                    const simulate::Machine& machine) {
  diagnose::Options options;
  Progress progress("calls simulated", 0);
  if (progress.is_shown()) {
    const std::uint64_t calls = calls_of(t);
    options.stage = [&progress, calls](const char*) { progress.begin("calls simulated", calls); };
    options.simulation.progress = [&](std::uint64_t done) { progress.tell(done); };
  }
  const auto found = diagnose::diagnose(t, machine, options);
  progress.end();
  if (!found || !found->run.blocked.empty()) return std::nullopt;
  auto out = nlohmann::ordered_json::array();
  for (const diagnose::Finding& f : found->findings) {
    out.push_back({{"title", diagnose::text_of(f.kind).title},
                   {"lines", finding_lines(t, f)},
                   {"cost_s", static_cast<double>(f.cost) * 1e-12},
                   {"is_bound", f.is_bound},
                   {"share", f.share},
                   {"call", f.call}});
  }
  return out;
}

void run(const ReportOptions& o) {
  check_output(o);
  trace::Trace t = open_trace(o.file, analyze::Use::states);
  set_wrappers(t, o.wrappers, o.file);
  nlohmann::ordered_json settings = nlohmann::ordered_json::array();
  for (const simulate::Setting& s : settings_of(o.machine)) settings.push_back({s.key, s.value});
  const simulate::Machine machine = machine_of(o.machine);
  if (Status ok = machine.check(t.ranks); !ok) throw CommandError{ok.error().message};
  nlohmann::ordered_json data = take(report::page_data(t));
  data["version"] = REPRISE_VERSION;
  data["file"] = std::filesystem::path(o.file).filename().string();
  data["info"] = info_json(t, o.file);
  data["settings"] = std::move(settings);
  if (auto findings = findings_json(t, machine)) data["findings"] = std::move(*findings);
  const std::string page = report::page_of(data, trace::encode_body(t));
  if (!report::has_engine()) {
    say(stderr,
        "reprise: note: the page has no timeline and no simulation (this reprise was built without "
        "a compiler for WebAssembly)\n");
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(page.data());
  if (Status ok = write_file(o.output, {bytes, page.size()}); !ok) {
    throw CommandError{fmt::format("{} cannot be written ({}); make room, or choose another file",
                                   o.output, ok.error().message)};
  }
}

}  // namespace

void add_report(CLI::App& app) {
  auto o = std::make_shared<ReportOptions>();
  CLI::App* sub = app.add_subcommand("report", "Make one page for a browser that shows a trace");
  sub->add_option("file", o->file, "The trace")->required();
  sub->add_option("-o,--output", o->output, "The page")->capture_default_str();
  sub->add_flag("--force", o->force, "Overwrite that file");
  add_machine_options(*sub, o->machine);
  add_wrappers_option(*sub, o->wrappers);
  sub->footer(
      "The page is one file that needs no network and no server: open it with a double click, or\n"
      "mail it. It holds the trace, draws any moment of the run, and simulates the run anew while\n"
      "a slider moves. The options of a machine say where the sliders begin, as in `simulate`.\n"
      "docs/report.md shows what is on it.\n\n"
      "Examples: reprise report app.reprise -o app.html\n"
      "          reprise report app.reprise -o app.html --latency 2us --bandwidth 25GB/s");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
