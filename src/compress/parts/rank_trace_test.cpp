// Traces of single ranks become the trace that their parts do.
#include "compress/parts/rank_trace.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "compress/random_program.hpp"
#include "trace/file/file.hpp"
#include "trace/file/rank_section.hpp"

namespace reprise::compress {
namespace {

using test::Sent;

trace::Code no_code(const CallpathTable&, const FunctionOfPath&) { return {}; }

// What a rank of a random program records.
Process process_of_calls(const test::Stream& calls, std::uint64_t rank, std::uint64_t ranks) {
  Process p;
  p.rank = rank;
  p.ranks = ranks;
  p.run = 5;
  p.mpi = "Some MPI 1.0";
  p.date = 1'000'000;
  const std::uint64_t module = p.own.callpaths.add_module({"/bin/app", "00ff"});
  std::map<std::uint32_t, std::uint64_t> path_of;
  StreamFolder folder;
  TimeFolder times{TimeOptions{}};
  for (const Sent& s : calls) {
    path_of[s.site] = p.own.callpaths.add_path({{module, 0x100 + s.site}});
    const std::vector<std::int64_t> record{0, 0, s.count, 8, s.dest, s.tag, 0};
    const Step step = folder.add({test::kSend, s.site}, {7, 0}, record);
    times.add(step.from, step.to, {s.compute, s.communicate});
  }
  p.streams.push_back(folder.finish());
  std::vector<FoldedTimes> folded = times.finish(1);
  p.names.emplace_back();
  for (std::size_t i = 0; i < p.streams[0].sites.size(); ++i) {
    p.streams[0].sites[i].times = folded[i];
    p.names[0].push_back({"MPI_Send", path_of[p.streams[0].sites[i].key.callpath]});
  }
  p.own.graph.merge(FlowGraph(p.streams[0], p.names[0]));
  p.own.comms = {{.parent = -1}, {.parent = -1}, {0, 0x1234567 + rank / 2, 1}};
  const auto r = static_cast<std::int64_t>(rank);
  p.comms = {{r, static_cast<std::int64_t>(ranks)}, {0, 1}, {r % 2, 2}};
  p.own.timing.mode = trace::TimeMode::paths;
  p.own.timing.precision = 10'000;
  p.own.losses["some"] = rank;
  return p;
}

RC_GTEST_PROP(RankTrace, MergesToWhatPartsDo, ()) {
  std::uint32_t sites = 0;
  const std::vector<test::Node> program = test::random_body(3, sites);
  const auto ranks = *rc::gen::inRange<std::int64_t>(1, 6);
  const std::vector<test::Stream> streams =
      test::execute(program, ranks, *rc::gen::arbitrary<std::uint64_t>());
  std::vector<Process> parts, later;
  for (std::size_t r = 0; r < streams.size(); ++r) {
    Process p = process_of_calls(streams[r], r, streams.size());
    const auto written = trace::encode_trace(trace_of(p, no_code));
    RC_ASSERT(static_cast<bool>(written));
    const auto read = trace::decode_trace(*written, "trace");
    RC_ASSERT(static_cast<bool>(read));
    Result<Process> again = process_of(*read, "trace");
    RC_ASSERT(static_cast<bool>(again));
    Result<Process> part = Process::decode(p.encode(), "part");
    RC_ASSERT(static_cast<bool>(part));
    parts.push_back(std::move(*part));
    later.push_back(std::move(*again));
  }
  const trace::Trace one = merge_processes(std::move(parts), no_code);
  const trace::Trace other = merge_processes(std::move(later), no_code);
  RC_ASSERT(trace::encode_body(one) == trace::encode_body(other));
}

TEST(RankTrace, SaysWhatItIsOf) {
  const test::Stream calls(3, Sent{});
  const trace::Trace trace = trace_of(process_of_calls(calls, 1, 4), no_code);
  const auto of = trace::rank_of(trace);
  ASSERT_TRUE(of);
  EXPECT_EQ(of->rank, 1u);
  EXPECT_EQ(of->run, 5u);
  ASSERT_EQ(trace.losses.size(), 3u) << "other ranks, what this one lost, and its code";
}

TEST(RankTrace, IsNotTakenForAnother) {
  const test::Stream calls(3, Sent{});
  trace::Trace trace = trace_of(process_of_calls(calls, 1, 4), no_code);
  trace::Trace none = trace;
  none.sections.clear();
  EXPECT_NE(process_of(none, "a").error().message.find("the trace of a whole run already"),
            std::string::npos);
  std::vector<std::uint8_t>& content = trace.sections[0].content;
  const std::vector<std::uint8_t> whole = content;
  for (std::size_t n = 0; n < whole.size(); ++n) {
    content.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_FALSE(process_of(trace, "a")) << n;
  }
  // Whatever a byte becomes, it is refused or merged.
  for (std::size_t n = 0; n < whole.size(); ++n) {
    content = whole;
    content[n] ^= 0x55;
    auto read = process_of(trace, "a");
    if (!read || read->ranks > 100) continue;
    std::vector<Process> only;
    only.push_back(std::move(*read));
    (void)merge_processes(std::move(only), no_code);
  }
}

}  // namespace
}  // namespace reprise::compress
