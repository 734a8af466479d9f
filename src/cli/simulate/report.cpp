#include "cli/simulate/report.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "base/files.hpp"
#include "cli/command.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/look/info.hpp"
#include "cli/open_trace.hpp"
#include "cli/record/outputs.hpp"
#include "cli/say.hpp"
#include "cli/simulate/machine_options.hpp"
#include "cli/simulate/report_findings.hpp"
#include "cli/wrappers.hpp"
#include "report/page.hpp"
#include "report/page_data.hpp"
#include "report/sources.hpp"

namespace reprise::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> files;
  std::string wrappers, source;
  std::string output = "report.html";
  MachineOptions machine;
  bool force = false;
};

// How many of the sources are not on the page, and the first of them; the page names all.
void tell_missing(const nlohmann::ordered_json& sources, const std::string& folder) {
  const auto& missing = sources["missing"];
  if (missing.empty()) return;
  say(stderr, "reprise: note: {} of {} source files are not on the page; of {}: {} (--source {})\n",
      missing.size(), missing.size() + sources["files"].size(),
      missing[0]["name"].get<std::string>(), missing[0]["why"].get<std::string>(), folder);
}

void run(const ReportOptions& o) {
  check_suffix(o.output, "a page", {".html", ".htm"});
  check_new(o.output, o.force);
  const std::string& file = o.files.front();
  trace::Trace t = open_trace(file, analyze::Use::states);
  set_wrappers(t, o.wrappers, file);
  nlohmann::ordered_json settings = nlohmann::ordered_json::array();
  for (const simulate::Setting& s : settings_of(o.machine)) settings.push_back({s.key, s.value});
  const simulate::Machine machine = machine_of(o.machine);
  if (Status ok = machine.check(t.ranks); !ok) throw CommandError{ok.error().message};
  nlohmann::ordered_json data = take(report::page_data(t));
  data["version"] = REPRISE_VERSION;
  data["file"] = std::filesystem::path(file).filename().string();
  data["info"] = info_json(t, file);
  data["blocked"] = blocked_report(t);
  data["settings"] = std::move(settings);
  add_findings(data, t, machine);
  if (o.files.size() > 1) add_scaling(data, o.files, machine);
  if (!o.source.empty()) {
    data["sources"] = take(report::sources_of(t, o.source));
    tell_missing(data["sources"], o.source);
  }
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
  say_written(o.output);
}

}  // namespace

void add_report(CLI::App& app) {
  auto o = std::make_shared<ReportOptions>();
  CLI::App* sub = app.add_subcommand("report", "Write a page for a browser that shows a trace");
  sub->add_option("files", o->files,
                  "The trace, and optionally others of the same program on different numbers of "
                  "ranks, to compare efficiencies")
      ->required();
  sub->add_option("-o,--output", o->output, "The page to write")->capture_default_str();
  sub->add_flag("--force", o->force, "Overwrite an existing output");
  sub->add_option("--source", o->source,
                  "A folder with the program's source files; the page includes their text")
      ->type_name("DIR");
  add_machine_options(*sub, o->machine);
  add_wrappers_option(*sub, o->wrappers);
  sub->footer(
      "The page is one file that needs no network and no server: open it with a double click, "
      "or\nmail it. It holds the trace, draws any part of the run at any zoom level, and simulates "
      "the\nrun again while you move a slider. The machine options, as in `simulate`, set the "
      "initial\npositions of the sliders.\n"
      "docs/report.md describes the page.\n\n"
      "Examples: reprise report app.reprise -o app.html\n"
      "          reprise report app.reprise -o app.html --latency 2us --bandwidth 25GB/s\n"
      "          reprise report app64.reprise app16.reprise app4.reprise -o app.html --source src");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
