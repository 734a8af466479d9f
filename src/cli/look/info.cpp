// reprise info: what a stranger asks first about a trace.
#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "analyze/ends.hpp"
#include "analyze/shape.hpp"
#include "analyze/times/core_wait.hpp"
#include "analyze/totals/totals.hpp"
#include "cli/command.hpp"
#include "cli/extrapolate/scalable.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/look/end_report.hpp"
#include "cli/look/info.hpp"
#include "cli/open_trace.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "trace/file/rank_section.hpp"

namespace reprise::cli {
namespace {

using nlohmann::ordered_json;
using trace::Direction;

struct InfoOptions {
  std::string file;
  bool json = false;
};

struct Info {
  std::uint64_t calls = 0;
  std::uint64_t fewest = 0, most = 0;  // calls of a rank
  analyze::Volume volume;
  analyze::Shape shape;
  analyze::Ends ends;
  std::uint64_t file_size = 0;  // [bytes]

  double calls_per_byte() const {
    return file_size == 0 ? 0 : static_cast<double>(calls) / static_cast<double>(file_size);
  }
};

Info info_of(const trace::Trace& t, const std::string& file, std::uint64_t size) {
  const analyze::Totals totals = analyze::totals_of(t);
  if (totals.damaged) throw CommandError{damaged_message(file)};
  std::vector<std::uint64_t> streams(totals.classes.size(), 0);
  for (const std::uint32_t c : totals.class_of) ++streams[c];
  Info info;
  info.shape = analyze::shape_of(t);
  info.ends = analyze::ends_of(t);
  info.file_size = size;
  std::vector<std::uint64_t> calls(streams.size(), 0);  // of a stream, by class
  for (std::size_t c = 0; c < streams.size(); ++c) {
    for (const analyze::CallTotals& call : totals.classes[c]) {
      calls[c] += call.calls;
      info.volume += call.volume * streams[c];
    }
    info.calls += calls[c] * streams[c];
  }
  for (std::uint64_t rank = 0; rank < t.ranks; ++rank) {
    std::uint64_t own = 0;
    for (std::uint64_t thread = 0; thread < t.threads; ++thread)
      own += calls[totals.class_of[rank * t.threads + thread]];
    info.fewest = rank == 0 ? own : std::min(info.fewest, own);
    info.most = std::max(info.most, own);
  }
  return info;
}

std::string date_text(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

bool has_callpaths(const trace::Trace& t) {
  return std::ranges::any_of(t.callpaths, [](const auto& path) { return !path.empty(); });
}

ordered_json json_of(const trace::Trace& t, const Info& info, const std::string& file) {
  const auto own = trace::rank_of(t);
  ordered_json losses = ordered_json::object();
  for (const trace::Loss& l : t.losses) losses[l.what] = l.count;
  return {{"file", file},
          {"file_bytes", info.file_size},
          {"program", t.program},
          {"mpi", t.mpi},
          {"ranks", t.ranks},
          {"only_rank", own ? ordered_json(own->rank) : ordered_json(nullptr)},
          {"threads", t.threads},
          {"date", t.date},
          {"duration_us", t.duration},
          {"calls", info.calls},
          {"fewest_calls_of_a_rank", info.fewest},
          {"most_calls_of_a_rank", info.most},
          {"calls_per_byte", info.calls_per_byte()},
          {"bytes_sent", info.volume[Direction::sent]},
          {"bytes_received", info.volume[Direction::received]},
          {"bytes_written", info.volume[Direction::written]},
          {"bytes_read", info.volume[Direction::read]},
          {"calls_of_unknown_size", info.volume.unknown},
          {"functions", info.shape.functions},
          {"call_sites", info.shape.sites},
          {"call_nodes", info.shape.calls},
          {"loops", info.shape.loops},
          {"branches", info.shape.branches},
          {"loop_nesting", info.shape.nesting},
          {"call_paths", has_callpaths(t)},
          {"symbolized", t.symbolized},
          {"times", trace::name_of(t.timing.mode)},
          {"clock", t.timing.clock},
          {"time_precision", static_cast<double>(t.timing.precision) / 1e6},
          {"recorder_ns", t.timing.recorder},
          {"core_wait_ns", t.timing.core_wait},
          {"options", t.options},
          {"lost", losses},
          {"cut_short", info.ends.cut_short},
          {"cut_short_at_checkpoint", info.ends.behind_checkpoint},
          {"without_calls", info.ends.silent},
          {"running", info.ends.running},
          {"without_part", info.ends.no_part},
          {"died", deaths_json(t)},
          {"unfinished", unfinished_json(t)}};
}

// What times take of a trace, before compression.
struct TimeShare {
  double times = 0, rank_sums = 0;
};

TimeShare time_share_of(trace::Trace t) {
  const auto size = static_cast<double>(trace::encode_body(t).size());
  for (trace::CallTimes& times : t.times) {
    times.communicate.sums = {};
    for (trace::Path& p : times.paths) p.compute.sums = {};
  }
  const auto without_sums = static_cast<double>(trace::encode_body(t).size());
  t.times.clear();
  t.timing = {};
  const auto without_times = static_cast<double>(trace::encode_body(t).size());
  return {(size - without_times) / size, (size - without_sums) / size};
}

std::string precision_text(const trace::Timing& timing) {
  if (timing.precision == 0) return "exact";
  return fmt::format("to {:g} %", static_cast<double>(timing.precision) / 1e4);
}

std::string times_text(const trace::Trace& t) {
  const std::string mode(trace::name_of(t.timing.mode));
  if (t.timing.mode == trace::TimeMode::none) return mode;
  const TimeShare share = time_share_of(t);
  std::string out = fmt::format(
      "{}, {}, with the clock {}; {:.0f} % of the trace, {:.0f} % totals of ranks", mode,
      precision_text(t.timing), t.timing.clock, 100 * share.times, 100 * share.rank_sums);
  // Traces of other tools do not tell what their recorder took.
  if (t.timing.recorder > 0)
    out += fmt::format("; the recorder itself took {} over all ranks, left out of all times",
                       duration_text(static_cast<double>(t.timing.recorder)));
  return out;
}

// What there is to say about the names of call sites; empty if all are known.
std::string names_text(const trace::Trace& t, const std::string& file) {
  if (!has_callpaths(t)) return t.calls.empty() ? "" : ", without call paths";
  if (!t.symbolized)
    return fmt::format(", names not looked up yet: `reprise symbolize {}` does so", file);
  const auto unknown = std::ranges::count_if(t.calls, [&](const trace::Call& c) {
    const auto& path = t.callpaths[c.callpath];
    return !path.empty() && t.frames[path.front()].function == 0;
  });
  if (unknown == 0) return "";
  return fmt::format(", {} without a name (of binaries that are stripped, or have changed since)",
                     count_text(static_cast<std::uint64_t>(unknown)));
}

std::string options_text(const trace::Trace& t) {
  if (!t.options.empty()) return t.options;
  return has_callpaths(t) ? "none: every call, with all parameters"
                          : "no call paths; every call, with all parameters";
}

std::string ratio_text(double ratio) {
  return ratio < 100 ? fmt::format("{:.3g}", ratio)
                     : count_text(static_cast<std::uint64_t>(std::llround(ratio)));
}

std::string structure_text(const analyze::Shape& shape) {
  const std::string nested =
      shape.nesting > 1 ? fmt::format(" nested up to {} deep", shape.nesting) : "";
  return fmt::format("{}, {}{}, {}", counted(shape.calls, "call node"),
                     counted(shape.loops, "loop"), nested, counted(shape.branches, "branch"));
}

std::string span_text(const trace::Trace& t, const analyze::Ends& ends) {
  return fmt::format("{}, from MPI_Init to {}",
                     duration_text(1e3 * static_cast<double>(t.duration)),
                     ends.cut_short.empty() ? "MPI_Finalize" : "the last known time");
}

// Where the traces of the other ranks are, by the name of this one.
std::string others_text(const std::string& file, std::uint64_t rank) {
  const std::string end = fmt::format(".{}", rank);
  return file.ends_with(end) ? fmt::format("those of the others are {}.RANK",
                                           file.substr(0, file.size() - end.size()))
                             : "those of the others are in files of their own";
}

// "98 (16 to 46 a rank)", "128 (32 a rank)".
std::string calls_text(const Info& info) {
  const std::string most = count_text(info.most);
  return fmt::format(
      "{} ({} a rank)", count_text(info.calls),
      info.fewest == info.most ? most : fmt::format("{} to {}", count_text(info.fewest), most));
}

void print_text(const trace::Trace& t, const Info& info, const std::string& file) {
  const auto amount = [](std::uint64_t n) {
    return n < 1000 ? bytes_text(n) : fmt::format("{} ({} bytes)", bytes_text(n), count_text(n));
  };
  say_line("program", t.program.empty() ? "not known" : t.program);
  say_line("MPI", t.mpi.empty() ? "not known" : t.mpi);
  const auto own = trace::rank_of(t);
  const bool is_of_one = own && t.ranks > 1;
  say_line("ranks", is_of_one ? fmt::format("this is the trace of rank {} of {}; {}", own->rank,
                                            count_text(t.ranks), others_text(file, own->rank))
                              : count_text(t.ranks));
  if (t.threads > 1) say_line("threads", fmt::format("{} a rank", t.threads));
  say_line("date", t.date == 0 ? "not known" : date_text(t.date));
  say_line("duration", t.calls.empty() || t.duration == 0 ? "not known" : span_text(t, info.ends));
  say_line("calls", is_of_one ? count_text(info.calls) : calls_text(info));
  say_line("sent", amount(info.volume[Direction::sent]));
  // Receive buffers may be larger than the messages that arrive in them.
  const std::uint64_t received = info.volume[Direction::received];
  say_line("received", received == 0 ? amount(0) : "at most " + amount(received));
  if (info.volume[Direction::written]) say_line("written", amount(info.volume[Direction::written]));
  if (info.volume[Direction::read]) say_line("read", amount(info.volume[Direction::read]));
  if (info.volume.unknown)
    say_line("",
             fmt::format("and what {} moved with datatypes or topologies that are not in the trace",
                         counted(info.volume.unknown, "call")));
  say_line("file", fmt::format("{} bytes, {} calls a byte", count_text(info.file_size),
                               ratio_text(info.calls_per_byte())));
  say_line("call sites",
           fmt::format("{}, calling {}{}", count_text(info.shape.sites),
                       counted(info.shape.functions, "MPI function"), names_text(t, file)));
  say_line("structure", structure_text(info.shape));
  say_line("times", t.calls.empty() ? "not known" : times_text(t));
  if (const double share = analyze::core_wait_share(t); share >= analyze::kMuchCoreWait) {
    say_line("cores",
             fmt::format("ranks waited for one {:.0f} % of the run (other ranks or programs used "
                         "them): computation may have taken longer than on a quiet machine",
                         100 * share));
  }
  say_line("options", options_text(t));
  if (t.losses.empty()) say_line("lost", "nothing");
  say_end(t);
}

void run(const InfoOptions& o) {
  const trace::Trace t = open_trace(o.file, analyze::Use::structure, trace::Accept::scalable_too);
  if (scalable::is_scalable(t)) return print_scalable_info(t, o.file, o.json);
  const Info info = info_of(t, o.file, std::filesystem::file_size(o.file));
  o.json ? say_json(json_of(t, info, o.file)) : print_text(t, info, o.file);
}

}  // namespace

ordered_json info_json(const trace::Trace& t, const std::string& file) {
  return info_json(t, file, std::filesystem::file_size(file));
}

ordered_json info_json(const trace::Trace& t, const std::string& name, std::uint64_t size) {
  return json_of(t, info_of(t, name, size), name);
}

void add_info(CLI::App& app) {
  auto o = std::make_shared<InfoOptions>();
  CLI::App* sub = app.add_subcommand("info", "Show a trace's program, size and losses");
  sub->add_option("file", o->file, "The trace")->required();
  sub->add_flag("--json", o->json, "Print a JSON object, sizes in bytes, times in microseconds");
  sub->footer("Example: reprise info app.reprise");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
