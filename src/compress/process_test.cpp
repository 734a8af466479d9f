// What a part says is believed only as far as it can be.
#include "compress/process.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "trace/cursors/cursor.hpp"
#include "trace/file/file.hpp"

namespace reprise::compress {
namespace {

using trace::Series;

trace::Code no_code(const CallpathTable&, const FunctionOfPath&) { return {}; }

// Rank 1 of 3: 10 times MPI_Send and MPI_Waitall of two requests.
Process small_process() {
  Process p;
  p.rank = 1;
  p.ranks = 3;
  p.mpi = "Some MPI 1.0";
  StreamFolder folder;
  TimeFolder times{TimeOptions{}};
  const auto call = [&](const char* name, std::uint32_t site, std::vector<std::int64_t> lists) {
    const trace::FunctionId id = *trace::find_function(name);
    const trace::Function& f = trace::function(id);
    std::vector<std::int64_t> record(f.scalars.size(), 1);
    record.insert(record.end(), lists.begin(), lists.end());
    const Step step = folder.add({id, site}, {f.scalars.size(), f.lists.size()}, record);
    times.add(step.from, step.to, {1000, 200});
  };
  for (int i = 0; i < 10; ++i) {
    call("MPI_Send", 0, {});
    call("MPI_Waitall", 1, {2, 0, 1, 0, 0});
  }
  p.streams.push_back(folder.finish());
  std::vector<FoldedTimes> folded = times.finish(1);
  for (std::size_t i = 0; i < folded.size(); ++i) p.streams[0].sites[i].times = folded[i];
  const std::uint64_t module = p.own.callpaths.add_module({"/bin/app", "00ff"});
  const std::uint64_t path = p.own.callpaths.add_path({{module, 0x123}});
  p.names.push_back({{"MPI_Send", path}, {"MPI_Waitall", path}});
  p.own.graph.merge(FlowGraph(p.streams[0], p.names[0]));
  p.own.comms = {{.parent = -1}, {.parent = -1}};
  p.comms = {{1, 3}, {0, 1}};
  p.own.timing.mode = trace::TimeMode::paths;
  return p;
}

std::uint64_t count_calls(const trace::Trace& t, std::uint64_t stream) {
  std::uint64_t n = 0;
  for (trace::Cursor c(t, stream); c.next();) ++n;
  return n;
}

TEST(Part, BecomesATraceWithTheRanksThatLeftNothing) {
  Process p = small_process();
  p.ranks = 1 << 20;
  Result<Process> read = Process::decode(p.encode(), "part");
  ASSERT_TRUE(read) << read.error().message;
  std::vector<Process> all;
  all.push_back(std::move(*read));
  const trace::Trace t = merge_processes(std::move(all), no_code);
  EXPECT_EQ(count_calls(t, 0), 0u);
  EXPECT_EQ(count_calls(t, 1), 20u);
  EXPECT_EQ(count_calls(t, t.ranks - 1), 0u);
  EXPECT_LT(trace::encode_trace(t)->size(), 1000u);
}

// Two calls in two functions that the same line of a third calls.
TEST(Merged, KeepsAsMuchOfCallPathsAsIsAskedFor) {
  const auto merged = [](CallpathMode mode) {
    Process p = small_process();
    p.rank = 0;
    p.ranks = 1;
    const std::uint64_t module = p.own.callpaths.add_module({"/bin/app", "00ff"});
    const std::uint64_t path = p.own.callpaths.add_path({{module, 0x123}, {module, 0x456}});
    p.names[0][1].callpath = path;
    p.own.graph = FlowGraph(p.streams[0], p.names[0]);
    p.own.callpaths_kept = mode;
    Result<Process> read = Process::decode(p.encode(), "part");
    EXPECT_TRUE(read) << read.error().message;
    std::vector<Process> all;
    all.push_back(std::move(*read));
    return merge_processes(std::move(all), no_code);
  };
  const trace::Trace full = merged(CallpathMode::full), site = merged(CallpathMode::site),
                     none = merged(CallpathMode::none);
  const auto frames = [](const trace::Trace& t) {
    std::vector<std::size_t> out;
    for (const auto& path : t.callpaths) out.push_back(path.size());
    return out;
  };
  EXPECT_EQ(frames(full), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(frames(site), (std::vector<std::size_t>{1, 1}));
  EXPECT_EQ(frames(none), (std::vector<std::size_t>{0, 0}));
  EXPECT_TRUE(none.frames.empty() && none.modules.empty());
  for (const trace::Trace* less : {&site, &none}) {
    ASSERT_EQ(less->calls.size(), full.calls.size());
    for (std::size_t c = 0; c < full.calls.size(); ++c)
      EXPECT_EQ(less->calls[c].callpath, full.calls[c].callpath);
    EXPECT_EQ(count_calls(*less, 0), count_calls(full, 0));
  }
  EXPECT_EQ(full.options, "");
  EXPECT_EQ(site.options, "--callpaths site");
  EXPECT_EQ(none.options, "--callpaths none");
  // But for the option's name.
  const auto size = [](trace::Trace t) {
    t.options.clear();
    return trace::encode_body(t).size();
  };
  EXPECT_LE(size(site), size(full));
  EXPECT_LT(size(none), size(site));
}

TEST(Merged, SaysThatNoMachineCodeWasRead) {
  std::vector<Process> all;
  all.push_back(small_process());
  all.front().rank = 0;
  all.front().ranks = 1;
  const trace::Trace unread = merge_processes(all, no_code);
  ASSERT_EQ(unread.losses.size(), 1u);
  EXPECT_EQ(unread.losses[0].what, kCodeUnread);
  EXPECT_EQ(unread.losses[0].count, 1u);
  const trace::Trace read = merge_processes(all, [](const CallpathTable& table, const auto&) {
    return trace::Code{.functions = {}, .paths = {table.size(), std::vector<trace::CodePath>()}};
  });
  EXPECT_TRUE(read.losses.empty());
}

// The first rank was killed before its first checkpoint.
TEST(Agreement, KnowsHowTimesAndSizesWereKeptFromAnyRank) {
  Agreement first, other;
  other.options = "--average-sizes";
  other.timing.mode = trace::TimeMode::paths;
  other.timing.clock = "tsc";
  other.timing.precision = 50'000;
  other.callpaths_kept = CallpathMode::none;
  first.merge(other);
  EXPECT_EQ(first.options, "--average-sizes");
  EXPECT_EQ(first.timing.mode, trace::TimeMode::paths);
  EXPECT_EQ(first.timing.clock, "tsc");
  EXPECT_EQ(first.timing.precision, 50'000U);
  EXPECT_EQ(first.callpaths_kept, CallpathMode::none);
}

TEST(Part, IsNoTrace) {
  const auto read = trace::decode_trace(small_process().encode(), "app.reprise.part-1");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("reprise merge"), std::string::npos) << read.error().message;
  EXPECT_FALSE(Process::decode(*trace::encode_trace({}), "app.reprise"));
}

TEST(Part, OfNumbersThatContradictEachOtherIsRefused) {
  constexpr std::uint64_t kMany = std::uint64_t{1} << 40;
  using Damage = std::function<void(Process&)>;
  const std::pair<const char*, Damage> all[] = {
      {"no calls", [](Process& p) { p.streams[0].calls = 0; }},
      {"too many calls", [](Process& p) { p.streams[0].calls = kMany; }},
      {"too many executions", [](Process& p) { p.streams[0].sites[0].executions = kMany; }},
      {"too many ranks", [](Process& p) { p.ranks = kMany; }},
      {"too many threads", [](Process& p) { p.own.threads = kMany; }},
      {"a successor", [](Process& p) { p.streams[0].sites[0].successors = Series::constant(99); }},
      {"itself", [](Process& p) { p.streams[0].sites[0].successors = Series::constant(0); }},
      {"no successors", [](Process& p) { p.streams[0].sites[0].successors = {}; }},
      {"a number of successors", [](Process& p) { p.streams[0].sites[0].followed = 9; }},
      {"successors without end",
       [](Process& p) {
         p.streams[0].sites[0].successors = Series(
             {{.value = 1, .step = 0, .count = 10}, {.value = 2, .step = 1, .count = kMany}});
         p.streams[0].sites[0].followed = kMany;
       }},
      {"an index behind the sites",
       [](Process& p) {
         p.streams[0].sites[1].successors = Series(
             {{.value = 0, .step = 0, .count = 9}, {.value = 1 << 20, .step = 0, .count = 1}});
         p.streams[0].sites[1].followed = 10;
       }},
      {"too few values",
       [](Process& p) { p.streams[0].sites[0].columns[4] = Series(std::vector<trace::Term>(2)); }},
      {"a length", [](Process& p) { p.streams[0].sites[1].columns[1] = Series::constant(kMany); }},
      {"a call path", [](Process& p) { p.own.callpaths = {}; }},
      {"a name", [](Process& p) { p.names[0][0].callpath = 0; }},
      {"a function",
       [](Process& p) {
         auto names = p.names[0];
         names[0].function = "MPI_Nothing";
         p.own.graph.merge(FlowGraph(p.streams[0], names));
       }},
      {"a path of times", [](Process& p) { p.streams[0].sites[0].times.paths[0].from = 2; }},
      {"an arrival",
       [](Process& p) { p.streams[0].sites[0].times.arrivals = Series::constant(-1); }},
  };
  ASSERT_TRUE(Process::decode(small_process().encode(), "part"));
  for (const auto& [what, damage] : all) {
    Process p = small_process();
    damage(p);
    EXPECT_FALSE(Process::decode(p.encode(), "part")) << what;
  }
}

// What a path of 10 executions has.
FoldedPath& path_of_all(Process& p) { return p.streams[0].sites[1].times.paths[0]; }

void set_blocks(Process& p, std::uint64_t width, std::vector<trace::Bin> bins) {
  path_of_all(p).blocks = {width, std::move(bins)};
}

void set_modes(Process& p, std::size_t modes, Series mode_of) {
  FoldedPath& path = path_of_all(p);
  path.modes.assign(modes, path.compute);
  path.mode_of = std::move(mode_of);
}

trace::Bin block(std::uint64_t count, std::int64_t longest = 1000) {
  return {count, 4000, 1000, longest, 0};
}

TEST(Part, WithBlocksThatDoNotFitTheirPathIsRefused) {
  constexpr std::int64_t kYears = std::int64_t{1} << 60;
  using Damage = std::function<void(Process&)>;
  const std::pair<const char*, Damage> all[] = {
      {"too few",
       [](Process& p) {
         set_blocks(p, 4, {block(4), block(4)});
       }},
      {"too many",
       [](Process& p) {
         set_blocks(p, 4, {block(4), block(4), block(4)});
       }},
      {"one that is not full",
       [](Process& p) {
         set_blocks(p, 4, {block(4), block(2), block(4)});
       }},
      {"many executions", [](Process& p) { set_blocks(p, 1, {block(1ULL << 48)}); }},
      {"long ones",
       [](Process& p) {
         set_blocks(p, 4, {block(4, kYears), block(4), block(2)});
       }},
      {"a long sum",
       [](Process& p) {
         set_blocks(p, 16, {{10, kYears, 1, 1, 0}});
       }},
      {"the least number",
       [](Process& p) {
         set_blocks(p, 16, {{10, 0, std::numeric_limits<std::int64_t>::min(), 0, 0}});
       }},
  };
  for (const auto& [what, damage] : all) {
    Process p = small_process();
    damage(p);
    EXPECT_FALSE(Process::decode(p.encode(), "part")) << what;
  }
  Process p = small_process();
  set_blocks(p, 4, {block(4), block(4), block(2)});
  EXPECT_TRUE(Process::decode(p.encode(), "part"));
}

// To count the runs of such modes takes a step for each.
trace::Term nested(std::uint64_t levels, std::uint64_t count) {
  if (levels == 0) return {.value = 0, .step = 1, .count = count};
  trace::Term out{.step = 1, .count = count, .body = {nested(levels - 1, count)}};
  out.period = count * (out.body[0].is_run() ? 1 : out.body[0].period);
  return out;
}

TEST(Part, WithModesThatDoNotFitTheirPathIsRefused) {
  using Damage = std::function<void(Process&)>;
  const trace::Term first{.value = 0, .step = 0, .count = 9};
  const std::pair<const char*, Damage> all[] = {
      {"nested", [](Process& p) { set_modes(p, 2, Series({nested(10, 16)})); }},
      {"too many", [](Process& p) { set_modes(p, 2, Series({nested(0, 11)})); }},
      {"no such mode", [](Process& p) { set_modes(p, 2, Series::constant(2)); }},
      {"less than none", [](Process& p) { set_modes(p, 2, Series::constant(-1)); }},
      {"too few executions", [&](Process& p) { set_modes(p, 2, Series({first})); }},
      {"behind the end",
       [&](Process& p) {
         trace::Term last = nested(10, 16);
         last.count = trace::kUnbounded;
         set_modes(p, 2, Series({first, last}));
       }},
      {"more than are kept",
       [](Process& p) { set_modes(p, ModeFolder::kMaxModes + 1, Series::constant(0)); }},
  };
  for (const auto& [what, damage] : all) {
    Process p = small_process();
    damage(p);
    EXPECT_FALSE(Process::decode(p.encode(), "part")) << what;
  }
  Process p = small_process();
  set_modes(p, 2, Series({first, {.value = 1, .step = 0, .count = trace::kUnbounded}}));
  EXPECT_TRUE(Process::decode(p.encode(), "part"));
}

TEST(Part, WithADamagedByteIsRefusedOrBecomesATrace) {
  const std::vector<std::uint8_t> part = small_process().encode();
  const std::vector<std::uint8_t> body(part.begin() + 16, part.end());
  for (std::size_t i = 0; i < body.size(); ++i) {
    for (int value = 0; value < 256; ++value) {
      std::vector<std::uint8_t> damaged = body;
      damaged[i] = static_cast<std::uint8_t>(value);
      Result<Process> read = Process::decode_body(damaged, "damaged");
      if (!read || read->ranks > 1000) continue;
      std::vector<Process> all;
      all.push_back(std::move(*read));
      const trace::Trace t = merge_processes(std::move(all), no_code);
      EXPECT_TRUE(trace::decode_body(trace::encode_body(t), "merged")) << i << " " << value;
    }
  }
}

}  // namespace
}  // namespace reprise::compress
