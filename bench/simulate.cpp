// The cost of simulating: MPI calls in a second, with loops iterated and without, and in the order
// of time; and how the time grows with the passes of a loop.
#include <benchmark/benchmark.h>

#include "simulate/result.hpp"
#include "synthetic.hpp"

namespace reprise::bench {
namespace {

trace::Trace record(std::uint64_t ranks, std::uint64_t steps) {
  std::vector<compress::Process> processes;
  for (std::uint64_t r = 0; r < ranks; ++r)
    processes.push_back(execute(Program::stencil, r, ranks, steps));
  return merge_processes(std::move(processes));
}

void run(benchmark::State& state, const trace::Trace& trace, const simulate::Machine& machine,
         const simulate::Options& options) {
  std::uint64_t calls = 0, leapt = 0;
  for (auto _ : state) {
    const auto out = simulate::simulate(trace, machine, options);
    if (!out) return state.SkipWithError(out.error().message.c_str());
    if (!out->blocked.empty()) return state.SkipWithError("it came to a deadlock");
    calls += out->calls;
    leapt = out->leapt;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(calls));
  state.counters["leapt"] = static_cast<double>(leapt);
}

void Iterating(benchmark::State& state) {
  simulate::Options options;
  options.steady_state = false;
  run(state, record(64, 1000), {}, options);
}

void Leaping(benchmark::State& state) {
  run(state, record(64, static_cast<std::uint64_t>(state.range(0))), {}, {});
}

void InOrder(benchmark::State& state) {
  simulate::Machine machine;
  machine.buses = 32;
  run(state, record(64, 200), machine, {});
}

BENCHMARK(Iterating)->Unit(benchmark::kMillisecond);
BENCHMARK(Leaping)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(100, 10000);
BENCHMARK(InOrder)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::bench
