// reprise replay: starts an MPI launcher with as many ranks as a trace has.
#include <utility>

#include "cli/command.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/make/ranks.hpp"
#include "cli/make/started_mpi.hpp"
#include "replay/compute.hpp"
#include "replay/options.hpp"
#include "replay/recording.hpp"
#include "trace/file/file.hpp"

namespace reprise::cli {
namespace {

constexpr const char* kProgram = "reprise-replay";

struct ReplayOptions {
  replay::Options replay;
  StartOptions start;
};

// That of the recording if it is there, unless another one is asked for.
std::string mpi_for(const ReplayOptions& o, const std::string& recorded) {
  return choose_mpi(o.start, kProgram, recorded.starts_with("MPICH") ? "mpich" : "openmpi");
}

void run(const ReplayOptions& o) {
  const replay::Form form = replay::form_of(o.replay.file);
  replay::Layout layout;
  if (form == replay::Form::trace) {
    const trace::Trace trace = take(trace::read_trace(o.replay.file));
    if (const Status places = replay::check_places(trace, o.replay, o.replay.file); !places)
      throw CommandError{places.error().message, 2};
    warn_of_unfinished(trace, o.replay.file);
    layout = {trace.ranks, trace.mpi};
  } else {
    layout = take(replay::layout_of(form, o.replay.file));
  }
  start({.command = "replay",
         .program = kProgram,
         .what = "replay",
         .mpi = mpi_for(o, layout.mpi),
         .launcher = o.start.launcher,
         .ranks = layout.ranks,
         .words = replay::words_of(o.replay)});
}

void add_options(CLI::App& sub, ReplayOptions& o) {
  replay::add_options(sub, o.replay);
  add_start_options(
      sub, o.start,
      "The MPI to replay with; auto: the MPI of the recording, which flat logs do not name");
}

}  // namespace

std::string replay_mpi(std::vector<std::string> words) {
  CLI::App app;
  ReplayOptions o;
  add_options(app, o);
  if (!reads(app, std::move(words))) return {};
  const auto layout = replay::layout_of(replay::form_of(o.replay.file), o.replay.file);
  return layout ? mpi_for(o, layout->mpi) : std::string();
}

void add_replay(CLI::App& app) {
  auto o = std::make_shared<ReplayOptions>();
  CLI::App* sub = app.add_subcommand("replay", "Replay the calls of a trace without the program");
  add_options(*sub, *o);
  sub->footer(
      "In batch scripts, start the replay yourself, on as many ranks as the trace has:\n"
      "  mpirun -n 64 reprise-replay app.reprise\n\n"
      "Examples: reprise replay app.reprise\n"
      "          reprise replay app.reprise --compute none --json\n"
      "          reprise replay logs --mpi mpich       (a folder of flat logs)\n"
      "          reprise replay app.reprise --launcher \"mpirun --oversubscribe\"");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
