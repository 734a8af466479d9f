#include "trace/file/flat_log.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "trace/calls/requests.hpp"
#include "trace/values/special.hpp"

namespace reprise::trace {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSend =
    "MPI_Send polls=2 buf=0 count=8 datatype=MPI_INT dest=MPI_PROC_NULL tag=5 comm=comm:world/0";

std::int64_t two(std::string_view) { return 2; }

std::string refusal(std::string_view line) {
  Event event;
  const Status status = parse_call(line, two, event);
  return status ? "" : status.error().message;
}

TEST(CallText, HasNumbersForNames) {
  Event event;
  ASSERT_TRUE(parse_call(kSend, two, event));
  EXPECT_EQ(event.function->name, "MPI_Send");
  EXPECT_EQ(event.scalars, (std::vector<std::int64_t>{2, 0, 8, event.scalars[3], kProcNull, 5, 2}));
  ASSERT_TRUE(
      parse_call("MPI_Waitall polls=0 requests=[0,thread1/4,NULL] matched_source=[] "
                 "matched_tag=[]",
                 two, event));
  EXPECT_EQ(event.lists[0], (std::vector<std::int64_t>{0, encode_request({1, 4}), kNull}));
  EXPECT_TRUE(event.lists[1].empty());
}

TEST(CallText, KnowsTheWorldAndSelfByBothNames) {
  Event event;
  const auto fail = [](std::string_view) -> std::int64_t { return 99; };
  for (const auto& [name, number] : {std::pair("comm:world", 0), {"0", 0}, {"comm:self", 1}}) {
    ASSERT_TRUE(parse_call(std::string("MPI_Barrier polls=0 comm=") + name, fail, event));
    EXPECT_EQ(event.scalars[1], number);
  }
}

TEST(CallText, SaysWhatIsWrongWithALine) {
  EXPECT_EQ(refusal("MPI_Sent polls=0"), "no function is called \"MPI_Sent\"");
  EXPECT_EQ(refusal("MPI_Barrier polls=0"), "MPI_Barrier lacks comm");
  EXPECT_EQ(refusal("MPI_Barrier polls=many comm=0"), "MPI_Barrier cannot have polls=\"many\"");
  EXPECT_EQ(refusal("MPI_Barrier polls=0 comm=0 # had not returned"),
            "MPI_Barrier is followed by \"# had not returned\"");
  EXPECT_EQ(refusal("MPI_Barrier polls=99999999999999999999 comm=0"),
            "MPI_Barrier cannot have polls=\"99999999999999999999\"");
  EXPECT_EQ(refusal("MPI_Wait polls=0 request=thread5000/1 matched_source=- matched_tag=-"),
            "MPI_Wait cannot have request=\"thread5000/1\"");
  EXPECT_EQ(refusal("MPI_Waitall polls=0 requests=[0,] matched_source=[] matched_tag=[]"),
            "MPI_Waitall cannot have requests=\"0\"");
  EXPECT_EQ(refusal("MPI_Waitall polls=0 requests=[0"), "MPI_Waitall lacks requests");
  EXPECT_EQ(refusal("\x1b[2J"), "no function is called \"\\x1b[2J\"");
  EXPECT_FALSE(refusal("").empty());
}

TEST(FlatLogs, AreArrangedByRankAndThread) {
  const auto logs = arrange_flat_logs(
      {"a/rank-1-thread-0.log", "a/rank-0-thread-1.log", "a/rank-0-thread-0.log"});
  ASSERT_TRUE(logs);
  ASSERT_EQ(logs->size(), 2u);
  EXPECT_EQ((*logs)[0].size(), 2u);
  EXPECT_EQ((*logs)[1], std::vector<std::string>{"a/rank-1-thread-0.log"});
}

TEST(FlatLogs, HaveToBeComplete) {
  const auto why = [](const std::vector<std::string>& paths) {
    const auto logs = arrange_flat_logs(paths);
    return logs ? "" : logs.error().message.substr(0, logs.error().message.find(" ("));
  };
  EXPECT_EQ(why({"rank-0-thread-0.log", "rank-2-thread-0.log"}),
            "the log rank-1-thread-0.log is missing");
  EXPECT_EQ(why({"rank-1-thread-0.log"}), "the log rank-0-thread-0.log is missing");
  EXPECT_EQ(why({"rank-0-thread-1.log"}), "the log rank-0-thread-0.log is missing");
  EXPECT_EQ(why({"rank-0-thread-0.log", "rank-0-thread-2.log"}),
            "the log rank-0-thread-1.log is missing");
  EXPECT_EQ(why({"a/rank-0-thread-0.log", "b/rank-0-thread-0.log"}), "rank 0 thread 0 comes twice");
  EXPECT_EQ(why({"notes.txt"}), "notes.txt is not a flat log");
  EXPECT_NE(why({"rank-99999999999-thread-0.log"}), "");
}

class FlatLogFile : public ::testing::Test {
 protected:
  FlatLogFile() { fs::create_directories(folder_); }
  ~FlatLogFile() override { fs::remove_all(folder_); }

  std::string write(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return path_;
  }

  std::string folder_ = testing::TempDir() + "flat_log_test";
  std::string path_ = folder_ + "/rank-0-thread-0.log";
};

TEST_F(FlatLogFile, IsReadLineByLine) {
  FlatLogSource log(write(std::string(kSend) + "\n" + kSend + "\n"), two);
  EXPECT_NE(log.next(), nullptr);
  EXPECT_NE(log.next(), nullptr);
  EXPECT_EQ(log.position(), path_ + ":2");
  EXPECT_EQ(log.next(), nullptr);
  EXPECT_EQ(log.problem(), "");
}

TEST_F(FlatLogFile, HasLongLines) {
  std::string list = "0";
  for (int i = 0; i < 100'000; ++i) list += ",NULL";
  FlatLogSource log(
      write("MPI_Waitall polls=0 requests=[" + list + "] matched_source=[] matched_tag=[]\n"), two);
  const Event* event = log.next();
  ASSERT_NE(event, nullptr) << log.problem();
  EXPECT_EQ(event->lists[0].size(), 100'001u);
}

TEST_F(FlatLogFile, SaysWhereItIsDamaged) {
  FlatLogSource log(write(std::string(kSend) + "\nMPI_Send polls=0\n"), two);
  EXPECT_NE(log.next(), nullptr);
  EXPECT_EQ(log.next(), nullptr);
  EXPECT_EQ(log.problem(), path_ +
                               ":2 makes no sense (MPI_Send lacks buf); the log is damaged or "
                               "cut short");
  EXPECT_EQ(log.next(), nullptr) << "and goes no further";
}

TEST_F(FlatLogFile, MayBeCutShort) {
  FlatLogSource cut(write(kSend), two);
  EXPECT_EQ(cut.next(), nullptr);
  EXPECT_NE(cut.problem().find("the line has no end"), std::string::npos);
  FlatLogSource zeros(write(std::string(100'000, '\0')), two);
  EXPECT_EQ(zeros.next(), nullptr);
  EXPECT_NE(zeros.problem(), "");
  FlatLogSource none(folder_ + "/none", two);
  EXPECT_EQ(none.next(), nullptr);
  EXPECT_NE(none.problem().find("cannot be opened"), std::string::npos);
}

TEST_F(FlatLogFile, TellsItsLastFunction) {
  const std::string last = "MPI_Finalize polls=0\n";
  EXPECT_EQ(last_function(write(last)), find_function("MPI_Finalize"));
  EXPECT_EQ(last_function(write(std::string(1 << 17, 'x') + "\n" + last)),
            find_function("MPI_Finalize"));
  EXPECT_EQ(last_function(write(last + kSend + "\n")), find_function("MPI_Send"));
  EXPECT_EQ(last_function(write(last + kSend)), std::nullopt) << "cut short";
  EXPECT_EQ(last_function(write("")), std::nullopt);
  EXPECT_EQ(last_function(write("\n")), std::nullopt);
  EXPECT_EQ(last_function(folder_ + "/none"), std::nullopt);
}

}  // namespace
}  // namespace reprise::trace
