// reprise replay: starts an MPI launcher with as many ranks as a trace has.
#include <algorithm>

#include "cli/blocked_report.hpp"
#include "cli/command.hpp"
#include "cli/ranks.hpp"
#include "cli/started_mpi.hpp"
#include "replay/options.hpp"
#include "replay/recording.hpp"
#include "trace/file.hpp"

namespace reprise::cli {
namespace {

constexpr const char* kProgram = "reprise-replay";

struct ReplayOptions {
  replay::Options replay;
  std::string mpi = "auto";
  std::string launcher;
};

// The MPI of the recording if it is there, else another one.
std::string choose_mpi(const std::string& asked, const std::string& recorded) {
  if (asked != "auto") return asked;
  const std::string likely = recorded.starts_with("MPICH") ? "mpich" : "openmpi";
  if (is_built(kProgram, likely)) return likely;
  return likely == "mpich" ? "openmpi" : "mpich";
}

void run(const ReplayOptions& o) {
  const replay::Form form = replay::form_of(o.replay.file);
  replay::Layout layout;
  if (form == replay::Form::trace) {
    const trace::Trace trace = take(trace::read_trace(o.replay.file));
    warn_of_unfinished(trace, o.replay.file);
    layout = {trace.ranks, trace.mpi};
  } else {
    layout = take(replay::layout_of(form, o.replay.file));
  }
  start({.program = kProgram,
         .what = "replay",
         .mpi = choose_mpi(o.mpi, layout.mpi),
         .launcher = o.launcher,
         .ranks = layout.ranks,
         .words = replay::words_of(o.replay)});
}

void add_options(CLI::App& sub, ReplayOptions& o) {
  replay::add_options(sub, o.replay);
  sub.add_option("--mpi", o.mpi,
                 "The MPI to replay with (auto: that of the recording, which flat logs "
                 "do not tell)")
      ->check(CLI::IsMember({"auto", "openmpi", "mpich"}))
      ->capture_default_str();
  sub.add_option("--launcher", o.launcher,
                 "What starts ranks, with its options; -n and the number of ranks are added");
}

}  // namespace

std::string replay_mpi(std::vector<std::string> words) {
  CLI::App app;
  ReplayOptions o;
  add_options(app, o);
  try {
    std::ranges::reverse(words);  // as CLI11 wants them
    app.parse(std::move(words));
  } catch (const CLI::ParseError&) {
    return {};
  }
  const auto layout = replay::layout_of(replay::form_of(o.replay.file), o.replay.file);
  return layout ? choose_mpi(o.mpi, layout->mpi) : std::string();
}

void add_replay(CLI::App& app) {
  auto o = std::make_shared<ReplayOptions>();
  CLI::App* sub =
      app.add_subcommand("replay", "Make the calls of a recorded run again, without the program");
  add_options(*sub, *o);
  sub->footer(
      "In batch scripts, start it yourself, on as many ranks as the trace has:\n"
      "  mpirun -n 64 reprise-replay app.reprise\n\n"
      "Examples: reprise replay app.reprise\n"
      "          reprise replay app.reprise --no-compute --json\n"
      "          reprise replay logs --mpi mpich       (a folder of flat logs)\n"
      "          reprise replay app.reprise --launcher \"mpirun --oversubscribe\"");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
