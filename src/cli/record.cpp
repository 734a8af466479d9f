// reprise record: runs an MPI program under the recorder.
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "analyze/symbolise.hpp"
#include "cli/command.hpp"
#include "cli/jobs.hpp"
#include "cli/parts.hpp"
#include "cli/recorders.hpp"
#include "trace/file.hpp"

namespace reprise::cli {
namespace {

namespace fs = std::filesystem;

struct RecordOptions {
  std::string output = "trace.reprise";
  std::string mpi = "auto";
  std::string callpaths = "full";
  std::string merge = "all";
  std::string flat;
  std::string time = "paths";
  std::size_t bins = 5;
  double smoothing = trace::Histogram::kDefaultSmoothing;
  std::string clock = "auto";
  bool no_rank_sums = false;
  bool average_sizes = false;
  bool print_env = false;
  bool force = false;
  std::vector<std::string> command;
};

using Variables = std::vector<std::pair<std::string, std::string>>;

// Puts a word before what an environment variable holds already.
std::string before_present(const std::string& word, const char* variable) {
  const char* present = std::getenv(variable);
  return present && *present ? word + ":" + present : word;
}

// The recorder for an MPI, before what was to be preloaded anyway.
void preload(const std::string& mpi, Variables& out) {
  const fs::path folder = recorder_folder();
  const fs::path library = folder / fmt::format("libreprise-{}.so", mpi);
  std::error_code error;
  if (folder.empty() || !fs::exists(library, error)) {
    throw CommandError{
        fmt::format("there is no recorder for {} (it was not installed when reprise was built); "
                    "install it and build again",
                    mpi)};
  }
  // The dynamic linker splits LD_PRELOAD at spaces, but the folders that it searches at colons
  // only.
  const bool splits = library.string().find_first_of(" \t") != std::string::npos;
  out.emplace_back("LD_PRELOAD",
                   before_present((splits ? library.filename() : library).string(), "LD_PRELOAD"));
  if (splits)
    out.emplace_back("LD_LIBRARY_PATH", before_present(folder.string(), "LD_LIBRARY_PATH"));
}

void check_smpi_program(const std::vector<std::string>& command) {
  const std::string program = smpi_program_without_recorder(command);
  if (program.empty()) return;
  throw CommandError{fmt::format(
      "{} would not be recorded (SMPI ignores what is preloaded, and the recorder is not "
      "linked in); link it with $(reprise link-flags --mpi smpi)",
      program)};
}

Variables environment(const RecordOptions& o) {
  std::string mpi = o.mpi;
  if (mpi == "auto") mpi = find_mpi(o.command);
  if (mpi.empty()) {
    throw CommandError{
        "cannot tell which MPI the program uses (no program of the command is linked with Open "
        "MPI, "
        "MPICH or SMPI); say it with --mpi openmpi, --mpi mpich or --mpi smpi"};
  }
  Variables out{{"REPRISE_OUTPUT", fs::absolute(o.output).string()},
                {"REPRISE_CALLPATHS", o.callpaths},
                {"REPRISE_MERGE", o.merge},
                {"REPRISE_TIME", o.time},
                {"REPRISE_BINS", std::to_string(o.bins)},
                {"REPRISE_SMOOTHING", fmt::format("{}", o.smoothing)},
                {"REPRISE_CLOCK", o.clock},
                {"REPRISE_RANK_SUMS", o.no_rank_sums ? "0" : "1"},
                {"REPRISE_AVERAGE_SIZES", o.average_sizes ? "1" : "0"}};
  if (mpi == "smpi") {
    check_smpi_program(o.command);
  } else {
    preload(mpi, out);
  }
  if (!o.flat.empty()) out.emplace_back("REPRISE_FLAT", fs::absolute(o.flat).string());
  return out;
}

int run_command(const RecordOptions& o, const Variables& variables) {
  std::vector<char*> words;
  for (const std::string& w : o.command) words.push_back(const_cast<char*>(w.c_str()));
  words.push_back(nullptr);
  // Signals of the terminal reach the program itself; we wait for it to end.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  const pid_t child = ::fork();
  if (child < 0) throw CommandError{"cannot start the command (fork failed)"};
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGQUIT, SIG_DFL);
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
    ::execvp(words[0], words.data());
    fmt::print(stderr, "reprise: {} cannot be started ({})\n", words[0], std::strerror(errno));
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void finish_trace(const RecordOptions& o, trace::Trace trace, const std::string& path) {
  trace.program = fmt::format("{}", fmt::join(o.command, " "));
  analyze::symbolise(trace);
  const Status written = trace::write_trace(trace, path);
  if (!written) throw CommandError{written.error().message};
}

// Finishes what one job of the command wrote. False: it wrote nothing.
bool finish_job(const RecordOptions& o, const std::string& path) {
  std::error_code error;
  const std::vector<std::string> parts = find_parts(path);
  if (fs::exists(path, error)) {
    finish_trace(o, take(trace::read_trace(path)), path);
  } else if (!parts.empty()) {
    fmt::print(stderr,
               "reprise: the program ended before MPI_Finalize; {} has what happened until then\n",
               path);
    finish_trace(o, take(merge_parts(parts)), path);
    for (const std::string& part : parts) fs::remove(part, error);
  } else {
    return false;
  }
  return true;
}

void finish_other_jobs(const RecordOptions& o, const Jobs& jobs) {
  for (const std::string& path : jobs.others()) {
    if (finish_job(o, path))
      fmt::print(stderr, "reprise: the command ran a further MPI job; its trace is {}\n", path);
  }
}

void run(const RecordOptions& o) {
  if (o.print_env) {
    for (const auto& [name, value] : environment(o)) fmt::print("export {}='{}'\n", name, value);
    return;
  }
  if (o.command.empty())
    throw CommandError{
        "there is no command to record; give it after --, as in: reprise record -- mpirun -n 4 "
        "./app",
        2};
  std::error_code error;
  if (fs::exists(o.output, error) && !o.force) {
    throw CommandError{fmt::format(
        "{} exists (nothing is overwritten unasked); add --force, or choose another -o", o.output)};
  }
  if (const auto others = find_other_traces(o.output); !others.empty() && !o.force) {
    throw CommandError{fmt::format(
        "{} exists (of an earlier command that ran several jobs, and nothing is overwritten "
        "unasked); add --force, or choose another -o",
        others.front())};
  }
  auto variables = environment(o);
  const Jobs jobs(o.output);
  variables.emplace_back("REPRISE_CLAIMS", jobs.claims());
  if (!find_parts(o.output).empty() && !o.force) {
    throw CommandError{fmt::format(
        "{}.part-* exist (an earlier run ended early); merge them with `reprise merge`, "
        "or add --force",
        o.output)};
  }
  fs::remove(o.output, error);
  for (const std::string& part : find_parts(o.output)) fs::remove(part, error);
  for (const std::string& other : find_other_traces(o.output)) fs::remove(other, error);
  if (!o.flat.empty()) fs::create_directories(o.flat, error);
  const int status = run_command(o, variables);
  finish_other_jobs(o, jobs);
  if (!finish_job(o, o.output) && o.merge == "all") {
    throw CommandError{
        "no MPI call was recorded (the program did not reach MPI_Init, is statically linked, "
        "is not linked with the recorder "
        "for SMPI, or its launcher dropped the environment); see `reprise record -h`",
        status ? status : 1};
  }
  if (status != 0) throw CommandError{"", status};
}

}  // namespace

void add_record(CLI::App& app) {
  auto o = std::make_shared<RecordOptions>();
  CLI::App* sub =
      app.add_subcommand("record", "Run an MPI program and record what it says to the network");
  sub->add_option("-o,--output", o->output, "The trace to write")->capture_default_str();
  sub->add_option("--mpi", o->mpi, "The MPI that the program uses")
      ->check(CLI::IsMember({"auto", "openmpi", "mpich", "smpi"}))
      ->capture_default_str();
  sub->add_option("--callpaths", o->callpaths, "How much of the way to each call is kept")
      ->check(CLI::IsMember({"full", "site", "none"}))
      ->capture_default_str();
  sub->add_option("--merge", o->merge, "One trace for all ranks, or one for each")
      ->check(CLI::IsMember({"all", "none"}))
      ->capture_default_str();
  sub->add_option("--flat", o->flat,
                  "Also write a plain log of every call of every rank into this folder");
  sub->add_option("--time", o->time,
                  "How times are kept: a histogram for each call and each path to it, a histogram "
                  "for each call, mean and extremes, or not at all")
      ->check(CLI::IsMember({"paths", "histogram", "stats", "none"}))
      ->capture_default_str();
  sub->add_option("--bins", o->bins, "Bins of a histogram")
      ->check(CLI::Range(std::size_t{1}, trace::Histogram::kMaxBins))
      ->capture_default_str();
  sub->add_option("--smoothing", o->smoothing,
                  "Share of all values by which a bin grows until the bins are balanced again")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  sub->add_option("--clock", o->clock,
                  "What times are measured with: the processor's counter (tsc), which auto takes "
                  "where its rate is constant, the system's clock, or MPI_Wtime")
      ->check(CLI::IsMember({"auto", "tsc", "monotonic", "wtime"}))
      ->capture_default_str();
  sub->add_flag("--no-rank-sums", o->no_rank_sums,
                "Do not keep what every rank spent; saves a few bytes a rank and call site");
  sub->add_flag("--average-sizes", o->average_sizes,
                "Keep the mean of the counts of vector collectives (MPI_Alltoallv, ...) in place "
                "of each: constant size, but not lossless; the trace says so");
  sub->add_flag("--print-env", o->print_env,
                "Print the environment that records, for batch scripts");
  sub->add_flag("--force", o->force, "Overwrite the output");
  sub->add_option("command", o->command, "The program and its launcher, after --");
  sub->footer("Example: reprise record -o app.reprise -- mpirun -n 16 ./app");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
