// What is said of the ranks of a run that ended early, or is still under way.
#include "cli/look/end_report.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analyze/program_text.hpp"
#include "trace/file/unfinished.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::cli {
namespace {

using Lines = std::vector<std::string>;

trace::Value by_stream(const std::vector<std::int64_t>& values) {
  trace::SeriesFolder folder;
  for (const std::int64_t v : values) folder.append(v);
  return {.by_stream = folder.finish(), .classes = {}};
}

// A trace that ended early. Its last call had not returned in the streams of `within`.
trace::Trace ended(const std::string& text, const std::vector<std::int64_t>& within,
                   const std::vector<std::int64_t>& signals,
                   const std::vector<std::int64_t>& missing = {0}) {
  trace::Trace t = analyze::parse_program(text);
  trace::Unfinished u;
  u.calls.push_back({t.calls.back(), by_stream(within)});
  u.waited = by_stream(within);
  u.signal = by_stream(signals);
  u.missing = by_stream(missing);
  set_unfinished(t, u);
  return t;
}

std::string said(const std::function<void()>& say) {
  testing::internal::CaptureStdout();
  say();
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

const char* const kSixRanks = R"(ranks 6
[1 1 1 1 0 0]: MPI_Init @ main a.c:1
[1 1 1 1 0 0]: MPI_Barrier @ main a.c:2
)";

trace::Trace six_ways_to_end() {
  return ended(
      kSixRanks, {1, 1, 0, 0, 0, 0},
      {15, trace::kVanished, trace::kVanished, trace::kExited, trace::kVanished, trace::kNoPart},
      {0, 0, 0, 0, 5, 0});
}

TEST(EndReport, AccountsForEveryRank) {
  EXPECT_EQ(death_lines(six_ways_to_end()),
            (Lines{"rank 3 exited outside MPI, after MPI_Barrier at main a.c:2",
                   "rank 2 ended abruptly (SIGKILL, or _exit) outside MPI, after MPI_Barrier at "
                   "main a.c:2",
                   "rank 4 ended abruptly (SIGKILL, or _exit) outside MPI, after calls that are "
                   "not in the trace",
                   "rank 1 ended abruptly (SIGKILL, _exit, or a fatal error of MPI) in "
                   "MPI_Barrier at main a.c:2",
                   "rank 0 died of signal 15 (terminated) in MPI_Barrier at main a.c:2",
                   "rank 5 left no part: how it ended is not known"}));
}

TEST(EndReport, NamesRanksWithoutCallsOnce) {
  const std::string text = said([] { say_end(six_ways_to_end()); });
  EXPECT_NE(text.find("cut short    ranks 0..3, before MPI_Finalize: "), std::string::npos) << text;
  EXPECT_NE(text.find("cut short    rank 4: none of its 5 calls is in the trace (it ended before "
                      "its first checkpoint)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("cut short    rank 5, of which no completed call is known\n"),
            std::string::npos)
      << text;
}

TEST(EndReport, NamesThreads) {
  const trace::Trace t = ended(R"(ranks 2
threads 2
MPI_Barrier @ main a.c:2
MPI_Recv source=0 tag=1 @ work a.c:3
)",
                               {0, 1, 0, 0}, {15, 0, trace::kVanished, 0});
  EXPECT_EQ(death_lines(t), (Lines{"rank 1 ended abruptly (SIGKILL, _exit, or a fatal error of "
                                   "MPI) with several threads",
                                   "rank 0 died of signal 15 (terminated) in thread 0, outside "
                                   "MPI, after MPI_Recv at work a.c:3"}));
}

TEST(EndReport, SaysThatRanksMayHaveBeenRunning) {
  const trace::Trace t = ended(kSixRanks, {1, 1, 0, 0, 0, 0}, std::vector(6, trace::kUnseen));
  EXPECT_EQ(death_lines(t),
            (Lines{"ranks 2..3 ended abruptly (SIGKILL, or _exit), or were still running, outside "
                   "MPI, after MPI_Barrier at main a.c:2",
                   "ranks 4..5 ended abruptly (SIGKILL, or _exit), or were still running, outside "
                   "MPI, after calls that are not in the trace",
                   "ranks 0..1 ended abruptly (SIGKILL, _exit, or a fatal error of MPI), or were "
                   "still running, in MPI_Barrier at main a.c:2"}));
  EXPECT_EQ(deaths_json(t)[0]["cause"], "unknown or running");
}

TEST(EndReport, SaysThatRanksWereRunning) {
  const trace::Trace t =
      ended(kSixRanks, {1, 1, 0, 0, 0, 0}, std::vector(6, trace::kRunning), {0, 0, 0, 0, 5, 0});
  EXPECT_EQ(death_lines(t), Lines{});
  const std::string text = said([&] { say_end(t); });
  EXPECT_NE(text.find("under way    every rank, when the trace was made: "), std::string::npos)
      << text;
  EXPECT_EQ(text.find("cut short"), std::string::npos) << text;
}

TEST(EndReport, SaysWhatIsNotCounted) {
  EXPECT_EQ(said([] { say_not_counted(six_ways_to_end()); }),
            "# not counted: MPI_Barrier in main a.c:2 on ranks 0..1, which had not returned for 1 "
            "s or more\n"
            "# not counted: 5 calls of rank 4 after its last checkpoint\n");
  const auto json = not_counted_json(six_ways_to_end());
  EXPECT_EQ(json["not_returned"], 2);
  EXPECT_EQ(json["after_checkpoint"], 5);
  EXPECT_EQ(said([] { say_not_counted(analyze::parse_program(kSixRanks)); }), "");
}

// Nothing is walked to find it.
TEST(EndReport, FindsTheLastCallOfLongRuns) {
  trace::Trace t = analyze::parse_program(R"(ranks 1
1000000000000000:
  MPI_Barrier @ main a.c:1
  {1 1 1 0 ...}: MPI_Allreduce @ main a.c:2
)");
  trace::Unfinished u;
  u.signal = trace::Value::constant(trace::kVanished);
  set_unfinished(t, u);
  EXPECT_EQ(death_lines(t), Lines{"rank 0 ended abruptly (SIGKILL, or _exit) outside MPI, after "
                                  "MPI_Barrier at main a.c:1"});
}

}  // namespace
}  // namespace reprise::cli
