// Loops of programs whose code is known, and of those of which the flow graph alone tells.
#include "compress/loops/loop_evidence.hpp"

#include <gtest/gtest.h>

#include "compress/loops/unrolled_loops.hpp"
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

// A loop over neighbors, of which some ranks have but one.
Stream neighbors(int n) {
  Stream out;
  for (int step = 0; step < 30; ++step) {
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

TEST(LoopTree, ALoopWithinOfOneTripOnSomeRanksStays) {
  EXPECT_EQ(loops_within({neighbors(1), neighbors(2), neighbors(1)}), 1u);
}

TEST(LoopTree, WhoDoesNotComeByHasNoSay) {
  std::vector<Stream> streams(300, Stream{{4, 1, 0, 0}});
  streams[7] = neighbors(3);
  EXPECT_EQ(loops_within(streams), 1u);
}

TEST(LoopTree, ALoopBehindAllThatIsLookedAtKeepsItsLoops) {
  std::vector<Stream> streams{neighbors(1), neighbors(3)};
  const Stream before(40000, test::Sent{0, 1, 0, 0});
  for (Stream& s : streams) s.insert(s.begin(), before.begin(), before.end());
  EXPECT_EQ(loops_within(streams), 1u);
}

using trace::CodeFunction;
using trace::CodePath;
using trace::CodePoint;

constexpr std::uint32_t kNone = CodeFunction::kNoLoop;

// By run, stream and loop, the fewest and the most trips of a visit: "20..20 1..3;". `places`: by
// site of the streams, where its copies lie.
std::vector<std::string> trips_of(const std::vector<std::vector<Stream>>& runs,
                                  std::vector<CodeFunction> functions, const SitePaths& places) {
  restore_unrolled_loops(functions, places);
  std::vector<std::vector<Folded>> folded;
  FlowGraph graph;
  for (const std::vector<Stream>& streams : runs) {
    folded.emplace_back();
    for (const Stream& s : streams) {
      folded.back().push_back(test::fold(s));
      graph.merge(FlowGraph(folded.back().back().stream, folded.back().back().names));
    }
  }
  std::map<SiteName, std::uint32_t> site_of_name;
  SitePaths paths;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    site_of_name[graph.name(s)] = s;
    paths.push_back(places[graph.name(s).callpath]);
  }
  const SiteCode code(std::move(functions), paths);
  const auto sites_of = [&](const Folded& f) {
    std::vector<std::uint32_t> out;
    for (const SiteName& n : f.names) out.push_back(site_of_name.at(n));
    return out;
  };
  const std::vector<LoopTree> trees = find_loops(
      graph, code, runs.size(), [&](std::size_t run, const LoopTree& first, LoopEvidence& all) {
        for (const Folded& f : folded[run]) all.add(f.stream, sites_of(f), first);
      });
  std::vector<std::string> out;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const LoopTree& tree = trees[run];
    out.emplace_back();
    for (const Folded& f : folded[run]) {
      std::vector<IterationCount> counts;
      parse(f.stream, sites_of(f), tree, &counts);
      EXPECT_TRUE(count_iterations(f.stream, sites_of(f), tree) == counts);
      for (std::uint32_t i = 1; i < tree.items.size(); ++i) {
        if (tree.items[i].site != LoopTree::kBody) continue;
        const auto& [most, fewest] = counts[i].trips;
        out.back() +=
            most < fewest ? "none " : std::to_string(fewest) + ".." + std::to_string(most) + " ";
      }
      out.back() += ";";
    }
  }
  return out;
}

// In one run.
std::string trips_of(const std::vector<Stream>& streams, std::vector<CodeFunction> functions,
                     const SitePaths& places) {
  return trips_of(std::vector<std::vector<Stream>>{streams}, std::move(functions), places).front();
}

// The sites of the streams are the points of one function.
std::string trips_of(const std::vector<Stream>& streams, const CodeFunction& main) {
  SitePaths places;
  for (std::uint32_t p = 0; p < main.points.size(); ++p) places.push_back({{CodePoint{0, p}}});
  return trips_of(streams, {main}, places);
}

// main: for (...) { A; for (...) B; C }, and a handler that excludes C.
CodeFunction two_loops() { return {true, {kNone, 0}, {0, 1, 0, 0}, {{2, 3}}}; }

// As a compiler leaves it that threads jumps: B has a loop of its own within the loop of A and B.
TEST(LoopTree, ALoopThatOnlyTheCompilerMadeIsDissolved) {
  std::vector<Stream> streams;
  for (int rank = 0; rank < 2; ++rank) {
    std::vector<std::uint32_t> sites;
    for (int step = 0; step < 12; ++step) {
      for (int i = 0; i < 64; ++i) sites.push_back(i < 32 - 16 * rank ? 0 : 1);
      sites.push_back(2);
    }
    streams.push_back(stream_of(sites));
  }
  EXPECT_EQ(trips_of(streams, {true, {kNone, 0, 1}, {2, 1, 0}, {{0, 1}}}),
            "12..12 64..64 ;12..12 64..64 ;");
}

// In a sweep corner ranks receive or send: where one turns from the first to the second, two
// iterations look like one.
TEST(LoopTree, IterationsThatLookLikeOneAreToldApart) {
  std::vector<Stream> streams;
  for (int rank = 0; rank < 3; ++rank) {
    std::vector<std::uint32_t> sites;
    for (int step = 0; step < 12; ++step) {
      for (int i = 0; i < 64; ++i) {
        const bool is_first = i < 32;
        if (rank == 2 || is_first == (rank == 0)) sites.push_back(0);
        if (rank == 2 || is_first != (rank == 0)) sites.push_back(1);
      }
      sites.push_back(2);
    }
    streams.push_back(stream_of(sites));
  }
  EXPECT_EQ(trips_of(streams, {true, {kNone, 0}, {1, 1, 0}, {}}),
            "12..12 64..64 ;12..12 64..64 ;12..12 64..64 ;");
}

// The same, where a compiler has made a loop of the receives within.
// for (4) for (5) for (3) A(j): three loops of one call, of which only values tell.
TEST(LoopTree, ValuesTellLoopsApartThatLieDirectlyWithinEachOther) {
  Stream stream;
  for (std::int64_t i = 0; i < 60; ++i) stream.push_back({0, i / 3 % 5, 0, 0});
  EXPECT_EQ(trips_of({stream, stream}, {true, {kNone, 0, 1}, {2}, {}}),
            "4..4 5..5 3..3 ;4..4 5..5 3..3 ;");
}

// for (...) for (sweep) { if (from) A; if (to) B }: a rank with both executes as many iterations as
// one with either, so that what looks like one iteration on the last rank is two.
TEST(LoopTree, IterationsAreAsManyAsWhereTheyCannotRunTogether) {
  std::vector<Stream> streams;
  for (int rank = 0; rank < 4; ++rank) {
    std::vector<std::uint32_t> sites;
    for (int block = 0; block < 6; ++block) {
      for (int sweep = 0; sweep < 2; ++sweep) {
        if (sweep == 0 ? rank > 0 : rank < 3) sites.push_back(0);
        if (sweep == 0 ? rank < 3 : rank > 0) sites.push_back(1);
      }
    }
    streams.push_back(stream_of(sites));
  }
  EXPECT_EQ(trips_of(streams, {true, {kNone, 0}, {1, 1}, {}}),
            "6..6 2..2 ;6..6 2..2 ;6..6 2..2 ;6..6 2..2 ;");
}

TEST(LoopTree, IterationsAreToldApartBehindALoopThatTheCompilerMade) {
  std::vector<Stream> streams;
  for (int rank = 0; rank < 2; ++rank) {
    std::vector<std::uint32_t> sites;
    for (int step = 0; step < 12; ++step) {
      for (int i = 0; i < 64; ++i) sites.push_back((i < 32) == (rank == 0) ? 1 : 0);
      sites.push_back(2);
    }
    streams.push_back(stream_of(sites));
  }
  EXPECT_EQ(trips_of(streams, {true, {kNone, 0, 1}, {2, 1, 0}, {}}),
            "12..12 64..64 ;12..12 64..64 ;");
}

// A loop over levels around one over axes, whose calls follow each other directly.
TEST(LoopTree, ValuesTellLoopsDirectlyWithinEachOtherApart) {
  Stream calls;
  for (int step = 0; step < 4; ++step) {
    for (int i = 0; i < 5; ++i) {
      for (int k = 0; k < 3; ++k) calls.push_back({0, 100, k, 0});
    }
    calls.push_back({1, 1, 0, 0});
  }
  EXPECT_EQ(trips_of({calls}, {true, {kNone, 0, 1}, {2, 0}, {}}), "4..4 5..5 3..3 ;");
}

// main: f(); f(); C, a loop over f that the compiler unrolled; f: for (...) { A; B(i) }
TEST(LoopTree, CopiesOfACallThatFollowEachOtherAreALoop) {
  Stream calls;
  for (int copy = 0; copy < 2; ++copy) {
    for (std::int64_t i = 0; i < 8; ++i) {
      calls.push_back({0, 1, 0, 0});
      calls.push_back({1, i, 0, 0});
    }
  }
  calls.push_back({2, 1, 0, 0});
  const CodeFunction main{true, {}, {kNone, kNone, kNone}, {}}, f{true, {kNone}, {0, 0}, {}};
  const SitePaths places{
      {{{0, 0}, {1, 0}}, {{0, 1}, {1, 0}}}, {{{0, 0}, {1, 1}}, {{0, 1}, {1, 1}}}, {{{0, 2}}}};
  EXPECT_EQ(trips_of({calls}, {main, f}, places), "2..2 8..8 ;");
}

// main: for (...) { A; B; A }, with both A in one macro: what follows another call is no iteration.
TEST(LoopTree, CopiesOfACallWithAnotherOneBetweenThemAreNoLoop) {
  const CodeFunction main{true, {kNone}, {0, 0, 0}, {}};
  std::vector<CodeFunction> functions{main};
  restore_unrolled_loops(functions, {{{{0, 0}}, {{0, 2}}}, {{{0, 1}}}});
  EXPECT_EQ(functions[0], main);
}

// main: for (...) { A; if (c) { t = 1; f(); } else f(); }, and f: B; C. Each iteration has one of
// the copies.
TEST(LoopTree, CopiesOfACallInBranchesAreNoLoop) {
  std::vector<std::uint32_t> sites;
  for (int i = 0; i < 9; ++i) sites.insert(sites.end(), {0, 1, 2});
  const CodeFunction main{true, {kNone}, {0, 0, 0}, {{1, 2}}}, f{true, {}, {kNone, kNone}, {}};
  const SitePaths places{
      {{{0, 0}}}, {{{0, 1}, {1, 0}}, {{0, 2}, {1, 0}}}, {{{0, 1}, {1, 1}}, {{0, 2}, {1, 1}}}};
  EXPECT_EQ(trips_of({stream_of(sites)}, {main, f}, places), "9..9 ;");
}

// main: for (40) { f(); if (...) B }, and f: for (4) A: only the code has the trip count in f.
TEST(LoopTree, TripsThatTheCodeFixesTellVisitsApart) {
  std::vector<std::uint32_t> sites;
  for (int i = 0; i < 4; ++i) {
    sites.insert(sites.end(), 40, 0);
    sites.push_back(1);
  }
  const CodeFunction main{true, {kNone}, {0, 0}, {}};
  CodeFunction f{true, {kNone}, {0}, {}};
  const SitePaths places{{{{0, 0}, {1, 0}}}, {{{0, 1}}}};
  EXPECT_EQ(trips_of({stream_of(sites)}, {main, f}, places), "4..4 40..40 ;");
  f.trips = {4};
  EXPECT_EQ(trips_of({stream_of(sites)}, {main, f}, places), "40..40 4..4 ;");
  // 40 calls are no multiple of 3.
  f.trips = {3};
  EXPECT_EQ(trips_of({stream_of(sites)}, {main, f}, places), "4..4 40..40 ;");
}

// main: for (3) for (4) for (5) A.
TEST(LoopTree, TripsThatTheCodeFixesTellLoopsThreeDeepApart) {
  const CodeFunction main{true, {kNone, 0, 1}, {2}, {}, {3, 4, 5}};
  EXPECT_EQ(trips_of({stream_of(std::vector<std::uint32_t>(60, 0))}, main), "3..3 4..4 5..5 ;");
}

// main: f(); for (2) f(), peeled off a loop of three iterations.
TEST(LoopTree, TripsOfALoopWithPeeledIterationsAreNotThoseOfTheCode) {
  const CodeFunction main{true, {kNone, 0}, {1, 0, 0}, {}, {0, 2}};
  const SiteCode peeled({main}, {{{{0, 0}}, {{0, 1}}}, {{{0, 2}}}});
  EXPECT_EQ(peeled.trips(peeled.loops_around(0).back()), 0U);
  const SiteCode whole({main}, {{{{0, 0}}}, {{{0, 2}}}});
  EXPECT_EQ(whole.trips(whole.loops_around(0).back()), 2U);
}

// main: for (2) f(), of which the compiler made three copies, one with another trip count.
TEST(LoopTree, CopiesOfALoopMustHaveTheSameTripCount) {
  const CodeFunction main{true, {kNone, kNone, kNone}, {0, 1, 2}, {}, {2, 2, 3}};
  const SiteCode code({main}, {{{{0, 1}}}, {{{0, 0}}, {{0, 1}}, {{0, 2}}}});
  EXPECT_EQ(code.trips(code.loops_around(0).back()), 0U);
  EXPECT_EQ(code.trips(code.loops_around(1).back()), 0U);
}

// main: f(); for (...) f(), of which the first iteration was peeled off; f: A; B.
TEST(LoopTree, APeeledIterationCountsInItsLoop) {
  std::vector<std::uint32_t> sites;
  for (int i = 0; i < 9; ++i) sites.insert(sites.end(), {0, 1});
  const CodeFunction main{true, {kNone}, {kNone, 0}, {}}, f{true, {}, {kNone, kNone}, {}};
  const SitePaths places{{{{0, 0}, {1, 0}}, {{0, 1}, {1, 0}}},
                         {{{0, 0}, {1, 1}}, {{0, 1}, {1, 1}}}};
  EXPECT_EQ(trips_of({stream_of(sites)}, {main, f}, places), "9..9 ;");
}

// main: for (4) for (5) A(j); for (5) A(j), the last iteration of the outer loop peeled off.
TEST(LoopTree, TheLastIterationOfTwoLoopsMayBePeeledOff) {
  Stream calls;
  for (std::int64_t i = 0; i < 25; ++i) calls.push_back({0, i % 5, 0, 0});
  const CodeFunction main{true, {kNone, 0, kNone}, {1, 2}, {}};
  EXPECT_EQ(trips_of({calls}, {main}, {{{{0, 0}}, {{0, 1}}}}), "5..5 5..5 ;");
}

// for (6) { for (3) A; for (2) B(i) }: where nothing else stands between two iterations of the
// outer loop of all, B's values repeat after 6 x 2 executions.
TEST(LoopTree, ValuesOfALoopWithinTellIterationsApart) {
  Stream calls;
  for (std::int64_t i = 0; i < 24; ++i) {
    for (int k = 0; k < 3; ++k) calls.push_back({0, 1, 0, 0});
    for (int k = 0; k < 2; ++k) calls.push_back({1, "031425"[i % 6], 0, 0});
  }
  const CodeFunction main{true, {kNone, 0, 1, 1}, {2, 3}, {}};
  EXPECT_EQ(trips_of({calls}, main), "4..4 6..6 3..3 2..2 ;");
}

// Each iteration of the inner loop makes one of several calls.
TEST(LoopTree, SkippedCallsTellLoopsDirectlyWithinEachOtherApart) {
  std::vector<std::uint32_t> sites;
  for (int step = 0; step < 3; ++step) sites.insert(sites.end(), {0, 1, 2});
  EXPECT_EQ(trips_of({stream_of(sites)}, {true, {kNone, 0}, {1, 1, 1}, {{0, 1}, {0, 2}, {1, 2}}}),
            "3..3 3..3 ;");
}

TEST(LoopTree, BranchesThatExcludeEachOtherAreOfDifferentIterations) {
  // A B B C, A B B D, A B B C, ...
  std::vector<std::uint32_t> sites;
  for (int i = 0; i < 20; ++i) sites.insert(sites.end(), {0, 1, 1, i % 5 == 4 ? 3u : 2u});
  EXPECT_EQ(trips_of({stream_of(sites)}, two_loops()), "20..20 2..2 ;");
}

TEST(LoopTree, AnIterationMayBeginWithABranchThatIsRarelyTaken) {
  std::vector<std::uint32_t> sites;
  for (int i = 0; i < 20; ++i) {
    if (i == 11) sites.push_back(0);
    sites.insert(sites.end(), {1, 1, 1, 2});
  }
  EXPECT_EQ(trips_of({stream_of(sites)}, two_loops()), "20..20 3..3 ;");
}

// A grid of 4 x 3 ranks. The blocks of a sweep are received from one side of each dimension (sites
// 0 and 1) and sent to the other (2 and 3), where there is somebody; from all four corners in turn,
// twice, with a collective behind them. Ranks at the border skip calls, and go round in other
// orders; in two corners the last call of one iteration is followed by the first of the next, as
// within one.
TEST(LoopTree, SweepsFromAllCornersAreLoopsWithinTheSteps) {
  std::vector<Stream> streams(12);
  for (int rank = 0; rank < 12; ++rank) {
    std::vector<std::uint32_t> sites;
    const int x = rank % 4, y = rank / 4;
    const auto is_inside = [](int i, int n) { return i >= 0 && i < n; };
    for (int step = 0; step < 3; ++step) {
      for (int block = 0; block < 40; ++block) {
        const int dx = (block / 5) & 1 ? 1 : -1, dy = (block / 5) & 2 ? 1 : -1;
        if (is_inside(x - dx, 4)) sites.push_back(0);
        if (is_inside(y - dy, 3)) sites.push_back(1);
        if (is_inside(x + dx, 4)) sites.push_back(2);
        if (is_inside(y + dy, 3)) sites.push_back(3);
      }
      sites.push_back(4);
    }
    streams[static_cast<std::size_t>(rank)] = stream_of(sites);
  }
  const CodeFunction f{true, {kNone, 0, 1}, {2, 2, 2, 2, 0}, {}};
  std::string expected;
  for (std::size_t r = 0; r < streams.size(); ++r) expected += "3..3 2..2 20..20 ;";
  EXPECT_EQ(trips_of(streams, f), expected);
}

// for (5) { for (19) { if (rank > 0) A; if (rank < 3) B }; if (rank == 3) C; if (rank == 0) D },
// with a barrier E in the second iteration: ranks in the middle leave runs of 19 and of 76
// iterations.
TEST(LoopTree, RanksWithoutCallsBetweenHaveTheTripsOfOthers) {
  std::vector<Stream> streams;
  std::string expected;
  for (int rank = 0; rank < 4; ++rank) {
    std::vector<std::uint32_t> sites;
    for (int step = 0; step < 5; ++step) {
      if (step == 1) sites.push_back(0);
      for (int j = 0; j < 19; ++j) {
        if (rank > 0) sites.push_back(1);
        if (rank < 3) sites.push_back(2);
      }
      if (rank == 3) sites.push_back(3);
      if (rank == 0) sites.push_back(4);
    }
    streams.push_back(stream_of(sites));
    expected += "5..5 19..19 ;";
  }
  EXPECT_EQ(trips_of(streams, {true, {kNone, 0}, {0, 1, 1, 0, 0}, {}}), expected);
}

// The same in two runs, the second on one rank, which never reaches the inner loop.
TEST(LoopTree, ARunThatDoesNotExecuteALoopIsNoEvidence) {
  std::vector<std::vector<Stream>> runs;
  for (const int ranks : {4, 1}) {
    std::vector<Stream>& streams = runs.emplace_back();
    for (int rank = 0; rank < ranks; ++rank) {
      std::vector<std::uint32_t> sites;
      for (int step = 0; step < 5; ++step) {
        if (step == 1) sites.push_back(0);
        for (int j = 0; j < 19; ++j) {
          if (rank > 0) sites.push_back(1);
          if (rank < ranks - 1) sites.push_back(2);
        }
        if (rank == ranks - 1) sites.push_back(3);
        if (rank == 0) sites.push_back(4);
      }
      streams.push_back(stream_of(sites));
    }
  }
  SitePaths places;
  for (std::uint32_t p = 0; p < 5; ++p) places.push_back({{CodePoint{0, p}}});
  const auto trips = trips_of(runs, {{true, {kNone, 0}, {0, 1, 1, 0, 0}, {}}}, places);
  EXPECT_EQ(trips[0], "5..5 19..19 ;5..5 19..19 ;5..5 19..19 ;5..5 19..19 ;");
  EXPECT_EQ(trips[1], "5..5 none ;");
}

// for (3) { for (2 or 1) { for (10, 11, ..) { for (7 or 3) A; B }; C }; D }: no loop is the more
// regular for being dissolved, whatever becomes of those around it.
TEST(LoopTree, LoopsWhoseTripsVaryStay) {
  std::vector<std::uint32_t> sites;
  for (int step = 0; step < 3; ++step) {
    for (int visit = 0; visit < (step == 2 ? 1 : 2); ++visit) {
      for (int solve = 0; solve < 10 + 7 * step + visit; ++solve) {
        for (int i = 0; i < (solve % 3 == 0 ? 7 : 3); ++i) sites.push_back(0);
        sites.push_back(1);
      }
      sites.push_back(2);
    }
    sites.push_back(3);
  }
  const CodeFunction f{true, {kNone, 0, 1, 2}, {3, 2, 1, 0}, {}};
  EXPECT_EQ(trips_of({stream_of(sites), stream_of(sites)}, f),
            "3..3 1..2 10..24 3..7 ;3..3 1..2 10..24 3..7 ;");
}

// for (3) { for (15) { A(i) }; B the first time }: all ranks leave runs of 15 and of 30 iterations,
// in which values repeat; runs of 2, 4 and 8 whose values do not are what they are.
TEST(LoopTree, ValuesThatRepeatTellTripsThatAllRanksHave) {
  Stream sent, doubled;
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < 15; ++i) sent.push_back({0, i, 0, 0});
    if (step == 0) sent.push_back({1, 1, 0, 0});
    for (int i = 0; i < 2 << step; ++i) doubled.push_back({0, 1, 0, 0});
    doubled.push_back({1, 1, 0, 0});
  }
  const CodeFunction f{true, {kNone, 0}, {1, 0}, {}};
  EXPECT_EQ(trips_of({sent, sent}, f), "3..3 15..15 ;3..3 15..15 ;");
  EXPECT_EQ(trips_of({doubled, doubled}, f), "3..3 2..8 ;3..3 2..8 ;");
}

// for (3) { if (takes) A; if (gives) B }: which of the iterations run together differs from rank to
// rank, and on some of them A never occurs by itself.
TEST(LoopTree, OtherRanksTellWhereIterationsEnd) {
  std::vector<Stream> streams;
  for (const std::vector<std::uint32_t>& takes_and_gives :
       {std::vector<std::uint32_t>{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 1}, {1, 1, 1}}) {
    std::vector<std::uint32_t> sites;
    for (int step = 0; step < 4; ++step) {
      sites.insert(sites.end(), takes_and_gives.begin(), takes_and_gives.end());
      sites.push_back(2);
    }
    streams.push_back(stream_of(sites));
  }
  std::string expected;
  for (std::size_t r = 0; r < streams.size(); ++r) expected += "4..4 3..3 ;";
  EXPECT_EQ(trips_of(streams, {true, {kNone, 0}, {1, 1, 0}, {}}), expected);
}

}  // namespace
}  // namespace reprise::compress
