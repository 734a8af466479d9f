// Random programs, folded and merged, must read back call for call.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "compress/random_program.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/file/file.hpp"
#include "trace/series/series_sum.hpp"

namespace reprise::compress {
namespace {

using namespace test;

Stream walk(const trace::Trace& trace, std::uint64_t stream) {
  Stream out;
  trace::Cursor cursor(trace, stream);
  while (cursor.next()) {
    const auto& v = cursor.event().scalars;
    out.push_back({trace.calls[cursor.event().call].callpath, v[2], v[4], v[5]});
  }
  EXPECT_FALSE(cursor.damaged());
  return out;
}

Stream without_times(Stream stream) {
  for (Sent& s : stream) s.compute = s.communicate = 0;
  return stream;
}

std::size_t items(const trace::Item& item) {
  std::size_t n = 1;
  for (const trace::Item& b : item.body) n += items(b);
  return n;
}

RC_GTEST_PROP(Compress, RandomProgramsReadBackExactly, ()) {
  std::uint32_t sites = 0;
  const std::vector<Node> program = random_body(3, sites);
  const auto ranks = *rc::gen::inRange<std::int64_t>(1, 10);
  const std::vector<Stream> streams = execute(program, ranks, *rc::gen::arbitrary<std::uint64_t>());
  const trace::Trace trace = trace_of(streams);
  for (std::size_t r = 0; r < streams.size(); ++r)
    RC_ASSERT(walk(trace, r) == without_times(streams[r]));
}

RC_GTEST_PROP(Compress, AnySequenceOfSitesReadsBackExactly, ()) {
  const auto sequences = *rc::gen::container<std::vector<std::vector<std::uint8_t>>>(
      3, rc::gen::container<std::vector<std::uint8_t>>(rc::gen::inRange<std::uint8_t>(0, 6)));
  std::vector<Stream> streams;
  for (const auto& sequence : sequences) {
    Stream& s = streams.emplace_back();
    for (const std::uint8_t site : sequence) s.push_back({site, 1, 0, 0});
  }
  const trace::Trace trace = trace_of(streams);
  for (std::size_t r = 0; r < streams.size(); ++r)
    RC_ASSERT(walk(trace, r) == without_times(streams[r]));
}

Node call(std::uint32_t site) { return {.what = Node::kCall, .site = site, .body = {}}; }
Node loop(int law, std::vector<Node> body) {
  return {.what = Node::kLoop, .trips_law = law, .body = std::move(body)};
}

TEST(Compress, ALoopThatBeginsWithALoopStaysNested) {
  const std::vector<Node> program{call(0), loop(4, {loop(0, {call(1), call(2)}), call(3)}),
                                  call(4)};
  const trace::Trace trace = trace_of(execute(program, 4, 1));
  ASSERT_EQ(trace.root.body.size(), 3u);
  const trace::Item& outer = trace.root.body[1];
  EXPECT_EQ(outer.trips, trace::Value::constant(12));
  ASSERT_EQ(outer.body.size(), 2u);
  EXPECT_EQ(outer.body[0].trips, trace::Value::constant(3));
  EXPECT_EQ(outer.body[0].body.size(), 2u);
}

TEST(Compress, ABranchOfSomeRanksIsABranch) {
  const Node branch{.what = Node::kRankBranch, .trips_law = 0, .body = {call(2), call(3)}};
  const std::vector<Node> program{loop(4, {call(0), call(1), branch})};
  const trace::Trace trace = trace_of(execute(program, 7, 1));
  ASSERT_EQ(trace.root.body.size(), 1u);
  const trace::Item& loop = trace.root.body[0];
  EXPECT_EQ(loop.trips, trace::Value::constant(12));
  ASSERT_EQ(loop.body.size(), 3u);
  EXPECT_EQ(loop.body[2].body.size(), 2u);
}

// Sweeps to and fro through a line of ranks: at either end there is nobody to receive from.
TEST(Compress, LoopsThatBeginWithABranchStayNested) {
  std::vector<Stream> streams;
  for (int rank = 0; rank < 4; ++rank) {
    Stream& s = streams.emplace_back();
    for (int step = 0; step < 10; ++step) {
      for (std::uint32_t sweep = 0; sweep < 2; ++sweep) {
        for (int block = 0; block < 4; ++block) {
          if (rank != (sweep == 0 ? 0 : 3)) s.push_back({2 * sweep, 1, 0, 0});
          s.push_back({2 * sweep + 1, 1, 0, 0});
        }
      }
    }
  }
  const trace::Trace trace = trace_of(streams);
  ASSERT_EQ(trace.root.body.size(), 1u);
  const trace::Item& steps = trace.root.body[0];
  EXPECT_EQ(steps.trips, trace::Value::constant(10));
  ASSERT_EQ(steps.body.size(), 2u);
  for (const trace::Item& sweep : steps.body) {
    EXPECT_EQ(sweep.trips, trace::Value::constant(4));
    EXPECT_EQ(sweep.body.size(), 2u);
  }
}

// A grid of 4 x 3 ranks. The blocks of a sweep are received from one side of each dimension (sites
// 0 and 1) and sent to the other (2 and 3), where there is somebody.
void add_block(Stream& stream, int rank) {
  const int x = rank % 4, y = rank / 4;
  const auto is_inside = [](int i, int n) { return i >= 0 && i < n; };
  if (is_inside(x - 1, 4)) stream.push_back({0, 1, 0, 0});
  if (is_inside(y - 1, 3)) stream.push_back({1, 1, 0, 0});
  if (is_inside(x + 1, 4)) stream.push_back({2, 1, 0, 0});
  if (is_inside(y + 1, 3)) stream.push_back({3, 1, 0, 0});
}

// Which of the four calls come first, and follow which, no single rank at the border can tell.
TEST(Compress, AWavefrontIsOneLoop) {
  std::vector<Stream> streams(12);
  for (int rank = 0; rank < 12; ++rank) {
    for (int block = 0; block < 31; ++block) {
      add_block(streams[static_cast<std::size_t>(rank)], rank);
    }
  }
  const trace::Trace trace = trace_of(streams);
  ASSERT_EQ(trace.root.body.size(), 1u);
  EXPECT_EQ(trace.root.body[0].trips, trace::Value::constant(31));
  ASSERT_EQ(trace.root.body[0].body.size(), 4u);
  for (std::uint32_t i = 0; i < 4; ++i) {
    const trace::Item& item = trace.root.body[0].body[i];
    ASSERT_TRUE(item.is_call());
    EXPECT_EQ(trace.calls[item.call].callpath, i);
  }
}

// Every third step has one call more, and the last one has not.
TEST(Compress, ABranchAtTheEndIsNoLoop) {
  Stream calls;
  for (int step = 0; step < 10; ++step) {
    calls.push_back({0, 1, 0, 0});
    calls.push_back({1, 1, 0, 0});
    if (step % 3 == 2) calls.push_back({2, 1, 0, 0});
  }
  calls.push_back({3, 1, 0, 0});
  const trace::Trace trace = trace_of({calls});
  ASSERT_EQ(trace.root.body.size(), 2u);
  const trace::Item& steps = trace.root.body[0];
  EXPECT_EQ(steps.trips, trace::Value::constant(10));
  EXPECT_EQ(steps.body.size(), 3u);
}

// A call, a loop and a call, in one of some iterations: one branch with the loop in it, whichever
// iteration that is, and however many there are.
TEST(Compress, WhatIsUnderOneConditionIsOneBranch) {
  for (int iterations = 2; iterations <= 4; ++iterations) {
    for (int taken = 0; taken < iterations; ++taken) {
      Stream calls;
      for (int i = 0; i < iterations; ++i) {
        calls.push_back({0, 1, 0, 0});
        if (i == taken) {
          calls.push_back({1, 1, 0, 0});
          for (int k = 0; k < 3; ++k) calls.push_back({2, 1, 0, 0});
          calls.push_back({3, 1, 0, 0});
        }
        calls.push_back({4, 1, 0, 0});
      }
      const trace::Trace trace = trace_of({calls, calls});
      ASSERT_EQ(trace.root.body.size(), 1u);
      const trace::Item& loop = trace.root.body[0];
      ASSERT_EQ(loop.body.size(), 3u) << taken << " of " << iterations;
      const trace::Item& branch = loop.body[1];
      ASSERT_EQ(branch.body.size(), 3u);
      EXPECT_EQ(branch.body[0].trips, trace::Value::constant(1));
      EXPECT_EQ(branch.body[1].trips, trace::Value::constant(3));
      EXPECT_TRUE(walk(trace, 0) == calls);
    }
  }
}

// The same calls of the second of two ranks, and of all but the first of three.
TEST(Compress, WhatSomeRanksDoIsOneBranch) {
  for (const std::size_t ranks : {2, 3}) {
    std::vector<Stream> streams(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      if (rank > 0) streams[rank] = {{0, 1, 0, 0}, {1, 1, 0, 0}, {1, 1, 0, 0}};
      streams[rank].push_back({2, 1, 0, 0});
    }
    const trace::Trace trace = trace_of(streams);
    ASSERT_EQ(trace.root.body.size(), 2u);
    ASSERT_EQ(trace.root.body[0].body.size(), 2u);
    EXPECT_EQ(trace.root.body[0].body[1].trips, trace::Value::constant(2));
  }
}

// Two loops of as many iterations are no branch: their calls do not alternate.
TEST(Compress, LoopsOfTheSameLengthStayApart) {
  Stream calls;
  for (const std::uint32_t site : {0, 1}) {
    for (int i = 0; i < 2; ++i) calls.push_back({site, 1, 0, 0});
  }
  const trace::Trace trace = trace_of({calls});
  EXPECT_TRUE(walk(trace, 0) == calls);
}

// Sites in a triangle: all of them, all but the first, and so on.
TEST(Compress, LoopsNestNoDeeperThanAReaderTakes) {
  constexpr std::uint32_t kSites = 1100;
  Stream calls;
  for (std::uint32_t i = 0; i < kSites; ++i) {
    for (std::uint32_t s = i; s < kSites; ++s) calls.push_back({s, 1, 0, 0});
  }
  trace::Trace trace = trace_of({calls});
  trace.callpaths.resize(kSites);
  const std::vector<std::uint8_t> body = trace::encode_body(trace);
  const Result<trace::Trace> read = trace::decode_body(body, "triangle");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(walk(*read, 0) == calls);
}

// Each site follows each other one: a cycle whatever is taken away. What took n^4 steps ends here.
TEST(Compress, SitesThatMixFreelyAreFoundInTime) {
  constexpr std::uint32_t kSites = 1000;
  Stream calls;
  for (std::uint32_t stride = 1; stride <= kSites; ++stride) {
    for (std::uint32_t i = 0; i < kSites; ++i) calls.push_back({i * stride % kSites, 1, 0, 0});
  }
  const Folded folded = fold(calls);
  const LoopTree tree = find_loops(FlowGraph(folded.stream, folded.names), SiteCode(kSites));
  for (const std::uint32_t leaf : tree.leaf_of) EXPECT_NE(tree.items[leaf].site, LoopTree::kBody);
}

}  // namespace
}  // namespace reprise::compress
