// The cost of times: a value for a histogram, a call's two deltas for its site and path, and a
// search in time.
#include <benchmark/benchmark.h>

#include "analyze/times/timing_tree.hpp"
#include "base/hash.hpp"
#include "compress/times/time_folder.hpp"
#include "synthetic.hpp"

namespace reprise::bench {
namespace {

// A value of about `scale`, of one kind or another.
enum class Values { equal, uniform, heavy_tailed };

std::int64_t draw(Values values, std::uint64_t& random) {
  random = mix(random);
  constexpr std::int64_t kScale = 10000;
  switch (values) {
    case Values::equal: return kScale;
    case Values::uniform: return static_cast<std::int64_t>(random % (2 * kScale));
    case Values::heavy_tailed: return kScale * 100 / static_cast<std::int64_t>(1 + random % 1000);
  }
  return 0;
}

// One value into a histogram of so many bins.
void Add(benchmark::State& state, Values values) {
  trace::Histogram histogram(static_cast<std::size_t>(state.range(0)));
  std::uint64_t random = 1;
  for (auto _ : state) histogram.add(draw(values, random));
  state.counters["bins"] = static_cast<double>(histogram.bins().size());
}

// Two histograms of a million values each into one.
void Merge(benchmark::State& state) {
  const auto bins = static_cast<std::size_t>(state.range(0));
  std::uint64_t random = 1;
  trace::Histogram one(bins), other(bins);
  for (int i = 0; i < 1000000; ++i) {
    one.add(draw(Values::uniform, random));
    other.add(draw(Values::heavy_tailed, random));
  }
  for (auto _ : state) {
    trace::Histogram sum = one;
    sum.merge(other);
    benchmark::DoNotOptimize(sum);
  }
}

// The two deltas of a call, in a loop of so many places.
void FoldTimes(benchmark::State& state) {
  compress::TimeFolder folder({});
  const auto sites = static_cast<std::uint32_t>(state.range(0));
  std::uint64_t random = 1;
  std::uint32_t from = trace::Path::kStart, to = 0;
  for (auto _ : state) {
    folder.add(from, to, {draw(Values::uniform, random), draw(Values::heavy_tailed, random)});
    from = to;
    to = to + 1 == sites ? 0 : to + 1;
  }
}

// What a stream did at a moment, in a loop of so many trips.
void Seek(benchmark::State& state) {
  std::vector<compress::Process> processes;
  processes.push_back(execute(Program::stencil, 5, 16, static_cast<std::uint64_t>(state.range(0))));
  const trace::Trace trace =
      merge_processes(std::move(processes), [](const auto&, const auto&) { return trace::Code{}; });
  const analyze::TimingTree tree(trace, 5);
  std::uint64_t random = 1;
  for (auto _ : state) {
    random = mix(random);
    const auto t =
        static_cast<analyze::Picoseconds>(random % static_cast<std::uint64_t>(tree.total()));
    benchmark::DoNotOptimize(tree.at(t));
  }
}

BENCHMARK_CAPTURE(Add, equal, Values::equal)->Arg(1)->Arg(5)->Arg(64);
BENCHMARK_CAPTURE(Add, uniform, Values::uniform)->Arg(1)->Arg(5)->Arg(64);
BENCHMARK_CAPTURE(Add, heavy_tailed, Values::heavy_tailed)->Arg(1)->Arg(5)->Arg(64);
BENCHMARK(Merge)->Arg(1)->Arg(5)->Arg(64);
BENCHMARK(FoldTimes)->RangeMultiplier(10)->Range(10, 10000);
BENCHMARK(Seek)->RangeMultiplier(10)->Range(100, 1000000);

}  // namespace
}  // namespace reprise::bench
