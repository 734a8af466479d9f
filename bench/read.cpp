// The cost of reading: calls that a cursor walks in a second, and bytes that are encoded and
// decoded in a second.
#include <benchmark/benchmark.h>

#include "synthetic.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/file/file.hpp"

namespace reprise::bench {
namespace {

trace::Trace record(Program program) {
  const std::uint64_t ranks = program == Program::entropy ? 4 : 64;
  const std::uint64_t steps = program == Program::entropy ? 100000 : 1000;
  std::vector<compress::Process> processes;
  for (std::uint64_t r = 0; r < ranks; ++r) processes.push_back(execute(program, r, ranks, steps));
  return merge_processes(std::move(processes),
                         [](const auto&, const auto&) { return trace::Code{}; });
}

// Walks every stream of the trace.
void Walk(benchmark::State& state, Program program) {
  const trace::Trace trace = record(program);
  std::int64_t calls = 0;
  for (auto _ : state) {
    for (std::uint64_t stream = 0; stream < trace.streams(); ++stream) {
      for (trace::Cursor cursor(trace, stream); cursor.next(); ++calls) {
        benchmark::DoNotOptimize(cursor.event().scalars.data());
      }
    }
  }
  state.SetItemsProcessed(calls);
}

void Encode(benchmark::State& state, Program program) {
  const trace::Trace trace = record(program);
  std::size_t bytes = 0;
  for (auto _ : state) bytes += encode_trace(trace)->size();
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
  state.counters["file_bytes"] =
      static_cast<double>(bytes) / static_cast<double>(state.iterations());
}

void Decode(benchmark::State& state, Program program) {
  const std::vector<std::uint8_t> file = *encode_trace(record(program));
  for (auto _ : state) {
    const auto trace = trace::decode_trace(file, "benchmark");
    if (!trace) return state.SkipWithError(trace.error().message.c_str());
    benchmark::DoNotOptimize(*trace);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * file.size()));
}

BENCHMARK_CAPTURE(Walk, stencil, Program::stencil)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Walk, irregular, Program::irregular)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Walk, entropy, Program::entropy)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Encode, stencil, Program::stencil)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Encode, irregular, Program::irregular)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Encode, entropy, Program::entropy)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Decode, stencil, Program::stencil)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Decode, irregular, Program::irregular)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Decode, entropy, Program::entropy)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::bench
