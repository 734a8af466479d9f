// The cost of simulating: MPI calls and messages in a second, with loops iterated, by arithmetic
// and in the order of time; how it grows with the passes of a loop and with ranks; memory.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>

#include "analyze/program_text.hpp"
#include "simulate/results/result.hpp"
#include "synthetic.hpp"

namespace reprise::bench {
namespace {

trace::Trace record(std::uint64_t ranks, std::uint64_t steps) {
  std::vector<compress::Process> processes;
  for (std::uint64_t r = 0; r < ranks; ++r)
    processes.push_back(execute(Program::stencil, r, ranks, steps));
  return merge_processes(std::move(processes),
                         [](const auto&, const auto&) { return trace::Code{}; });
}

// A ring of exchanges with both neighbors, on any number of ranks at once: as a trace extrapolated
// to them would be.
trace::Trace ring(std::uint64_t ranks, std::uint64_t steps) {
  return analyze::parse_program("ranks " + std::to_string(ranks) + "\n" + std::to_string(steps) +
                                ":\n"
                                "  MPI_Irecv count=100 datatype=MPI_BYTE source=rank+-1 tag=0\n"
                                "  MPI_Irecv count=100 datatype=MPI_BYTE source=rank+1 tag=1\n"
                                "  MPI_Isend count=100 datatype=MPI_BYTE dest=rank+1 tag=0\n"
                                "  MPI_Isend count=100 datatype=MPI_BYTE dest=rank+-1 tag=1\n"
                                "  MPI_Waitall requests=(3 2 1 0)\n");
}

// Resident memory of this process [bytes]: now, or the most since the last reset.
std::int64_t memory(const char* which) {
  std::int64_t kib = 0;
  char line[256];
  std::FILE* status = std::fopen("/proc/self/status", "r");
  while (status && std::fgets(line, sizeof line, status)) {
    if (std::string(line).starts_with(which))
      std::sscanf(line + std::string(which).size(), " %ld", &kib);
  }
  if (status) std::fclose(status);
  return kib * 1024;
}

void reset_peak() {
  if (std::FILE* file = std::fopen("/proc/self/clear_refs", "w")) {
    std::fputs("5", file);
    std::fclose(file);
  }
}

void run(benchmark::State& state, const trace::Trace& trace, const simulate::Machine& machine,
         const simulate::Options& options) {
  std::uint64_t calls = 0, messages = 0, leapt = 0;
  reset_peak();
  const std::int64_t before = memory("VmRSS:");
  for (auto _ : state) {
    const auto out = simulate::simulate(trace, machine, options);
    if (!out) return state.SkipWithError(out.error().message.c_str());
    if (!out->blocked.empty()) return state.SkipWithError("it came to a deadlock");
    calls += out->calls;
    messages += out->messages;
    leapt = out->leapt;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(calls));
  state.counters["messages/s"] =
      benchmark::Counter(static_cast<double>(messages), benchmark::Counter::kIsRate);
  state.counters["leapt"] = static_cast<double>(leapt);
  state.counters["KiB/rank"] =
      static_cast<double>(memory("VmHWM:") - before) / 1024.0 / static_cast<double>(trace.ranks);
}

simulate::Options iterating() {
  simulate::Options options;
  options.steady_state = false;
  return options;
}

void Iterating(benchmark::State& state) { run(state, record(64, 1000), {}, iterating()); }

void WithPaths(benchmark::State& state) {
  simulate::Options options = iterating();
  options.paths = true;
  run(state, record(64, 1000), {}, options);
}

void Leaping(benchmark::State& state) {
  run(state, record(64, static_cast<std::uint64_t>(state.range(0))), {}, {});
}

void InOrder(benchmark::State& state) {
  simulate::Options options;
  options.in_order = true;
  run(state, record(64, 200), {}, options);
}

void Contention(benchmark::State& state) {
  simulate::Machine machine;
  machine.buses = 32;
  machine.input_links = machine.output_links = 1;
  run(state, record(64, 200), machine, {});
}

void Ranks(benchmark::State& state) {
  run(state, ring(static_cast<std::uint64_t>(state.range(0)), 20), {}, iterating());
}

// Each with each, all under way at once.
void ManyToMany(benchmark::State& state) {
  simulate::Machine machine;
  machine.algorithms[static_cast<std::size_t>(simulate::Collective::alltoall)] =
      simulate::Algorithm::linear;
  const trace::Trace trace = analyze::parse_program(
      "ranks " + std::to_string(state.range(0)) +
      "\nMPI_Alltoall sendcount=100 sendtype=MPI_BYTE recvcount=100 recvtype=MPI_BYTE\n");
  run(state, trace, machine, iterating());
}

BENCHMARK(Iterating)->Unit(benchmark::kMillisecond);
BENCHMARK(WithPaths)->Unit(benchmark::kMillisecond);
BENCHMARK(Leaping)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(100, 100000);
BENCHMARK(InOrder)->Unit(benchmark::kMillisecond);
BENCHMARK(Contention)->Unit(benchmark::kMillisecond);
BENCHMARK(Ranks)->Unit(benchmark::kMillisecond)->RangeMultiplier(4)->Range(64, 16384);
BENCHMARK(ManyToMany)->Unit(benchmark::kMillisecond)->RangeMultiplier(4)->Range(64, 1024);

}  // namespace
}  // namespace reprise::bench
