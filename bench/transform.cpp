// What a call costs that is transformed: aligning (the walk that finds partners, and folding the
// result), resolving by what was recorded, and by the first message that matches.
#include <benchmark/benchmark.h>

#include "compress/process.hpp"
#include "mpi/requests/matching.hpp"
#include "synthetic.hpp"
#include "trace/values/special.hpp"
#include "transform/collectives.hpp"
#include "transform/refold.hpp"
#include "transform/resolve.hpp"

namespace reprise::bench {
namespace {

constexpr std::uint64_t kSteps = 1000;

trace::Trace stencil(std::int64_t ranks) {
  std::vector<compress::Process> processes;
  for (std::int64_t r = 0; r < ranks; ++r) {
    processes.push_back(execute(Program::stencil, static_cast<std::uint64_t>(r),
                                static_cast<std::uint64_t>(ranks), kSteps));
  }
  return compress::merge_processes(std::move(processes),
                                   [](const auto&, const auto&) { return trace::Code{}; });
}

std::uint64_t calls_of(const trace::Trace& trace) {
  std::uint64_t calls = 0;
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    for (trace::Cursor cursor(trace, s); cursor.next();) ++calls;
  }
  return calls;
}

void per_call(benchmark::State& state, std::uint64_t calls) {
  const auto n = static_cast<double>(calls) * static_cast<double>(state.iterations());
  state.counters["calls"] = benchmark::Counter(n, benchmark::Counter::kIsRate);
}

// Every receive takes messages from anybody; tags tell them apart.
trace::Trace with_wildcards(trace::Trace trace) {
  for (trace::Call& call : trace.calls) {
    const auto at = mpi::receive_columns(trace::function(call.function));
    if (!at) continue;
    call.columns[at->source] = trace::Value::constant(trace::kAnySource);
  }
  return trace;
}

void FindCollectives(benchmark::State& state) {
  const trace::Trace trace = stencil(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(transform::find_collectives(trace));
  per_call(state, calls_of(trace));
}
BENCHMARK(FindCollectives)->Arg(16)->Arg(64);

class Same : public transform::SiteChoice {
 public:
  std::uint32_t site_of(const trace::Event& event) override { return event.call; }
};

void Refold(benchmark::State& state) {
  const trace::Trace trace = stencil(state.range(0));
  transform::SiteCalls sites;
  for (std::uint32_t c = 0; c < trace.calls.size(); ++c) sites.push_back(c);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        transform::refold(trace, sites, [](std::uint64_t) { return std::make_unique<Same>(); }));
  }
  per_call(state, calls_of(trace));
}
BENCHMARK(Refold)->Arg(16)->Arg(64);

void Resolve(benchmark::State& state, transform::ResolveOptions options) {
  const trace::Trace trace = with_wildcards(stencil(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(transform::resolve(trace, options));
  per_call(state, calls_of(trace));
}
BENCHMARK_CAPTURE(Resolve, recorded, {})->Arg(16)->Arg(64);
BENCHMARK_CAPTURE(Resolve, first, {.matching = transform::Matching::first})->Arg(16)->Arg(64);

}  // namespace
}  // namespace reprise::bench
