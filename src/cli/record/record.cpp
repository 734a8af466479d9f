// reprise record: runs an MPI program under the recorder.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>

#include "analyze/ends.hpp"
#include "cli/command.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/look/end_report.hpp"
#include "cli/make/started_mpi.hpp"
#include "cli/open_trace.hpp"
#include "cli/record/jobs.hpp"
#include "cli/record/launch.hpp"
#include "cli/record/outputs.hpp"
#include "cli/record/parts.hpp"
#include "cli/record/preload.hpp"
#include "cli/record/preloaded_recorder.hpp"
#include "cli/record/programs.hpp"
#include "cli/record/rank_wait.hpp"
#include "cli/record/recorders.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "cli/write.hpp"
#include "compress/process.hpp"
#include "trace/file/file.hpp"

namespace reprise::cli {
namespace {

namespace fs = std::filesystem;

struct RecordOptions {
  std::string output = "trace.reprise";
  std::string mpi = "auto";
  std::string callpaths = "full";
  std::string merge = "all";
  std::string checkpoints = "auto";
  std::string flat;
  bool posix_io = false;
  std::string time = "paths";
  std::size_t bins = 5;
  double smoothing = trace::Histogram::kDefaultSmoothing;
  double time_precision = 1;  // [%]
  std::string clock = "auto";
  bool no_rank_sums = false;
  bool average_sizes = false;
  bool print_env = false;
  bool force = false;
  std::vector<std::string> command;
};

std::string mpi_of(const RecordOptions& o) {
  if (o.mpi != "auto") return o.mpi;
  const std::string found = find_mpi(o.command);
  return found.empty() ? started_mpi(o.command) : found;
}

// Why a launcher will find no program among the words behind it; empty: it may find one.
std::string why_no_program(const std::vector<std::string>& command) {
  const std::string launcher = launcher_of(command).program;
  const auto at = std::ranges::find(command, launcher);
  if (launcher.empty() || !program_of(command).program.empty()) return {};
  return why_no_program_in({at + 1, command.end()});
}

// What the user has to know of a command before it runs: that it may not be recorded, or not as
// one job.
void warn_of_command(const RecordOptions& o) {
  if (const std::string why = why_no_program(o.command); !why.empty()) {
    say(stderr, "reprise: {} may have no program to run ({}); check the command\n",
        launcher_of(o.command).program, why);
  }
  const OneMpi program = program_of(o.command), launcher = launcher_of(o.command);
  if (!program.mpi.empty() && !launcher.mpi.empty() && program.mpi != launcher.mpi) {
    say(stderr,
        "reprise: every rank may run as a job of its own, with a trace of its own ({} is linked "
        "with {}, and {} is the launcher of {}); start it with the launcher of {}\n",
        program.program, name_of_mpi(program.mpi), launcher.program, name_of_mpi(launcher.mpi),
        name_of_mpi(program.mpi));
  }
  if (const auto conflict = preload_conflict(o.command, is_mpi_program)) {
    say(stderr,
        "reprise: parts of the command may not be recorded ({}, and LD_PRELOAD has to hold the "
        "recorder); {}\n",
        conflict->what, conflict->advice);
  }
}

void check_smpi_program(const std::vector<std::string>& command) {
  const std::string program = smpi_program_without_recorder(command);
  if (program.empty()) return;
  throw CommandError{fmt::format(
      "{} would not be recorded (SMPI ignores what is preloaded, and the recorder is not "
      "linked in); link it with $(reprise link-flags --mpi smpi)",
      program)};
}

// A recorder for one MPI in a program of another would end it.
void check_mpi(const RecordOptions& o) {
  if (o.mpi == "auto") return;
  const OneMpi other = other_mpi(o.command, o.mpi);
  if (other.mpi.empty()) return;
  throw CommandError{
      fmt::format(
          "{} cannot be recorded with --mpi {} (it is linked with {}); use --mpi {}, or leave "
          "--mpi out",
          other.program, o.mpi, other.mpi, other.mpi),
      2};
}

// [ns since 1970]
std::string present_time() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::to_string(std::chrono::nanoseconds(now).count());
}

Variables environment(const RecordOptions& o) {
  check_mpi(o);
  const std::string mpi = mpi_of(o);
  if (mpi.empty()) {
    throw CommandError{
        "cannot tell which MPI the program uses (no program of the command is linked with Open "
        "MPI, MPICH or SMPI); name it with --mpi openmpi, --mpi mpich or --mpi smpi"};
  }
  Variables out{{"REPRISE_OUTPUT", fs::absolute(o.output).string()},
                {"REPRISE_LIBDIR", recorder_folder().string()},
                {"REPRISE_CALLPATHS", o.callpaths},
                {"REPRISE_MERGE", o.merge},
                {"REPRISE_TIME", o.time},
                {"REPRISE_BINS", std::to_string(o.bins)},
                {"REPRISE_SMOOTHING", fmt::format("{}", o.smoothing)},
                {"REPRISE_TIME_PRECISION", fmt::format("{}", o.time_precision)},
                {"REPRISE_CLOCK", o.clock},
                {"REPRISE_RANK_SUMS", o.no_rank_sums ? "0" : "1"},
                {"REPRISE_AVERAGE_SIZES", o.average_sizes ? "1" : "0"},
                {"REPRISE_CHECKPOINTS", o.checkpoints},
                {"REPRISE_FORCE", !o.force      ? "0"
                                  : o.print_env ? present_time()
                                                : "1"}};
  if (mpi == "smpi") {
    if (o.posix_io) {
      throw CommandError{
          "POSIX I/O cannot be recorded in SMPI (the recorder is linked into the program there, "
          "and not preloaded); leave --posix-io out",
          2};
    }
    check_smpi_program(o.command);
  } else {
    preload(mpi, o.posix_io, out);
  }
  if (!o.flat.empty()) out.emplace_back("REPRISE_FLAT", fs::absolute(o.flat).string());
  return out;
}

std::string command_line_of(const RecordOptions& o) {
  return fmt::format("{}", fmt::join(o.command, " "));
}

// " (2 ranks cut short at their last checkpoint, 1 rank that left nothing)"
std::string what_is_missing(const trace::Trace& trace) {
  const analyze::Ends ends = analyze::ends_of(trace);
  std::vector<std::uint64_t> without;  // nothing is kept before the first checkpoint
  std::ranges::set_intersection(ends.silent, ends.behind_checkpoint, std::back_inserter(without));
  std::vector<std::string> out;
  if (!without.empty()) {
    out.push_back(fmt::format("no call of {}, which ended before {} first checkpoint",
                              counted(without.size(), "rank"),
                              without.size() == 1 ? "its" : "their"));
  }
  for (const trace::Loss& l : trace.losses) {
    const std::uint64_t count = l.what == compress::kCutShort ? l.count - without.size() : l.count;
    if (count > 0 && (l.what == compress::kCutShort || l.what == compress::kLeftNothing))
      out.push_back(loss_text(count, l.what));
  }
  return out.empty() ? "" : fmt::format(" ({})", fmt::join(out, ", "));
}

// Which signals ended ranks, and the first lines of what there is to say about calls that had not
// returned.
void print_end(const trace::Trace& trace, const std::string& path) {
  constexpr int kMostLines = 30;
  for (const std::string& death : death_lines(trace)) say(stderr, "{}\n", death);
  const std::string report = blocked_report(trace);
  std::size_t end = 0;
  for (int n = 0; n < kMostLines && end < report.size(); ++n) end = report.find('\n', end) + 1;
  say(stderr, "{}", report.substr(0, end));
  if (end < report.size()) say(stderr, "... `reprise info {}` has the rest\n", path);
}

// Makes a trace of the parts. `have_ended`: what wait_for_ranks() said. Returns whether it has all
// that there will be; if not, the parts have to remain.
bool finish_parts(const RecordOptions& o, const Outputs& outputs, const Job& job, bool have_ended) {
  const std::string& path = outputs.path();
  const Parts parts = parts_of(path);
  const char* what = job.failed || !outputs.written().empty()
                         ? "the trace was not written in MPI_Finalize"
                         : "the program ended before MPI_Finalize";
  const std::vector<std::uint64_t> running = running_ranks(parts);
  try {
    trace::Trace merged = take(merge_ranks(parts.all()));
    std::error_code error;
    if (merged.calls.empty() && fs::exists(path, error)) {
      throw CommandError{fmt::format(
          "{} is not replaced (no call of the new run had returned when it ended)", path)};
    }
    write_output(std::move(merged), command_line_of(o), path,
                 o.force ? Existing::replace : Existing::keep);
  } catch (const CommandError& e) {
    throw CommandError{
        fmt::format("{}\n{} of the run remain; make a trace of them with\n  {}", e.message,
                    counted(parts.all().size(), "part"), merge_command(parts, path)),
        e.status};
  }
  const trace::Trace trace = take(trace::read_trace(path));
  const std::vector<std::uint64_t> unseen = analyze::ends_of(trace).unseen;
  if (!running.empty()) {
    say(stderr,
        "reprise: {}; {} has what happened until now{}. All parts remain; when the ranks have "
        "ended, make a trace of them with\n  {}\n",
        running_text(running, have_ended), path, what_is_missing(trace),
        merge_command(parts, path));
  } else {
    say(stderr, "reprise: {}; {} has what happened until then{}\n", what, path,
        what_is_missing(trace));
  }
  print_end(trace, path);
  if (running.empty() && !unseen.empty()) {
    say(stderr,
        "reprise: whether {} still {} cannot be seen from here (they hold no lock that this node "
        "can see); all parts remain, and if ranks run, make a trace of all when they have ended "
        "with\n  {}\n",
        ranks_text(unseen), unseen.size() == 1 ? "runs" : "run", merge_command(parts, path));
  }
  return running.empty() && unseen.empty();
}

// Looks up the functions, files and lines of traces that were written in MPI_Finalize. Traces that
// cannot be replaced stay as they are. Returns whether all have them.
bool name_written(const std::vector<std::string>& paths, const std::string& program) {
  std::map<std::string, std::vector<std::string>> nameless;  // by reason
  for (const std::string& path : paths) {
    if (const Status named = name_recording(path, program); !named)
      nameless[named.error().message].push_back(quoted_if_needed(path));
  }
  for (const auto& [why, traces] : nameless) {
    say(stderr,
        "reprise: {} every call, but no names of functions ({}); when that is mended, look them up "
        "with\n  reprise symbolize --program {} {}\n",
        traces.size() == 1 ? traces.front() + " has"
                           : fmt::format("{} and {} more have", traces.front(),
                                         counted(traces.size() - 1, "trace")),
        why, quoted_if_needed(program), fmt::join(traces, " "));
  }
  return nameless.empty();
}

// Makes traces of what a job left. `have_ended`: what wait_for_ranks() said. Returns whether they
// are all that there should be.
bool finish(const RecordOptions& o, const Outputs& outputs, const Job& job, bool have_ended) {
  const std::vector<std::string> written = outputs.written();
  bool is_whole = name_written(written, command_line_of(o)), are_parts_needed = false;
  const bool merged = std::ranges::find(written, outputs.path()) != written.end();
  if (!merged && !parts_of(outputs.path()).empty()) {
    are_parts_needed = !finish_parts(o, outputs, job, have_ended);
  } else if (written.empty() && job.failed) {
    throw CommandError{fmt::format(
        "there is no trace (it could not be written in MPI_Finalize, as reported above); merge the "
        "parts that are named there, or free space for {} and record again",
        outputs.path())};
  } else if (written.empty() && job.began && o.checkpoints == "none") {
    throw CommandError{
        "no MPI call was recorded (no rank came to MPI_Finalize, and with --checkpoints none "
        "nothing is written before); leave the option out"};
  } else if (written.empty()) {
    if (const std::string why = why_no_program(o.command); !why.empty()) {
      throw CommandError{
          fmt::format("no MPI call was recorded (most likely because {}); check the command", why)};
    }
    if (const auto conflict = preload_conflict(o.command, is_mpi_program)) {
      throw CommandError{fmt::format(
          "no MPI call was recorded (most likely because {}, and LD_PRELOAD has to hold "
          "the recorder); {}",
          conflict->what, conflict->advice)};
    }
    throw CommandError{
        "no MPI call was recorded (the program did not reach MPI_Init, is not linked with MPI, is "
        "linked statically, is not linked with the recorder for SMPI, looks up MPI functions by "
        "itself, or its launcher dropped the environment); see docs/recording.md, or check the "
        "command with `reprise doctor`"};
  }
  if (!are_parts_needed) outputs.remove_parts();
  outputs.remove_stale();
  if (!written.empty()) say_written(written.front());
  if (is_watched() && written.size() > 1)
    say(stderr, "reprise: and {}\n", counted(written.size() - 1, "more trace"));
  if (merged && is_watched() && o.time != "none") {
    if (const auto trace = trace::read_trace(outputs.path()))
      warn_of_shared_cores(*trace, outputs.path());
  }
  return !job.failed && is_whole && !are_parts_needed;
}

void check_command(const RecordOptions& o) {
  if (o.command.empty()) {
    throw CommandError{
        "there is no command to record (nothing follows --); give one, as in: reprise record "
        "-- mpirun -n 4 ./app",
        2};
  }
  if (find_program(o.command.front()).empty()) {
    throw CommandError{fmt::format(
        "{} cannot be started (there is no such program{}); check its name", o.command.front(),
        o.command.front().find('/') == std::string::npos ? " in PATH" : "")};
  }
  if (const std::string program = static_program(o.command); !program.empty()) {
    throw CommandError{
        fmt::format("{} cannot be recorded (it is linked statically, so that no library can be "
                    "preloaded into it); link it dynamically",
                    program)};
  }
}

// What further jobs of an earlier command left: nothing is taken for this one's.
void make_room_for_jobs(const RecordOptions& o) {
  const std::vector<std::string> left = find_other_traces(o.output);
  if (!left.empty() && !o.force) {
    throw CommandError{fmt::format(
        "{} exists (an earlier command ran several MPI jobs, or another one had the same output; "
        "existing files are not overwritten); add --force, or choose another -o",
        left.front())};
  }
  std::error_code error;
  for (const std::string& path : left) fs::remove(path, error);
}

// Of all jobs of the command. The first has the output, unless somebody else has taken it.
bool finish_jobs(const RecordOptions& o, const Outputs& outputs, const Jobs& jobs) {
  const auto find_parts = [&] {
    std::vector<Job> begun = jobs.all();
    if (begun.empty()) begun.push_back({.output = o.output});
    std::vector<std::string> out;
    for (const Job& job : begun)
      std::ranges::copy(parts_of(job.output).all(), std::back_inserter(out));
    return out;
  };
  const bool have_ended = wait_for_ranks(find_parts);
  const std::vector<Job> all = jobs.all();
  if (all.empty()) return finish(o, outputs, {.output = o.output}, have_ended);
  bool whole = true;
  for (const Job& job : all) {
    if (job.output == o.output) {
      whole = finish(o, outputs, job, have_ended) && whole;
      continue;
    }
    whole = finish(o, Outputs::of_new(job.output, o.merge == "none"), job, have_ended) && whole;
    if (&job == &all.front() && !job.output.starts_with(o.output + ".spawned-")) {
      say(stderr,
          "reprise: {} is not replaced (another recording or program took it during the run); "
          "the trace is {}\n",
          o.output, job.output);
      whole = false;
    } else {
      say(stderr, "reprise: the command ran a further MPI job; its trace is {}\n", job.output);
    }
  }
  return whole;
}

// The command, with the recorder where it sets LD_PRELOAD itself.
std::vector<std::string> command_to_run(const RecordOptions& o) {
  const std::string mpi = mpi_of(o);
  if (mpi == "smpi") return o.command;
  return with_preloaded(o.command, preloaded_for(mpi, o.posix_io).library, is_mpi_program);
}

void run(const RecordOptions& o) {
  if (o.print_env) {
    for (const auto& [name, value] : environment(o))
      fmt::print("export {}={}\n", name, quoted(value));
    return;
  }
  check_command(o);
  auto variables = environment(o);
  const Outputs outputs(o.output, o.merge == "none");
  outputs.check(o.force);
  if (!o.flat.empty()) prepare_log_folder(o.flat, o.force);
  make_room_for_jobs(o);
  outputs.make_room();
  const Jobs jobs(o.output);
  variables.emplace_back("REPRISE_CLAIMS", jobs.claims());
  warn_of_command(o);
  const int status = run_command(command_to_run(o), variables);
  bool whole = false;
  try {
    whole = finish_jobs(o, outputs, jobs);
  } catch (const CommandError& e) {
    throw CommandError{e.message, status ? status : e.status};
  }
  if (status != 0 || !whole) throw CommandError{"", status ? status : 1};
}

}  // namespace

void add_record(CLI::App& app) {
  auto o = std::make_shared<RecordOptions>();
  CLI::App* sub = app.add_subcommand("record", "Run an MPI program and record its MPI calls");
  sub->add_option(
         "-o,--output", o->output,
         "The trace to write. Until the end of the run each rank keeps FILE.part-RANK beside it")
      ->capture_default_str();
  sub->add_option("--mpi", o->mpi,
                  "The MPI that the program uses; auto looks at the program, then at its launcher")
      ->check(CLI::IsMember({"auto", "openmpi", "mpich", "smpi"}))
      ->capture_default_str();
  sub->add_option(
         "--callpaths", o->callpaths,
         "How much of each call path the trace keeps: all of it, only the caller, or nothing")
      ->check(CLI::IsMember({"full", "site", "none"}))
      ->capture_default_str();
  sub->add_option("--merge", o->merge,
                  "all: one trace of all ranks; none: a trace FILE.RANK of each rank")
      ->check(CLI::IsMember({"all", "none"}))
      ->capture_default_str();
  sub->add_option(
         "--checkpoints", o->checkpoints,
         "auto: ranks save checkpoints periodically, in about 1 % of their time, and always "
         "their current call, so that killed ranks leave a trace; none: ranks save nothing "
         "before MPI_Finalize")
      ->check(CLI::IsMember({"auto", "none"}))
      ->capture_default_str();
  sub->add_option(
         "--flat", o->flat,
         "Also log every call as a line of text in FOLDER/rank-RANK-thread-THREAD.log while the "
         "program runs (slow; `reprise show --flat` prints such lines from a trace)")
      ->type_name("FOLDER");
  sub->add_flag("--posix-io", o->posix_io,
                "Also record the program's own calls to open, read, write, lseek, fsync, close and "
                "their variants (not in SMPI)");
  sub->add_option("--time", o->time,
                  "How times are kept: paths: histograms for each call and preceding call; "
                  "histogram: one for each call; stats: mean and extremes; none: no times")
      ->check(CLI::IsMember({"paths", "histogram", "stats", "none"}))
      ->capture_default_str();
  sub->add_option("--bins", o->bins, "Bins of a histogram")
      ->check(CLI::Range(std::size_t{1}, trace::Histogram::kMaxBins))
      ->capture_default_str();
  sub->add_option("--smoothing", o->smoothing,
                  "Share of all values by which a bin grows before bins are balanced again")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  sub->add_option("--time-precision", o->time_precision,
                  "Precision of times [%]: of a rank's time at a call site, relative to its total "
                  "time, which stays exact; 0: keep all measurements, in several times the space")
      ->check(CLI::Range(0.0, 50.0))
      ->capture_default_str();
  sub->add_option("--clock", o->clock,
                  "The clock: tsc, the processor's counter (used by auto if its rate is constant); "
                  "monotonic, the system's; or wtime, MPI_Wtime")
      ->check(CLI::IsMember({"auto", "tsc", "monotonic", "wtime"}))
      ->capture_default_str();
  sub->add_flag("--no-rank-sums", o->no_rank_sums,
                "Do not keep the total times of ranks; saves a few bytes per rank and call site");
  sub->add_flag("--average-sizes", o->average_sizes,
                "Keep the mean of the counts of vector collectives (MPI_Alltoallv, ...) instead of "
                "each count: constant size, but approximate; the trace says so");
  sub->add_flag("--print-env", o->print_env,
                "Run nothing; print the environment variables that record, for batch scripts. The "
                "command is optional if --mpi is given");
  sub->add_flag("--force", o->force,
                "Replace an existing output when the new trace is written, also that of a run that "
                "ended early; a run without any completed call replaces nothing");
  sub->add_option("command", o->command,
                  "The launcher and the program with their options, best after --");
  sub->positionals_at_end();  // options behind the launcher are its own
  sub->footer(
      "The exit status is that of the command, 128 + the signal that ended it, or 1 if nothing was "
      "recorded.\nSIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 are forwarded to the command. Libraries "
      "already in LD_PRELOAD stay there.\n\n"
      "Example: reprise record -o app.reprise -- mpirun -n 16 ./app\n\n"
      "In a batch script, if the launcher passes the environment on:\n"
      "  eval \"$(reprise record --print-env --mpi mpich -o app.reprise)\"\n"
      "  srun ./app\n"
      "If the run ends early, make a trace of it with `reprise merge`.");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
