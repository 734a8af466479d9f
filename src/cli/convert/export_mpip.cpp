#include "cli/convert/export_mpip.hpp"

#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/open_trace.hpp"
#include "cli/record/outputs.hpp"
#include "cli/wrappers.hpp"
#include "convert/mpip/export.hpp"

namespace reprise::cli {

void add_mpip_options(CLI::App& sub, MpipExportOptions& o) {
  sub.add_option("--depth", o.depth,
                 "mpip: frames of the call path that distinguish call sites, like mpiP's -k")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_wrappers_option(sub, o.wrappers);
}

void export_mpip(const std::string& file, const std::string& output, const MpipExportOptions& o,
                 bool force) {
  trace::Trace t = open_trace(file, analyze::Use::states);
  require_times(t, file);
  set_wrappers(t, o.wrappers, file);
  warn_of_unfinished(t, file);
  check_writable(output);
  make_room({output}, force);
  const std::string writer = "reprise " REPRISE_VERSION " from a trace";
  if (Status ok = convert::mpip::export_report(t, output, {o.depth, writer}); !ok) {
    throw CommandError{fmt::format("{} cannot be exported as mpip ({})", file, ok.error().message)};
  }
  say_written(output);
}

}  // namespace reprise::cli
