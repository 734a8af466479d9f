// Random programs, folded and merged, must read back call for call.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <memory>

#include "base/hash.hpp"
#include "compress/merge.hpp"
#include "trace/cursor.hpp"
#include "trace/file.hpp"
#include "trace/special.hpp"

namespace reprise::compress {
namespace {

// A call of a random program: all are MPI_Sends; `site` stands for the call path.
struct Sent {
  std::uint32_t site;
  std::int64_t count, dest, tag;

  bool operator==(const Sent&) const = default;
};

using Stream = std::vector<Sent>;

// The program as a syntax tree, which every rank executes in its own way.
struct Node {
  enum { kCall, kLoop, kRankBranch, kRandomBranch, kChoice } what = kCall;
  std::uint32_t site = 0;
  int size_law = 0, peer_law = 0, trips_law = 0;
  std::vector<Node> body;
};

struct Execution {
  std::int64_t rank, ranks;
  std::uint64_t random;
  Stream out;
  std::vector<std::int64_t> loops;

  std::uint64_t draw() { return random = mix(random); }
  std::int64_t innermost() const { return loops.empty() ? 0 : loops.back(); }

  void run(const Node& n) {
    if (out.size() > 4000) return;
    switch (n.what) {
      case Node::kCall: out.push_back({n.site, count(n), dest(n), n.site % 3}); break;
      case Node::kLoop: {
        const std::int64_t trips = trip_count(n);
        loops.push_back(0);
        for (; loops.back() < trips; ++loops.back()) block(n.body);
        loops.pop_back();
        break;
      }
      case Node::kRankBranch:
        if (rank % 3 == n.trips_law % 3) block(n.body);
        break;
      case Node::kRandomBranch:
        if (draw() % 3 == 0) block(n.body);
        break;
      case Node::kChoice: run(n.body[draw() % n.body.size()]); break;
    }
  }

  void block(const std::vector<Node>& body) {
    for (const Node& b : body) run(b);
  }

  std::int64_t trip_count(const Node& n) {
    switch (n.trips_law % 5) {
      case 0: return 3;
      case 1: return innermost() % 4;
      case 2: return static_cast<std::int64_t>(draw() % 4);
      case 3: return 1 + rank % 3;
      default: return 12;
    }
  }

  std::int64_t count(const Node& n) {
    switch (n.size_law % 4) {
      case 0: return 100;
      case 1: return 1024 >> (innermost() % 8);
      case 2: return static_cast<std::int64_t>(draw() % 1000);
      default: return 10 * rank + innermost();
    }
  }

  std::int64_t dest(const Node& n) {
    switch (n.peer_law % 5) {
      case 0: return (rank + 1) % ranks;
      case 1: return rank + 1 < ranks ? rank + 1 : trace::kProcNull;
      case 2: return (rank ^ (std::int64_t{1} << (innermost() % 3))) % ranks;
      case 3: return 0;
      default: return static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(ranks));
    }
  }
};

std::vector<Node> random_body(int depth, std::uint32_t& sites) {
  std::vector<Node> body;
  const int n = *rc::gen::inRange(1, 5);
  for (int i = 0; i < n; ++i) {
    Node node;
    node.size_law = *rc::gen::inRange(0, 4);
    node.peer_law = *rc::gen::inRange(0, 5);
    node.trips_law = *rc::gen::inRange(0, 5);
    const int what = depth == 0 ? 0 : *rc::gen::inRange(0, 7);
    if (what >= 1 && what <= 4) {
      node.what = what == 1 || what == 2 ? Node::kLoop
                  : what == 3            ? Node::kRankBranch
                                         : Node::kRandomBranch;
      node.body = random_body(depth - 1, sites);
    } else if (what == 5) {
      node.what = Node::kChoice;
      node.body = random_body(depth - 1, sites);
    } else {
      // Now and then a site that exists already: helper functions are called from many places.
      const bool reuse = sites > 0 && *rc::gen::inRange(0, 6) == 0;
      node.site = reuse ? *rc::gen::inRange<std::uint32_t>(0, sites) : sites++;
    }
    body.push_back(std::move(node));
  }
  return body;
}

const trace::FunctionId kSend = *trace::find_function("MPI_Send");

struct Folded {
  FoldedStream stream;
  std::vector<SiteName> names;
};

Folded fold(const Stream& calls) {
  const trace::Function& f = trace::function(kSend);
  StreamFolder folder;
  for (const Sent& s : calls) {
    // polls buf count datatype dest tag comm
    const std::vector<std::int64_t> record{0, 0, s.count, 8, s.dest, s.tag, 0};
    folder.add({kSend, s.site}, {f.scalars.size(), f.lists.size()}, record);
  }
  Folded out{folder.finish(), {}};
  for (const FoldedSite& s : out.stream.sites) out.names.push_back({"MPI_Send", s.key.callpath});
  return out;
}

trace::Trace compress(const std::vector<Stream>& streams) {
  std::vector<Folded> folded;
  FlowGraph graph;
  for (const Stream& s : streams) {
    folded.push_back(fold(s));
    graph.merge(FlowGraph(folded.back().stream, folded.back().names));
  }
  const LoopTree tree = find_loops(graph);
  std::map<SiteName, std::uint32_t> site_of_name;
  for (std::uint32_t s = 0; s < graph.size(); ++s) site_of_name[graph.name(s)] = s;
  std::vector<MergedStreams> merged;
  for (std::size_t r = 0; r < streams.size(); ++r) {
    std::vector<std::uint32_t> site_of;
    for (const SiteName& n : folded[r].names) site_of.push_back(site_of_name[n]);
    merged.emplace_back(folded[r].stream, site_of, graph, tree, [&](trace::Kind, std::int64_t) {
      return Membership{static_cast<std::int64_t>(r), static_cast<std::int64_t>(streams.size())};
    });
  }
  for (std::size_t step = 1; step < merged.size(); step *= 2) {
    for (std::size_t r = 0; r + step < merged.size(); r += 2 * step) {
      ByteWriter wire;
      merged[r + step].encode(wire);
      ByteReader in(wire.bytes().data(), wire.size());
      merged[r].append(MergedStreams::decode(in));
      EXPECT_FALSE(in.failed());
    }
  }
  trace::Trace trace;
  trace.ranks = streams.size();
  std::vector<std::uint32_t> callpath_of;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    callpath_of.push_back(static_cast<std::uint32_t>(graph.name(s).callpath));
  }
  merged.front().finish(graph, tree, callpath_of, true, trace);
  return trace;
}

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

std::size_t items(const trace::Item& item) {
  std::size_t n = 1;
  for (const trace::Item& b : item.body) n += items(b);
  return n;
}

std::vector<Stream> execute(const std::vector<Node>& program, std::int64_t ranks,
                            std::uint64_t seed) {
  std::vector<Stream> streams;
  for (std::int64_t r = 0; r < ranks; ++r) {
    Execution e{r, ranks, combine(seed, static_cast<std::uint64_t>(r)), {}, {}};
    e.block(program);
    streams.push_back(std::move(e.out));
  }
  return streams;
}

RC_GTEST_PROP(Compress, RandomProgramsReadBackExactly, ()) {
  std::uint32_t sites = 0;
  const std::vector<Node> program = random_body(3, sites);
  const auto ranks = *rc::gen::inRange<std::int64_t>(1, 10);
  const std::vector<Stream> streams = execute(program, ranks, *rc::gen::arbitrary<std::uint64_t>());
  const trace::Trace trace = compress(streams);
  for (std::size_t r = 0; r < streams.size(); ++r) RC_ASSERT(walk(trace, r) == streams[r]);
}

RC_GTEST_PROP(Compress, AnySequenceOfSitesReadsBackExactly, ()) {
  const auto sequences = *rc::gen::container<std::vector<std::vector<std::uint8_t>>>(
      3, rc::gen::container<std::vector<std::uint8_t>>(rc::gen::inRange<std::uint8_t>(0, 6)));
  std::vector<Stream> streams;
  for (const auto& sequence : sequences) {
    Stream& s = streams.emplace_back();
    for (const std::uint8_t site : sequence) s.push_back({site, 1, 0, 0});
  }
  const trace::Trace trace = compress(streams);
  for (std::size_t r = 0; r < streams.size(); ++r) RC_ASSERT(walk(trace, r) == streams[r]);
}

Node call(std::uint32_t site) { return {.what = Node::kCall, .site = site, .body = {}}; }
Node loop(int law, std::vector<Node> body) {
  return {.what = Node::kLoop, .trips_law = law, .body = std::move(body)};
}

TEST(Compress, ALoopThatBeginsWithALoopStaysNested) {
  const std::vector<Node> program{call(0), loop(4, {loop(0, {call(1), call(2)}), call(3)}),
                                  call(4)};
  const trace::Trace trace = compress(execute(program, 4, 1));
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
  const trace::Trace trace = compress(execute(program, 7, 1));
  ASSERT_EQ(trace.root.body.size(), 1u);
  const trace::Item& loop = trace.root.body[0];
  EXPECT_EQ(loop.trips, trace::Value::constant(12));
  ASSERT_EQ(loop.body.size(), 3u);
  EXPECT_EQ(loop.body[2].body.size(), 2u);
}

// Sites in a triangle: all of them, all but the first, and so on.
TEST(Compress, LoopsNestNoDeeperThanAReaderTakes) {
  constexpr std::uint32_t kSites = 1100;
  Stream calls;
  for (std::uint32_t i = 0; i < kSites; ++i) {
    for (std::uint32_t s = i; s < kSites; ++s) calls.push_back({s, 1, 0, 0});
  }
  trace::Trace trace = compress({calls});
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
  const LoopTree tree = find_loops(FlowGraph(folded.stream, folded.names));
  for (const std::uint32_t leaf : tree.leaf_of) EXPECT_NE(tree.items[leaf].site, LoopTree::kBody);
}

}  // namespace
}  // namespace reprise::compress
