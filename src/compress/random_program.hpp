// Random programs, as ranks execute them, and how they become a trace: what properties of folding,
// merging and walking are tested with.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "base/hash.hpp"
#include "compress/merge/merge.hpp"
#include "trace/values/special.hpp"

namespace reprise::test {

using compress::FlowGraph;
using compress::FoldedSite;
using compress::FoldedStream;
using compress::LoopTree;
using compress::MergedStreams;
using compress::SiteName;
using compress::StreamFolder;
using compress::TimeFolder;

// A call of a random program: all are MPI_Sends; `site` stands for the call path.
struct Sent {
  std::uint32_t site;
  std::int64_t count, dest, tag;
  std::int64_t compute = 0, communicate = 0;  // [ns]

  bool operator==(const Sent&) const = default;
};

using Stream = std::vector<Sent>;

// The program as a syntax tree, which ranks execute differently.
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
      case Node::kCall:
        out.push_back({n.site, count(n), dest(n), n.site % 3, duration(n), duration(n) / 8});
        break;
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

  // Alike, different by rank, by iteration, or by chance.
  std::int64_t duration(const Node& n) {
    switch (n.size_law % 4) {
      case 0: return 20'000;
      case 1: return 50'000 * (1 + rank % 2);
      case 2: return innermost() % 10 == 3 ? 900'000 : 100'000;
      default: return static_cast<std::int64_t>(draw() % 400'000);
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

inline std::vector<Node> random_body(int depth, std::uint32_t& sites) {
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

inline const trace::FunctionId kSend = *trace::find_function("MPI_Send");

struct Folded {
  FoldedStream stream;
  std::vector<SiteName> names;
};

inline Folded fold(const Stream& calls) {
  const trace::Function& f = trace::function(kSend);
  StreamFolder folder;
  TimeFolder times({});
  for (const Sent& s : calls) {
    // polls buf count datatype dest tag comm
    const std::vector<std::int64_t> record{0, 0, s.count, 8, s.dest, s.tag, 0};
    const compress::Step step =
        folder.add({kSend, s.site}, {f.scalars.size(), f.lists.size()}, record);
    times.add(step.from, step.to, {s.compute, s.communicate});
  }
  Folded out{folder.finish(), {}};
  std::vector<compress::FoldedTimes> folded_times = times.finish(1);
  for (std::size_t i = 0; i < folded_times.size(); ++i) {
    out.stream.sites[i].times = std::move(folded_times[i]);
  }
  for (const FoldedSite& s : out.stream.sites) out.names.push_back({"MPI_Send", s.key.callpath});
  return out;
}

inline trace::Trace trace_of(const std::vector<Stream>& streams) {
  std::vector<Folded> folded;
  FlowGraph graph;
  for (const Stream& s : streams) {
    folded.push_back(fold(s));
    graph.merge(FlowGraph(folded.back().stream, folded.back().names));
  }
  std::map<SiteName, std::uint32_t> site_of_name;
  for (std::uint32_t s = 0; s < graph.size(); ++s) site_of_name[graph.name(s)] = s;
  const LoopTree tree = find_loops(graph, compress::SiteCode(graph.size()));
  std::vector<std::vector<std::uint32_t>> sites;
  for (const Folded& f : folded) {
    std::vector<std::uint32_t>& site_of = sites.emplace_back();
    for (const SiteName& n : f.names) site_of.push_back(site_of_name[n]);
  }
  std::vector<MergedStreams> merged;
  for (std::size_t r = 0; r < streams.size(); ++r) {
    merged.emplace_back(folded[r].stream, sites[r], graph, tree,
                        trace::Memberships({static_cast<std::int64_t>(r), std::ssize(streams)}));
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
  trace.timing.mode = trace::TimeMode::paths;
  std::vector<std::uint32_t> callpath_of;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    callpath_of.push_back(static_cast<std::uint32_t>(graph.name(s).callpath));
  }
  trace.texts.emplace_back();
  trace.callpaths.resize(graph.size() + 1000);
  std::move(merged.front())
      .finish(graph, tree, callpath_of, compress::TimesPerStream::classes_and_sums, trace);
  return trace;
}

// Gives each call path a frame of its own, a line of function `f`, which tells it from the others.
inline trace::Trace with_frames(trace::Trace trace) {
  trace.texts.emplace_back("f");
  for (std::uint32_t p = 0; p < trace.callpaths.size(); ++p) {
    trace.frames.push_back({.function = 1, .line = p + 1});
    trace.callpaths[p] = {p};
  }
  return trace;
}

// What a rank of a program executes.
using RankProgram = std::function<Stream(std::int64_t rank, std::int64_t ranks)>;

inline trace::Trace run_program(const RankProgram& program, std::int64_t ranks) {
  std::vector<Stream> streams;
  for (std::int64_t r = 0; r < ranks; ++r) streams.push_back(program(r, ranks));
  return with_frames(trace_of(streams));
}

inline std::vector<Stream> execute(const std::vector<Node>& program, std::int64_t ranks,
                                   std::uint64_t seed) {
  std::vector<Stream> streams;
  for (std::int64_t r = 0; r < ranks; ++r) {
    Execution e{r, ranks, combine(seed, static_cast<std::uint64_t>(r)), {}, {}};
    e.block(program);
    streams.push_back(std::move(e.out));
  }
  return streams;
}

}  // namespace reprise::test
