#include "cli/convert/export_flat.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "cli/command.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/open_trace.hpp"
#include "cli/progress.hpp"
#include "cli/record/outputs.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "convert/flat/range.hpp"
#include "convert/paraver/export.hpp"
#include "convert/perfetto/export.hpp"
#ifdef REPRISE_HAS_OTF2
#include "convert/otf2/export.hpp"
#endif

namespace reprise::cli {
namespace {

// "4-7", "4".
void set_ranks(const std::string& text, std::uint64_t ranks, convert::FlatRange& range) {
  const char *const begin = text.data(), *const end = begin + text.size();
  const auto first = std::from_chars(begin, end, range.first_rank);
  bool is_right = first.ec == std::errc();
  range.last_rank = range.first_rank;
  if (is_right && first.ptr != end) {
    const auto last = std::from_chars(first.ptr + 1, end, range.last_rank);
    is_right = *first.ptr == '-' && last.ec == std::errc() && last.ptr == end;
  }
  if (is_right && range.first_rank <= range.last_rank && range.last_rank < ranks) return;
  throw CommandError{
      fmt::format("--ranks {} is not a range of ranks (the trace has {}); say one such as 0-{}",
                  text, counted(ranks, "rank"), ranks - 1),
      2};
}

std::int64_t time_of(const std::string& option, const std::string& text) {
  const std::optional<double> ns = parse_duration(text);
  if (!ns || *ns < 0) {
    throw CommandError{
        fmt::format("{} {} is not a time (it needs a number and a unit); say one such as 2.5s",
                    option, text),
        2};
  }
  return std::llround(*ns);
}

convert::FlatRange range_of(const FlatExportOptions& o, std::uint64_t ranks) {
  convert::FlatRange range;
  if (!o.ranks.empty()) set_ranks(o.ranks, ranks, range);
  if (!o.from.empty()) range.from = time_of("--from", o.from);
  if (!o.until.empty()) range.until = time_of("--until", o.until);
  return range;
}

using Files = std::vector<std::string>;

struct FlatFormat {
  const char* name;
  const char* extension;  // that the output has to have; empty: any
  bool is_folder;         // what is written; false: files
  Files (*files_of)(const std::string& output);
  Result<convert::FlatLosses> (*write)(const trace::Trace& trace, const std::string& output,
                                       const convert::FlatRange& range,
                                       const convert::RanksWalked& tell);
};

#ifndef REPRISE_HAS_OTF2
Files no_files(const std::string&) { return {}; }
Result<convert::FlatLosses> lack_otf2(const trace::Trace&, const std::string&,
                                      const convert::FlatRange&, const convert::RanksWalked&) {
  return Error{
      "this reprise was built without the OTF2 library; install libotf2-trace-dev and build it "
      "again"};
}
#endif

constexpr FlatFormat kFormats[] = {
#ifdef REPRISE_HAS_OTF2
    {"otf2", "", true, convert::otf2::files_of, convert::otf2::export_archive},
#else
    {"otf2", "", true, no_files, lack_otf2},
#endif
    {"paraver", ".prv", false, convert::paraver::files_of, convert::paraver::export_trace},
    {"perfetto", "", false, convert::perfetto::files_of, convert::perfetto::export_trace},
};

const FlatFormat* find_format(const std::string& name) {
  const auto found =
      std::ranges::find_if(kFormats, [&](const FlatFormat& f) { return f.name == name; });
  return found == std::end(kFormats) ? nullptr : &*found;
}

}  // namespace

bool has_range(const FlatExportOptions& o) {
  return !o.ranks.empty() || !o.from.empty() || !o.until.empty();
}

void add_flat_options(CLI::App& sub, FlatExportOptions& o) {
  sub.add_option("--ranks", o.ranks,
                 "otf2, paraver, perfetto: events of these ranks alone, such as 0-15");
  sub.add_option("--from", o.from,
                 "otf2, paraver, perfetto: only calls that begin at or after this time of the run, "
                 "such as 2.5s");
  sub.add_option("--until", o.until,
                 "otf2, paraver, perfetto: only calls that have ended by this time");
}

bool is_flat_format(const std::string& format) { return find_format(format) != nullptr; }

void export_flat(const std::string& file, const std::string& format, const std::string& output,
                 const FlatExportOptions& o, bool force) {
  const FlatFormat& to = *find_format(format);
  if (!output.ends_with(to.extension) || output == to.extension) {
    throw CommandError{
        fmt::format("{} is not a valid name for {} (viewers recognize files by suffix); use "
                    "one such as -o app{}",
                    output, format, to.extension),
        2};
  }
  const trace::Trace t = open_trace(file, analyze::Use::states);
  require_times(t, file);
  warn_of_unfinished(t, file);
  const convert::FlatRange range = range_of(o, t.ranks);
  Progress progress("ranks written", t.ranks);
  const Files files = to.files_of(output);
  if (!to.is_folder) std::ranges::for_each(files, check_writable);
  make_room(files, force);
  const auto tell = [&](std::uint64_t ranks) { progress.tell(ranks); };
  const auto written = to.write(t, output, range, tell);
  progress.end();
  if (!written)
    throw CommandError{
        fmt::format("{} cannot be exported as {} ({})", file, format, written.error().message)};
  if (written->messages > 0) {
    say(stderr, "reprise: warning: {} without a receive in the trace {} left out\n",
        counted(written->messages, "message"), written->messages == 1 ? "was" : "were");
  }
  std::ranges::for_each(files, say_written);
}

}  // namespace reprise::cli
