#include "replay/process/threads.hpp"

#include <algorithm>
#include <cstdio>
#include <thread>

#include "replay/process/exchange.hpp"
#include "replay/steering/steering.hpp"

namespace reprise::replay {
namespace {

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

struct Recorded {
  double duration = 0;        // [s]
  std::vector<Totals> ranks;  // on rank 0; empty: not known
};

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

// The times of the recorded run, of which each rank contributes its own.
Recorded recorded_by_all(const Process& process) {
  const trace::Trace& trace = process.trace;
  Recorded out{1e-6 * static_cast<double>(trace.duration), {}};
  if (process.recording.form() != Form::rank_traces) {
    if (process.rank == 0) out.ranks = recorded_totals(trace);
    return out;
  }
  out.duration = max_over_ranks(out.duration, process);
  const std::vector<Totals> mine = recorded_totals(trace);
  const bool is_known = max_over_ranks(mine.empty() ? 1 : 0, process) == 0;
  if (is_known) out.ranks = gather(mine[static_cast<std::size_t>(process.rank)], process);
  return out;
}

std::string why_no_compute(const Process& process) {
  if (!process.options.compute) return "--compute none";
  return process.trace.times.empty() ? "the recording has no times" : "";
}

// Counts the calls of each thread on each communicator.
void foresee(Process& process) {
  if (!process.sharing.threads) return;
  const std::uint64_t n = process.trace.threads;
  process.uses.resize(n);
  for (std::uint64_t t = 0; t < n; ++t) {
    const auto calls = process.recording.calls(static_cast<std::uint64_t>(process.rank), t);
    while (const trace::Event* event = calls->next()) {
      for (const std::int64_t id : used_comms(*event)) ++process.uses[t][id];
    }
  }
}

}  // namespace

Threads::Threads(Process& process) : process_(process) {
  for (std::uint64_t t = 0; t < process.trace.threads; ++t)
    streams_.push_back(std::make_unique<Stream>(process, t));
  running_ = static_cast<int>(streams_.size());
  foresee(process);
}

void Threads::run() {
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < streams_.size(); ++t) {
    others.emplace_back([this, t] { run(t); });
    wait_for_begin(t);
  }
  run(0);
  for (std::thread& thread : others) thread.join();
}

void Threads::skip_first() {
  streams_[0]->peek();
  streams_[0]->skip();
  started_ = 1;
}

// Recorders number threads in the order of their first calls.
void Threads::wait_for_begin(std::size_t t) {
  std::unique_lock lock(process_.sharing.mutex);
  process_.sharing.changed.wait(lock, [&] { return begun_ >= t; });
}

void Threads::begin(std::size_t t) {
  if (t == 0) return;
  // Probes for a message that nobody sends: this shows the thread to recorders, which do not record
  // it.
  int flag = 0;
  MPI_Iprobe(0, kUnusedTag, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
  const std::lock_guard lock(process_.sharing.mutex);
  begun_ = t;
  process_.sharing.changed.notify_all();
}

void Threads::run(std::size_t t) {
#ifndef SMPI_H
  begin(t);
#endif
  Stream& stream = *streams_[t];
  stream.begin_time();
  while (const trace::Event* event = stream.peek()) {
    if (is_last(*event->function)) finish();
    stream.step();
  }
  const std::lock_guard lock(process_.sharing.mutex);
  --running_;
  process_.sharing.changed.notify_all();
}

// Whether MPI is no longer initialized after a call.
bool Threads::is_last(const trace::Function& function) {
  const std::lock_guard lock(process_.sharing.mutex);
  if (trace::begins_mpi(function)) ++process_.open;
  return trace::ends_mpi(function) && --process_.open <= 0;
}

void Threads::finish() {
  std::unique_lock lock(process_.sharing.mutex);
  process_.sharing.changed.wait(lock, [&] { return running_ == 1; });
  Totals all;
  all.calls = started_ + 1;  // and the call that ends MPI
  for (const auto& stream : streams_) {
    const Totals t = stream->final_totals();
    all.calls += t.calls;
    all.bytes += t.bytes;
    all.mpi += t.mpi;
    all.compute += t.compute;
    all.total = std::max(all.total, t.total);
  }
  MPI_Info_free(&process_.objects.no_hints);
  const Recorded recorded = recorded_by_all(process_);
  const std::vector<Totals> ranks = gather(all, process_);
  close_channel(process_);
  if (ranks.empty()) return;
  const bool is_whole = process_.recording.form() == Form::trace;
  print({process_.options.file, mpi_name(), recorded.duration, ranks, recorded.ranks,
         is_whole ? process_.trace.losses : std::vector<trace::Loss>{}, why_no_compute(process_),
         differences_of(process_.trace, process_.options, mpi_name())},
        process_.options);
}

}  // namespace reprise::replay
