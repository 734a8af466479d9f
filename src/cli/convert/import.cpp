// reprise import: a trace of another tool as a trace of ours.
#include <fmt/core.h>

#include <filesystem>
#include <functional>
#include <utility>

#include "cli/command.hpp"
#include "cli/look/end_report.hpp"
#include "cli/progress.hpp"
#include "cli/record/outputs.hpp"
#include "cli/write.hpp"
#include "convert/paraver/import.hpp"
#include "convert/text/import.hpp"
#include "trace/file/file.hpp"
#include "trace/file/flat_log.hpp"
#ifdef REPRISE_HAS_OTF2
#include "convert/otf2/import.hpp"
#endif

namespace reprise::cli {
namespace {

namespace fs = std::filesystem;

struct ImportOptions {
  std::string source, output = "imported.reprise", program;
  double time_precision = 1;  // [%]
  bool force = false;
};

Result<trace::Trace> import_otf2(const std::string& path, const convert::ImportSettings& settings) {
#ifdef REPRISE_HAS_OTF2
  return convert::otf2::import_archive(path, settings);
#else
  (void)settings;
  return Error{path +
               " cannot be imported (this reprise was built without the OTF2 library); install "
               "libotf2-trace-dev and build it again"};
#endif
}

using Importer = std::function<Result<trace::Trace>(const convert::ImportSettings&)>;

// Chosen by the name and kind of the source. An error if there is no such source.
Result<Importer> importer_of(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    return Error{fmt::format("{} cannot be read ({}); check its name", path,
                             error ? error.message() : "No such file or directory")};
  const auto by = [](auto import, auto from) -> Importer {
    return [=](const convert::ImportSettings& settings) { return import(from, settings); };
  };
  // Archives are folders: people name either.
  if (fs::is_directory(status)) {
    const fs::path anchor = fs::path(path) / "traces.otf2";
    if (fs::exists(anchor, error)) return by(import_otf2, anchor.string());
  }
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".otf2") return by(import_otf2, path);
  if (extension == ".prv") return by(convert::paraver::import_trace, path);
  if (fs::is_directory(status) || trace::is_flat_log(path)) {
    auto logs =
        fs::is_directory(status) ? trace::find_flat_logs(path) : trace::arrange_flat_logs({path});
    if (!logs) return logs.error();
    return by(convert::text::import_logs, *std::move(logs));
  }
  if (path.ends_with(".prv.gz")) {
    return Error{path + " is compressed; unpack it with `gunzip " + path + "` first",
                 Error::Kind::usage};
  }
  if (trace::read_trace(path, trace::Accept::scalable_too)) {
    return Error{path +
                     " is a trace of reprise already (import converts those of other tools); use "
                     "it as it is",
                 Error::Kind::usage};
  }
  return Error{path +
                   " has no known suffix (.otf2 is OTF2, .prv Paraver, a folder of "
                   ".log files flat text); give the trace of a tool that `reprise import -h` lists",
               Error::Kind::usage};
}

void run(const ImportOptions& o) {
  const Importer import = take(importer_of(o.source));
  check_new(o.output, o.force);
  Progress progress("", 0);
  std::string counted;
  convert::ImportSettings settings;
  settings.times.precision = o.time_precision;
  settings.scratch = o.output + ".sorting";
  settings.progress = [&](const char* what, std::uint64_t done, std::uint64_t total) {
    if (std::exchange(counted, what) != what) progress.begin(what, total);
    progress.tell(done);
  };
  trace::Trace imported = take(import(settings));
  progress.end();
  const std::string program = o.program.empty() ? imported.program : o.program;
  write_output(std::move(imported), program, o.output,
               o.force ? Existing::replace : Existing::keep);
  say_end(take(trace::read_trace(o.output)));
}

}  // namespace

void add_import(CLI::App& app) {
  auto o = std::make_shared<ImportOptions>();
  CLI::App* sub = app.add_subcommand("import", "Convert a trace of another tool");
  sub->add_option(
         "source", o->source,
         "An OTF2 archive of Score-P, Extrae or TAU: its file traces.otf2; a Paraver trace of "
         "Extrae: FILE.prv, with FILE.pcf beside it; or a folder of flat text, "
         "rank-RANK-thread-THREAD.log (docs/import.md)")
      ->required();
  sub->add_option("-o,--output", o->output, "The trace to write")->capture_default_str();
  sub->add_option("--program", o->program, "The recorded command line, for the trace's header");
  sub->add_option("--time-precision", o->time_precision,
                  "Precision of times [%]; 0: exact (docs/times.md)")
      ->check(CLI::Range(0.0, 50.0))
      ->capture_default_str();
  sub->add_flag("--force", o->force, "Overwrite an existing output");
  sub->footer(
      "The trace has the calls, times and call paths of the source; `reprise info` reports what "
      "the source format lacks\nand what was lost.\n\n"
      "Examples: reprise import scorep-20260101_1200/traces.otf2 -o app.reprise\n"
      "          reprise import app.prv -o app.reprise\n"
      "          reprise import logs -o app.reprise");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
