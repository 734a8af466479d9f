// reprise-replay-openmpi and the like: one rank of a replay, started by an MPI launcher.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include "replay/check.hpp"
#include "replay/exchange.hpp"
#include "replay/files.hpp"
#include "replay/stream.hpp"
#include "trace/file.hpp"

namespace reprise::replay {

void give_up(const Process& process, const std::string& message) {
  std::fprintf(stderr, "reprise-replay: rank %d: %s\n", process.rank, message.c_str());
  remove_scratch(process.scratch);
  REPRISE_OWN(MPI_Abort)(MPI_COMM_WORLD, 1);
  std::abort();
}

namespace {

namespace traits = trace::traits;

// What ends a replay before it has begun; `status` 0: it was asked to.
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
      "`reprise replay` starts the launcher itself. docs/replay.md tells what is replayed.\n\n"
      "Example: mpirun -n 64 reprise-replay app.reprise --no-compute");
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

trace::Trace read(const std::string& file) {
  Result<trace::Trace> trace = trace::read_trace(file);
  if (!trace) throw Leave{trace.error().message};
  if (Status status = check(*trace, file, obstacle); !status) throw Leave{status.error().message};
#ifdef SMPI_H
  if (trace->threads > 1)
    throw Leave{file + " cannot be replayed here (its ranks have " +
                std::to_string(trace->threads) + " threads, and SMPI's have one)"};
#endif
  return std::move(*trace);
}

// Which rank this is going to be, as far as launchers tell before MPI_Init; else 0.
int rank_hint(const trace::Trace& trace) {
  for (const char* name :
       {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "MV2_COMM_WORLD_RANK"}) {
    const char* value = std::getenv(name);
    if (!value) continue;
    const int rank = std::atoi(value);
    if (rank > 0 && static_cast<std::uint64_t>(rank) < trace.ranks) return rank;
  }
  return 0;
}

// Starts MPI as the program did.
bool start_recorded(Process& process) {
  reprise_steering()->threads = process.sharing.threads;
  Stream first(process, 0);
  const trace::Event* event = first.peek();
  if (!event || !(event->function->traits & traits::kInit)) return false;
  return first.step();
}

void start_anyhow() {
  int flag = 0;
  MPI_Initialized(&flag);
  if (!flag) REPRISE_OWN(MPI_Init)(nullptr, nullptr);
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

std::string mpi_name() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int n = 0;
  MPI_Get_library_version(text, &n);
  // "Open MPI v4.1.4, package: ..." and "MPICH Version:\t4.0.2\n...".
  std::string out;
  for (const char* c = text; *c && *c != ',' && *c != '\n'; ++c) {
    if (*c != ':') out += *c == '\t' ? ' ' : *c;
  }
  return out;
}

void print(const Report& report, const Options& options) {
  const std::string text = options.json ? report.json() : report.text();
  if (!options.json || options.json_file.empty()) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
    return;
  }
  std::FILE* file = std::fopen(options.json_file.c_str(), "w");
  if (!file || std::fputs(text.c_str(), file) < 0) {
    std::fprintf(stderr, "reprise-replay: %s cannot be written; here it is\n%s",
                 options.json_file.c_str(), text.c_str());
  }
  if (file) std::fclose(file);
}

// Counts what each thread will do with which communicator.
void foresee(Process& process) {
  if (!process.sharing.threads) return;
  const std::uint64_t n = process.trace.threads;
  process.uses.resize(n);
  for (std::uint64_t t = 0; t < n; ++t) {
    trace::Cursor cursor(process.trace, static_cast<std::uint64_t>(process.rank) * n + t);
    while (cursor.next()) {
      for (const std::int64_t id : used_comms(cursor.event())) ++process.uses[t][id];
    }
  }
}

// The threads of a rank, of which one ends MPI when the others are done.
class Threads {
 public:
  explicit Threads(Process& process) : process_(process) {
    for (std::uint64_t t = 0; t < process.trace.threads; ++t)
      streams_.push_back(std::make_unique<Stream>(process, t));
    running_ = static_cast<int>(streams_.size());
  }

  void run() {
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < streams_.size(); ++t) {
      others.emplace_back([this, t] { run(t); });
      wait_for_begin(t);
    }
    run(0);
    for (std::thread& thread : others) thread.join();
  }

  void skip_first() {
    streams_[0]->peek();
    streams_[0]->skip();
    started_ = 1;
  }

 private:
  // Recorders number threads in the order of their first calls.
  void wait_for_begin(std::size_t t) {
    std::unique_lock lock(process_.sharing.mutex);
    process_.sharing.changed.wait(lock, [&] { return begun_ >= t; });
  }

  void begin(std::size_t t) {
    if (t == 0) return;
    // A look for a message that nobody sends: it makes the thread known and is no call in a trace.
    int flag = 0;
    MPI_Iprobe(0, kUnusedTag, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    const std::lock_guard lock(process_.sharing.mutex);
    begun_ = t;
    process_.sharing.changed.notify_all();
  }

  void run(std::size_t t) {
#ifndef SMPI_H
    begin(t);
#endif
    Stream& stream = *streams_[t];
    stream.begin_time();
    while (const trace::Event* event = stream.peek()) {
      if (event->function->traits & traits::kFinalize) finish();
      stream.step();
    }
    const std::lock_guard lock(process_.sharing.mutex);
    --running_;
    process_.sharing.changed.notify_all();
  }

  void finish() {
    std::unique_lock lock(process_.sharing.mutex);
    process_.sharing.changed.wait(lock, [&] { return running_ == 1; });
    Totals all;
    all.calls = started_ + 1;  // and the one that ends it all
    for (const auto& stream : streams_) {
      const Totals t = stream->final_totals();
      all.calls += t.calls;
      all.bytes += t.bytes;
      all.mpi += t.mpi;
      all.compute += t.compute;
      all.total = std::max(all.total, t.total);
    }
    MPI_Info_free(&process_.objects.no_hints);
    const std::vector<Totals> ranks = gather(all, process_);
    if (ranks.empty()) return;
    print({process_.options.file, mpi_name(), 1e-6 * static_cast<double>(process_.trace.duration),
           ranks, recorded_totals(process_.trace)},
          process_.options);
  }

  Process& process_;
  std::vector<std::unique_ptr<Stream>> streams_;
  int running_ = 0;
  int started_ = 0;  // 1: MPI was started by a call of the trace
  std::size_t begun_ = 0;
};

// What stands against a replay that is only seen when MPI runs.
std::string prepare(Process& process) {
  MPI_Comm_rank(MPI_COMM_WORLD, &process.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &process.size);
  if (static_cast<std::uint64_t>(process.size) != process.trace.ranks) {
    const std::string n = std::to_string(process.trace.ranks);
    return process.options.file + " cannot be replayed on " + std::to_string(process.size) +
           " ranks (it was recorded on " + n + "); start " + n;
  }
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (process.sharing.threads && level != MPI_THREAD_MULTIPLE) {
    return process.options.file +
           " cannot be replayed here (its ranks have several threads, and this MPI library does "
           "not provide MPI_THREAD_MULTIPLE)";
  }
  return {};
}

bool has_files(const trace::Trace& trace) {
  for (const trace::Call& call : trace.calls) {
    if (trace::function(call.function).traits & traits::kIo) return true;
  }
  return false;
}

int run(int argc, char** argv) {
  Leave problem{{}, 0};
  Options options;
  trace::Trace trace;
  try {
    options = parse(argc, argv);
    trace = read(options.file);
  } catch (const Leave& e) {
    problem = e;
    if (problem.message.empty()) problem.message = " ";
  }
  Process process(trace, options);
  if (problem.message.empty()) process.rank = rank_hint(trace);
  const bool started = problem.message.empty() && start_recorded(process);
  start_anyhow();
  if (problem.message.empty()) {
    problem = {prepare(process), 1};
  } else {
    MPI_Comm_rank(MPI_COMM_WORLD, &process.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &process.size);
  }
  if (problem.message.empty() && process.rank == 0 && has_files(trace)) {
    Result<std::string> made = make_scratch(options.scratch);
    made ? process.scratch = *made : problem.message = made.error().message;
  }
  problem.message = agree(problem.message, process.rank, process.size);
  if (!problem.message.empty()) return leave(problem, process.rank);
  process.scratch = share(process.scratch, process.rank);

  process.objects.predefine();
  foresee(process);
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
