// reprise-replay-openmpi and the like: one rank of a replay, started by an MPI launcher.
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>

#include "replay/compute.hpp"
#include "replay/files.hpp"
#include "replay/process/exchange.hpp"
#include "replay/process/stream.hpp"
#include "replay/process/threads.hpp"

namespace reprise::replay {

void give_up(const Process& process, const std::string& message) {
  std::fprintf(stderr, "reprise-replay: rank %d: %s\n", process.rank, message.c_str());
  remove_scratch(process.scratch);
  REPRISE_OWN(MPI_Abort)(process.channel, 1);
  std::abort();
}

namespace {

namespace traits = trace::traits;

// Why a replay ends before it begins. `status` 0: the user asked for it, as with --help.
struct Leave {
  std::string message;
  int status = 1;
};

Options parse(int argc, char** argv) {
  CLI::App app{
      "Makes the calls of a recorded run again, without the program: as one rank of as many as "
      "the trace has.\n",
      "reprise-replay"};
  Options options;
  add_options(app, options);
  app.footer(
      "`reprise replay` starts the launcher itself. docs/replay.md describes what is replayed.\n\n"
      "Example: mpirun -n 64 reprise-replay app.reprise --compute none");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    throw Leave{app.help(), 0};
  } catch (const CLI::ParseError& e) {
    throw Leave{std::string(e.what()) + "; -h lists the options"};
  }
  return options;
}

std::string obstacle(trace::FunctionId f) {
  return player(f).play ? std::string() : std::string(player(f).why_not);
}

// The rank that this process will have, if the launcher tells it before MPI_Init; else 0.
std::uint64_t rank_hint() {
  for (const char* name :
       {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "MV2_COMM_WORLD_RANK"}) {
    const char* value = std::getenv(name);
    if (value) return static_cast<std::uint64_t>(std::max(0, std::atoi(value)));
  }
  return 0;
}

std::unique_ptr<Recording> read(const std::string& file) {
#ifdef SMPI_H
  if (form_of(file) != Form::trace) {
    throw Leave{file +
                " cannot be replayed here (SMPI does not distinguish ranks before MPI_Init); make "
                "one trace of it with `reprise merge`"};
  }
#endif
  Result<std::unique_ptr<Recording>> recording = Recording::open(file, rank_hint(), obstacle);
  if (!recording) throw Leave{recording.error().message};
#ifdef SMPI_H
  if (const std::uint64_t threads = (*recording)->trace().threads; threads > 1)
    throw Leave{file + " cannot be replayed here (its ranks have " + std::to_string(threads) +
                " threads, and SMPI's have one)"};
#endif
  return std::move(*recording);
}

// Starts MPI as the program did.
bool start_recorded(Process& process) {
  reprise_steering()->threads = process.sharing.threads;
  Stream first(process, 0);
  const trace::Event* event = first.peek();
  if (!event || !trace::begins_mpi(*event->function)) return false;
  process.open = 1;
  return first.step();
}

void start_anyhow() {
  if (!is_mpi_open()) REPRISE_OWN(MPI_Init)(nullptr, nullptr);
}

int leave(const Leave& how, int rank) {
  if (rank == 0) {
    std::fprintf(how.status ? stderr : stdout, how.status ? "reprise-replay: %s\n" : "%s",
                 how.message.c_str());
    std::fflush(stdout);
  }
  REPRISE_OWN(MPI_Finalize)();
  return how.status;
}

// Why the trace cannot be replayed, where this is only known once MPI runs; empty if it can.
std::string prepare(Process& process) {
  MPI_Comm_rank(process.channel, &process.rank);
  MPI_Comm_size(process.channel, &process.size);
  if (static_cast<std::uint64_t>(process.size) != process.trace.ranks) {
    const std::string n = std::to_string(process.trace.ranks);
    return process.options.file + " cannot be replayed on " + std::to_string(process.size) +
           (process.size == 1 ? " rank" : " ranks") + " (it was recorded on " + n + "); start " + n;
  }
  if (process.recording.form() != Form::trace &&
      process.recording.rank() != static_cast<std::uint64_t>(process.rank)) {
    return process.options.file +
           " cannot be replayed here (its ranks have recordings of their own, and the launcher "
           "does not say before MPI_Init which rank a process is); make one trace of them with "
           "`reprise merge`";
  }
  int level = MPI_THREAD_MULTIPLE;  // as sessions have it
  if (process.channel == MPI_COMM_WORLD) MPI_Query_thread(&level);
  if (process.sharing.threads && level != MPI_THREAD_MULTIPLE) {
    return process.options.file +
           " cannot be replayed here (its ranks have several threads, and this MPI library does "
           "not provide MPI_THREAD_MULTIPLE)";
  }
  return {};
}

// Sets the rank and the number of ranks where they are known without a channel.
void find_place(Process& process) {
  if (!is_mpi_open()) return;
  MPI_Comm_rank(MPI_COMM_WORLD, &process.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &process.size);
}

// Ranks that read recordings of their own find out whether all could, and are of one run; those
// that could not leave. The world is there, or sessions take its place.
std::string compare_ranks(const std::string& problem, const Process& process) {
  if (process.recording.form() == Form::trace || !is_mpi_open()) return problem;
  std::string out = agree(problem, process);
  if (!out.empty()) return out;
  const std::string run = std::to_string(process.recording.run());
  const std::string other = share(run, process);
  if (run != other) {
    out = process.options.file + " has the traces of several runs (that of rank " +
          std::to_string(process.rank) +
          " is of another run than that of rank 0); replay traces of one run";
  }
  return agree(out, process);
}

int run(int argc, char** argv) {
  Leave problem{{}, 0};
  Options options;
  auto recording = std::make_unique<Recording>();
  try {
    options = parse(argc, argv);
    recording = std::make_unique<Recording>(form_of(options.file));
    recording = read(options.file);
    if (recording->form() == Form::trace) {
      const Status places = check_places(recording->trace(), options, options.file);
      if (!places) throw Leave{places.error().message};
    }
  } catch (const Leave& e) {
    problem = e;
    if (problem.message.empty()) problem.message = " ";
  }
  Process process(*recording, options);
  const bool good = problem.message.empty();
  if (good) problem.status = 1;  // of failures from here on
  if (good && rank_hint() < recording->trace().ranks) process.rank = static_cast<int>(rank_hint());
  const bool started = good && start_recorded(process);
  if (!started) start_anyhow();
  find_place(process);
  problem.message = compare_ranks(problem.message, process);
  if (problem.message.empty() && !open_channel(process)) {
    std::fprintf(stderr,
                 "reprise-replay: MPI gives no communicator of all processes (its sessions do not "
                 "work); replay with another MPI library\n");
    return 1;
  }
  if (problem.message.empty()) problem.message = prepare(process);
  const bool has_files = max_over_ranks(recording->has_files() ? 1 : 0, process) > 0;
  if (problem.message.empty() && process.rank == 0 && has_files) {
    Result<std::string> made = make_scratch(options.scratch);
    made ? process.scratch = *made : problem.message = made.error().message;
  }
  problem.message = agree(problem.message, process);
  if (!problem.message.empty()) return leave(problem, process.rank);
  process.scratch = share(process.scratch, process);

  process.objects.predefine();
  Threads threads(process);
  if (started) threads.skip_first();
  threads.run();
  if (process.rank == 0) remove_scratch(process.scratch);
  return 0;
}

}  // namespace
}  // namespace reprise::replay

// Visible, since smpirun looks for it in a library.
__attribute__((visibility("default"))) int main(int argc, char** argv) {
  try {
    return reprise::replay::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "reprise-replay: an unexpected error (%s); please report it\n", e.what());
    return 1;
  }
}
