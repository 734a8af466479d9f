#include "convert/paraver/import.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "trace/calls/places.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/file/call_text.hpp"
#include "trace/values/special.hpp"

namespace reprise::convert::paraver {
namespace {

std::string path_of(const char* extension) {
  return (std::filesystem::temp_directory_path() / ("reprise-prv-" + std::to_string(::getpid())))
             .string() +
         extension;
}

Result<trace::Trace> imported(const std::string& text, const std::string& names = "") {
  std::ofstream(path_of(".prv")) << text;
  if (!names.empty()) std::ofstream(path_of(".pcf")) << names;
  ImportSettings settings;
  settings.times.precision = 0;
  settings.scratch = path_of(".sorting");
  auto out = import_trace(path_of(".prv"), settings);
  std::filesystem::remove(path_of(".prv"));
  std::filesystem::remove(path_of(".pcf"));
  return out;
}

// "MPI_Send dest=1 tag=7 count=40" of each call: the columns that are named.
std::vector<std::string> calls_of_rank(const trace::Trace& trace, std::uint64_t rank,
                                       const std::vector<std::string_view>& columns) {
  std::vector<std::string> out;
  for (trace::Cursor cursor(trace, rank); cursor.next();) {
    const trace::Event& event = cursor.event();
    std::string text(event.function->name);
    for (const std::string_view name : columns) {
      const auto& scalars = event.function->scalars;
      const auto column = std::ranges::find(scalars, name, &trace::Column::name);
      if (column != scalars.end()) {
        const auto at = static_cast<std::size_t>(column - scalars.begin());
        text += " " + std::string(name) + "=" + std::to_string(event.scalars[at]);
      }
    }
    out.push_back(text);
  }
  return out;
}

constexpr const char* kTwoRanks =
    "#Paraver (28/11/2026 at 04:33):1000_ns:1(2):1:2(1:1,1:1),1\n"
    "c:1:1:2:1:2\n"
    "1:1:1:1:1:0:100:1\n"
    "2:1:1:1:1:100:50000003:31\n"
    "2:2:1:2:1:100:50000003:31\n"
    "2:1:1:1:1:200:50000003:0\n"
    "2:2:1:2:1:200:50000003:0\n";

TEST(ParaverImport, TracesBeforeExtraeAreNamed) {
  for (const char* line : {"4:1:1:1:1:300:2:1\n", "c:1:2:2:-1\n"}) {
    const auto trace = imported(std::string(kTwoRanks) + line);
    ASSERT_FALSE(trace) << line;
    EXPECT_NE(trace.error().message.find("before Extrae"), std::string::npos)
        << trace.error().message;
  }
}

// It is the start of Extrae and MPI.
TEST(ParaverImport, TimeBeforeMpiInitIsNoComputation) {
  const auto trace = imported(std::string(kTwoRanks) +
                              "2:1:1:1:1:300:50000001:1\n"
                              "2:2:1:2:1:300:50000001:1\n"
                              "2:1:1:1:1:310:50000001:0\n"
                              "2:2:1:2:1:310:50000001:0\n");
  ASSERT_TRUE(trace) << trace.error().message;
  std::vector<double> computed;
  for (const trace::CallTimes& times : trace->times)
    for (const trace::Path& path : times.paths) computed.push_back(path.compute.sum_of(0));
  EXPECT_EQ(computed, (std::vector<double>{0, 100}));
}

// The receive is posted and completed in calls of their own, the send in one.
TEST(ParaverImport, MessagesBelongToTheCallsThatWereOpen) {
  const auto trace = imported(std::string(kTwoRanks) +
                              "2:2:1:2:1:300:50000001:4\n"
                              "2:2:1:2:1:310:50000001:0\n"
                              "2:1:1:1:1:400:50000001:1\n"
                              "3:1:1:1:1:400:450:2:1:2:1:310:600:40:7\n"
                              "2:1:1:1:1:450:50000001:0\n"
                              "2:2:1:2:1:500:50000001:5:42000050:77\n"
                              "2:2:1:2:1:600:50000001:0\n");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(calls_of_rank(*trace, 0, {"dest", "tag", "count"}),
            (std::vector<std::string>{"MPI_Init", "MPI_Send dest=1 tag=7 count=40"}));
  EXPECT_EQ(calls_of_rank(*trace, 1, {"source", "tag", "count", "request"}),
            (std::vector<std::string>{"MPI_Init", "MPI_Irecv source=0 tag=7 count=40",
                                      "MPI_Wait request=0"}));
  EXPECT_EQ(trace->date, 1'795'840'380);
  EXPECT_TRUE(trace->losses.empty()) << trace->losses.front().what;
}

// Clocks of ranks differ: what was sent at 400 was received at 350.
TEST(ParaverImport, MessagesMayArriveBeforeTheyAreSent) {
  const auto trace = imported(std::string(kTwoRanks) +
                              "2:2:1:2:1:300:50000001:2\n"
                              "2:2:1:2:1:350:50000001:0\n"
                              "2:1:1:1:1:400:50000001:3\n"
                              "3:1:1:1:1:400:450:2:1:2:1:300:350:40:7\n"
                              "2:1:1:1:1:450:50000001:0\n"
                              "2:1:1:1:1:460:50000001:6\n"
                              "2:1:1:1:1:470:50000001:0\n");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(calls_of_rank(*trace, 1, {"source", "count"}),
            (std::vector<std::string>{"MPI_Init", "MPI_Recv source=0 count=40"}));
  EXPECT_EQ(calls_of_rank(*trace, 0, {"dest"}),
            (std::vector<std::string>{"MPI_Init", "MPI_Isend dest=1", "MPI_Waitall"}));
}

// An immediate receive ends as a blocking one begins: both are posted then.
TEST(ParaverImport, ReceivesPostedAtOneTimeAreToldApart) {
  const auto trace = imported(std::string(kTwoRanks) +
                              "2:2:1:2:1:300:50000001:4\n"
                              "2:2:1:2:1:310:50000001:0\n"
                              "2:2:1:2:1:310:50000001:2\n"
                              "2:2:1:2:1:350:50000001:0\n"
                              "2:2:1:2:1:360:50000001:5\n"
                              "2:2:1:2:1:370:50000001:0\n"
                              "2:1:1:1:1:400:50000001:1\n"
                              "3:1:1:1:1:400:450:2:1:2:1:310:350:8:2\n"
                              "2:1:1:1:1:450:50000001:0\n"
                              "2:1:1:1:1:450:50000001:1\n"
                              "3:1:1:1:1:450:460:2:1:2:1:310:370:4:1\n"
                              "2:1:1:1:1:460:50000001:0\n");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(calls_of_rank(*trace, 1, {"tag", "request"}),
            (std::vector<std::string>{"MPI_Init", "MPI_Irecv tag=1", "MPI_Recv tag=2",
                                      "MPI_Wait request=0"}));
}

// Only the root says that it is; the others enter the same collective of the communicator.
TEST(ParaverImport, RootsFollowFromTheOrderOfCollectives) {
  const auto trace =
      imported(std::string(kTwoRanks) +
               "2:1:1:1:1:300:50000002:8:50100001:0:50100002:0:50100004:1\n"
               "2:1:1:1:1:310:50000002:0\n"
               "2:1:1:1:1:320:50000002:7:50100001:0:50100002:24:50100004:1\n"
               "2:1:1:1:1:330:50000002:0\n"
               "2:1:1:1:1:340:50000002:10:50100001:8:50100002:8:50100004:1\n"
               "2:1:1:1:1:350:50000002:0\n"
               "2:2:1:2:1:400:50000002:8:50100001:0:50100002:0:50100004:1\n"
               "2:2:1:2:1:410:50000002:0\n"
               "2:2:1:2:1:420:50000002:7:50100001:24:50100002:0:50100004:1:50100003:1\n"
               "2:2:1:2:1:430:50000002:0\n"
               "2:2:1:2:1:440:50000002:10:50100001:8:50100002:8:50100004:1\n"
               "2:2:1:2:1:450:50000002:0\n");
  ASSERT_TRUE(trace) << trace.error().message;
  for (const std::uint64_t rank : {0, 1}) {
    EXPECT_EQ(calls_of_rank(*trace, rank, {"count", "root"}),
              (std::vector<std::string>{"MPI_Init", "MPI_Barrier", "MPI_Bcast count=24 root=1",
                                        "MPI_Allreduce count=8"}));
  }
}

TEST(ParaverImport, CallPathsAndValuesHaveTheNamesOfTheirFile) {
  constexpr const char* kNames =
      "EVENT_TYPE\n9    50000001    MPI Point-to-point\nVALUES\n9001   MPI_Send\n0   Outside "
      "MPI\n\n"
      "EVENT_TYPE\n0    70000001    Caller at level 1\n0    70000002    Caller at level 2\nVALUES\n"
      "0   End\n3   main [main]\n4   sol [solve(int)]\n\n"
      "EVENT_TYPE\n0    80000001    Caller line at level 1\n0    80000002    Caller line at level "
      "2\n"
      "VALUES\n0   End\n5   a.c:12 [src/a.c:12, app]\n6   40 (b.c, app)\n";
  const auto trace =
      imported(std::string(kTwoRanks) +
                   "2:1:1:1:1:400:50000001:9001:70000001:4:80000001:6:70000002:3:80000002:5\n"
                   "3:1:1:1:1:400:450:2:1:2:1:400:450:40:7\n"
                   "2:1:1:1:1:450:50000001:0\n",
               kNames);
  ASSERT_TRUE(trace) << trace.error().message;
  const trace::Places places(*trace);
  bool has_send = false;
  for (const trace::Call& call : trace->calls) {
    if (trace::function(call.function).name != "MPI_Send") continue;
    has_send = true;
    EXPECT_EQ(places.path_text(call.callpath), "main src/a.c:12 > solve b.c:40");
  }
  EXPECT_TRUE(has_send);
}

TEST(ParaverImport, DamageIsTold) {
  const auto problem = [](const std::string& text) {
    const auto trace = imported(text);
    if (trace) return std::string("none");
    const std::string& message = trace.error().message;
    return message.substr(message.find(".prv") + 4);
  };
  const std::string end = "); the trace is damaged, or not one of an MPI program";
  EXPECT_EQ(problem(""), ":1 makes no sense (the file is empty" + end);
  EXPECT_EQ(
      problem("hello\n"),
      ":1 makes no sense (it does not begin as Paraver traces do, with #Paraver (date):" + end);
  EXPECT_EQ(
      problem("#Paraver (x):5_ns:0:2:1(1:1),1:1(1:1)\n"),
      ":1 makes no sense (it has 2 applications; a trace is of one, whose ranks are its tasks" +
          end);
  EXPECT_EQ(problem("#Paraver (x):5_ns:0:1:2(1:1)\n"),
            ":1 makes no sense (its header does not say how many threads each task has" + end);
  const std::string head = "#Paraver (x):5_ns:0:1:2(1:1,1:1)\n";
  EXPECT_EQ(problem(head + "c:1:1:2:1:3\n"),
            ":2 makes no sense (a communicator has a task that the header does not have" + end);
  EXPECT_EQ(problem(head + "2:1:1:3:1:5:1:1\n"),
            ":2 makes no sense (it is of a thread that the header does not have" + end);
  EXPECT_EQ(problem(head + "2:1:1:1:1:5:1:1\n2:1:1:1:1:4:1:1\n"),
            ":3 makes no sense (its time is before that of the thread's last event" + end);
  EXPECT_EQ(problem(head + "2:1:1:1:1:5:1\n"),
            ":2 makes no sense (its events are not pairs of a type and a value" + end);
  EXPECT_EQ(problem(head + "2:1:1:1:1:99999999999999999999:1:1\n"),
            ":2 makes no sense (it has no time" + end);
  EXPECT_EQ(problem(head + "3:1:1:1:1:1:1:1:1:1:1:1:1:1:-1\n"),
            ":2 makes no sense (the message has no tag of MPI" + end);
  EXPECT_EQ(problem(head + "5:1\n"),
            ":2 makes no sense (it is not a state, event, communication or communicator" + end);
  EXPECT_EQ(problem(head), "none");
}

}  // namespace
}  // namespace reprise::convert::paraver
