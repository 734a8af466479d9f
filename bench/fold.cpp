// The cost of folding one stream, per call: against the length of the loop body, the number of
// calls whose sizes never repeat, and the period with which sizes repeat.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <array>

#include "base/hash.hpp"
#include "compress/fold/stream_folder.hpp"

namespace reprise::compress {
namespace {

constexpr std::size_t kCount = 2;  // of MPI_Send: polls buf count datatype dest tag comm

class Sender {
 public:
  void send(std::uint32_t site, std::int64_t count) {
    record_[kCount] = count;
    folder_.add({kSend, site}, kLayout, record_);
  }
  std::uint64_t calls() const { return folder_.calls(); }
  FoldedStream finish() { return folder_.finish(); }

 private:
  inline static const trace::FunctionId kSend = *trace::find_function("MPI_Send");
  inline static const Layout kLayout{trace::function(kSend).scalars.size(), 0};

  StreamFolder folder_;
  std::array<std::int64_t, 7> record_{0, 0, 100, 8, 1, 0, 0};
};

// Allocated by this process [bytes].
double allocated() {
  const struct mallinfo2 m = mallinfo2();
  return static_cast<double>(m.uordblks + m.hblkhd);
}

void per_call(benchmark::State& state, std::uint64_t calls) {
  state.counters["per_call"] = benchmark::Counter(
      static_cast<double>(calls), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// A loop whose body makes n calls, each from a place of its own, always the same.
void LoopBody(benchmark::State& state) {
  Sender sender;
  const auto sites = static_cast<std::uint32_t>(state.range(0));
  const auto pass = [&] {
    for (std::uint32_t s = 0; s < sites; ++s) sender.send(s, 100);
  };
  for (int i = 0; i < 3; ++i) pass();
  const std::uint64_t before = sender.calls();
  for (auto _ : state) pass();
  per_call(state, sender.calls() - before);
}
BENCHMARK(LoopBody)->RangeMultiplier(10)->Range(10, 10000);

// The same, with a size that is another in each pass, by a stride.
void LoopBodyOfStrides(benchmark::State& state) {
  Sender sender;
  const auto sites = static_cast<std::uint32_t>(state.range(0));
  std::int64_t count = 0;
  const auto pass = [&] {
    ++count;
    for (std::uint32_t s = 0; s < sites; ++s) sender.send(s, count);
  };
  for (int i = 0; i < 3; ++i) pass();
  const std::uint64_t before = sender.calls();
  for (auto _ : state) pass();
  per_call(state, sender.calls() - before);
}
BENCHMARK(LoopBodyOfStrides)->RangeMultiplier(10)->Range(10, 10000);

// One call whose size never repeats itself: the cost of the last tenth of n calls, and how much
// memory a call takes.
void RandomSizes(benchmark::State& state) {
  const auto calls = static_cast<std::uint64_t>(state.range(0));
  double bytes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const double before = allocated();
    Sender sender;
    std::uint64_t random = 1;
    const auto send = [&](std::uint64_t n) {
      for (; n > 0; --n) sender.send(0, static_cast<std::int64_t>((random = mix(random)) % 100000));
    };
    send(calls - calls / 10);
    state.ResumeTiming();
    send(calls / 10);
    state.PauseTiming();
    bytes = allocated() - before;
    state.ResumeTiming();
  }
  per_call(state, state.iterations() * (calls / 10));
  state.counters["bytes_per_call"] = bytes / static_cast<double>(calls);
}
BENCHMARK(RandomSizes)->RangeMultiplier(10)->Range(1000, 10000000)->Unit(benchmark::kMillisecond);

// One call whose sizes repeat with period n: once the folder has seen the period, and on the way
// there (three periods from the start).
void Period(benchmark::State& state, bool from_start) {
  const auto period = static_cast<std::uint64_t>(state.range(0));
  const auto pass = [period](Sender& sender) {
    for (std::uint64_t i = 0; i < period; ++i) {
      sender.send(0, static_cast<std::int64_t>(mix(i) % 100000));
    }
  };
  Sender steady;
  for (int i = 0; i < 4; ++i) pass(steady);
  std::uint64_t passes = 0;
  for (auto _ : state) {
    if (from_start) {
      Sender sender;
      for (int i = 0; i < 3; ++i) pass(sender);
      passes += 3;
      benchmark::DoNotOptimize(sender);
    } else {
      pass(steady);
      ++passes;
    }
  }
  per_call(state, passes * period);
}
BENCHMARK_CAPTURE(Period, steady, false)->RangeMultiplier(10)->Range(10, 100000);
BENCHMARK_CAPTURE(Period, from_start, true)->RangeMultiplier(10)->Range(10, 100000);

}  // namespace
}  // namespace reprise::compress
