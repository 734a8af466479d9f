// What the loops of a program are found from: how often which site follows which, in which order
// sites stand, and which of two readings takes less.
#include "compress/readings.hpp"

#include <gtest/gtest.h>

#include "compress/pass_order.hpp"
#include "compress/random_program.hpp"

namespace reprise::compress {
namespace {

using test::Folded;
using test::Stream;

Stream stream_of(const std::vector<std::uint32_t>& sites) {
  Stream out;
  for (const std::uint32_t s : sites) out.push_back({s, 1, 0, 0});
  return out;
}

FlowGraph graph_of(const std::vector<Stream>& streams) {
  FlowGraph graph;
  for (const Stream& s : streams) {
    const Folded folded = test::fold(s);
    graph.merge(FlowGraph(folded.stream, folded.names));
  }
  return graph;
}

// Call paths, in the order of the program.
std::vector<std::uint64_t> order_of(const FlowGraph& graph) {
  std::vector<std::uint64_t> out;
  for (const std::uint32_t s : graph.order()) out.push_back(graph.name(s).callpath);
  return out;
}

// Seven and a half passes: what the half has counts as well.
TEST(FlowGraph, CountsStepsToTheEndOfAPassThatIsCutShort) {
  std::vector<std::uint32_t> sites;
  for (int pass = 0; pass < 7; ++pass) sites.insert(sites.end(), {0, 1, 2, 0, 3});
  sites.insert(sites.end(), {0, 1, 2});
  const FlowGraph graph = graph_of({stream_of(sites)});
  EXPECT_EQ(graph.steps(0, 1), 8u);
  EXPECT_EQ(graph.steps(1, 2), 8u);
  EXPECT_EQ(graph.steps(2, 0), 7u);
  EXPECT_EQ(graph.steps(0, 3), 7u);
  EXPECT_EQ(graph.steps(3, 0), 7u);
  EXPECT_EQ(graph.steps(2, 3), 0u);
}

TEST(FlowGraph, OrderIsThatOfAllStreamsIfThereIsOne) {
  // Nobody but the last says that 1 comes before 2.
  const FlowGraph graph =
      graph_of({stream_of({0, 3, 4}), stream_of({0, 2, 3, 4}), stream_of({0, 1, 2, 3, 4})});
  EXPECT_EQ(order_of(graph), (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
}

TEST(FlowGraph, OrderOfSitesThatContradictEachOtherIsThatOfTheFirstStreams) {
  const FlowGraph graph = graph_of({stream_of({0, 1, 2, 3}), stream_of({0, 2, 1, 3})});
  EXPECT_EQ(order_of(graph), (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

// An owner that moves on: in each step one of two calls, and then a third one.
TEST(PassOrder, HasTheFewestPasses) {
  std::vector<Stream> streams;
  for (int rank = 0; rank < 3; ++rank) {
    Stream& s = streams.emplace_back();
    s.push_back({9, 1, 0, 0});
    for (int step = 0; step < 12; ++step) {
      s.push_back({step % 3 == rank ? 0u : 1u, 1, 0, 0});
      s.push_back({2, 1, 0, 0});
    }
    s.push_back({8, 1, 0, 0});
  }
  const FlowGraph graph = graph_of(streams);
  Sites loop;
  for (const std::uint32_t s : graph.order()) {
    if (graph.name(s).callpath < 3) loop.push_back(s);
  }
  const Sites order = pass_order(graph, loop);
  ASSERT_EQ(order.size(), 3u);
  EXPECT_EQ(graph.name(order.back()).callpath, 2u);
}

// A loop over neighbours, of which some ranks have but one.
Stream neighbours(int n, int steps) {
  Stream out;
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < n; ++i) {
      out.push_back({1, 1, 0, 0});
      out.push_back({2, 1, 0, 0});
    }
    out.push_back({3, 1, 0, 0});
  }
  out.push_back({4, 1, 0, 0});
  return out;
}

std::size_t loops_within(const std::vector<Stream>& streams) {
  const trace::Trace trace = test::trace_of(streams);
  std::size_t n = 0;
  for (const trace::Item& i : trace.root.body) {
    for (const trace::Item& b : i.body) n += b.is_call() ? 0 : 1;
  }
  return n;
}

TEST(Readings, ALoopWithinOfOneTripOnSomeRanksStays) {
  EXPECT_EQ(loops_within({neighbours(1, 30), neighbours(2, 30), neighbours(1, 30)}), 1u);
}

TEST(Readings, WhoDoesNotComeByHasNoSay) {
  std::vector<Stream> streams(300, Stream{{4, 1, 0, 0}});
  streams[7] = neighbours(3, 30);
  EXPECT_EQ(loops_within(streams), 1u);
}

TEST(Readings, ALoopBehindAllThatIsLookedAtKeepsItsLoops) {
  std::vector<Stream> streams{neighbours(1, 30), neighbours(3, 30)};
  const Stream before(40000, test::Sent{0, 1, 0, 0});
  for (Stream& s : streams) s.insert(s.begin(), before.begin(), before.end());
  EXPECT_EQ(loops_within(streams), 1u);
}

}  // namespace
}  // namespace reprise::compress
