// The cost of merging the ranks of a run over a binary tree, as rank 0 sees it. Rank 0 is on the
// longest path: in every round it takes what its partner has put together, which took the partner
// as long as it took rank 0. So the time of a round is that of encoding at the partner, decoding
// and joining, and the time of the whole is their sum, with what each rank does on its own.
#include <benchmark/benchmark.h>

#include <ctime>
#include <utility>

#include "synthetic.hpp"
#include "trace/file/file.hpp"

namespace reprise::bench {
namespace {

using compress::Agreement;
using compress::LoopTree;
using compress::MergedStreams;

class Clock {
 public:
  template <class Work>
  void time(bool wanted, Work&& work) {
    const double begin = now();
    work();
    if (wanted) seconds_ += now() - begin;
  }
  double seconds() const { return seconds_; }

 private:
  // CPU time of this thread [s].
  static double now() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }

  double seconds_ = 0;
};

struct Run {
  std::vector<compress::Process> processes;
  Clock clock;

  // What ranks [first, first + n) make together; timed where rank 0 takes part.
  template <class T, class Leaf, class Join>
  T reduce(std::size_t first, std::size_t n, const Leaf& leaf, const Join& join) {
    T mine;
    if (n == 1) {
      clock.time(first == 0, [&] { mine = leaf(processes[first]); });
      return mine;
    }
    mine = reduce<T>(first, n / 2, leaf, join);
    const T next = reduce<T>(first + n / 2, n / 2, leaf, join);
    clock.time(first == 0, [&] {
      ByteWriter wire;
      next.encode(wire);
      ByteReader in(wire.bytes().data(), wire.size());
      join(mine, T::decode(in));
    });
    return mine;
  }
};

void Merge(benchmark::State& state, Program program) {
  const auto ranks = static_cast<std::size_t>(state.range(0));
  std::vector<compress::Process> recorded;
  for (std::size_t r = 0; r < ranks; ++r) recorded.push_back(execute(program, r, ranks, 100));
  Run run;
  std::size_t bytes = 0;
  double agree = 0, join = 0, finish = 0;  // [s]
  for (auto _ : state) {
    run.processes = recorded;  // merging takes the streams away
    run.clock = {};
    const Agreement all = run.reduce<Agreement>(
        0, ranks, [](const compress::Process& p) { return p.own; },
        [](Agreement& a, const Agreement& b) { a.merge(b); });
    agree += run.clock.seconds();
    LoopTree tree;
    run.clock.time(true,
                   [&] { tree = find_loops(all.graph, compress::SiteCode(all.graph.size())); });
    MergedStreams merged = run.reduce<MergedStreams>(
        0, ranks, [&](compress::Process& p) { return p.lay_out(all, tree); },
        [](MergedStreams& a, MergedStreams&& b) { a.append(std::move(b)); });
    join += run.clock.seconds();
    run.clock.time(true, [&] {
      bytes =
          encode_trace(finish_trace(run.processes.front(), all, tree, std::move(merged)))->size();
    });
    finish += run.clock.seconds();
    state.SetIterationTime(run.clock.seconds());
  }
  const double passes = 1e-3 * static_cast<double>(state.iterations());
  state.counters["agree_ms"] = agree / passes;
  state.counters["join_ms"] = (join - agree) / passes;
  state.counters["finish_ms"] = (finish - join) / passes;
  state.counters["file_bytes"] = static_cast<double>(bytes);
}
BENCHMARK_CAPTURE(Merge, stencil, Program::stencil)
    ->RangeMultiplier(4)
    ->Range(4, 4096)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Merge, irregular, Program::irregular)
    ->RangeMultiplier(4)
    ->Range(4, 4096)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::bench
