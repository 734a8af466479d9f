// The cost of finding loops, per edge of the flow graph: where every site follows every other one,
// and in loops that nest as deeply as there are sites.
#include <benchmark/benchmark.h>

#include <array>

#include "compress/loops/loop_tree.hpp"

namespace reprise::compress {
namespace {

class Stream {
 public:
  void visit(std::uint32_t site) { folder_.add({kBarrier, site}, kLayout, record_); }

  FlowGraph graph() {
    const FoldedStream folded = folder_.finish();
    std::vector<SiteName> names;
    for (const FoldedSite& s : folded.sites) names.push_back({"MPI_Barrier", s.key.callpath});
    return {folded, names};
  }

 private:
  inline static const trace::FunctionId kBarrier = *trace::find_function("MPI_Barrier");
  inline static const Layout kLayout{trace::function(kBarrier).scalars.size(), 0};

  StreamFolder folder_;
  std::array<std::int64_t, 2> record_{0, 0};
};

void find(benchmark::State& state, const FlowGraph& graph) {
  std::size_t edges = 0;
  for (std::uint32_t s = 0; s < graph.size(); ++s) edges += graph.predecessors(s).size();
  for (auto _ : state)
    benchmark::DoNotOptimize(find_loops(graph, compress::SiteCode(graph.size())));
  state.counters["per_edge"] =
      benchmark::Counter(static_cast<double>(edges), benchmark::Counter::kIsIterationInvariantRate |
                                                         benchmark::Counter::kInvert);
}

void FreelyMixed(benchmark::State& state) {
  Stream stream;
  const auto sites = static_cast<std::uint32_t>(state.range(0));
  for (std::uint32_t stride = 1; stride <= sites; ++stride) {
    for (std::uint32_t i = 0; i < sites; ++i) stream.visit(i * stride % sites);
  }
  find(state, stream.graph());
}
BENCHMARK(FreelyMixed)->RangeMultiplier(2)->Range(50, 800);

// All sites, all but the first, and so on.
void Triangle(benchmark::State& state) {
  Stream stream;
  const auto sites = static_cast<std::uint32_t>(state.range(0));
  for (std::uint32_t i = 0; i < sites; ++i) {
    for (std::uint32_t s = i; s < sites; ++s) stream.visit(s);
  }
  find(state, stream.graph());
}
BENCHMARK(Triangle)->RangeMultiplier(2)->Range(50, 1600);

}  // namespace
}  // namespace reprise::compress
