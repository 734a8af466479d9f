#include "compress/parts/log_process.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "trace/cursors/cursor.hpp"

namespace reprise::compress {
namespace {

namespace fs = std::filesystem;

trace::Code no_code(const CallpathTable&, const FunctionOfPath&) { return {}; }

std::string barrier(const std::string& comm) { return "MPI_Barrier polls=0 comm=" + comm + "\n"; }
// A rank of a new communicator, or none of it.
std::string split(const std::string& comm, const std::string& made, int rank, int size) {
  const bool is_in = made != "NULL";
  return "MPI_Comm_split polls=0 comm=" + comm + " color=" + (is_in ? "0" : "MPI_UNDEFINED") +
         " key=0 newcomm=" + made + " newcomm_rank=" + (is_in ? std::to_string(rank) : "-") +
         " newcomm_size=" + (is_in ? std::to_string(size) : "-") + "\n";
}

class LogProcess : public ::testing::Test {
 protected:
  LogProcess() { fs::create_directories(folder_); }
  ~LogProcess() override { fs::remove_all(folder_); }

  Result<Process> process(std::uint64_t rank, std::uint64_t ranks, const std::string& text) {
    const std::string path = folder_ + "/rank-" + std::to_string(rank) + "-thread-0.log";
    std::ofstream(path, std::ios::binary) << text;
    return process_of_logs(rank, ranks, {path});
  }

  std::string folder_ = testing::TempDir() + "log_process_test";
};

// Ranks that are in no communicator of a split count it all the same, and so agree on the numbers.
TEST_F(LogProcess, CommunicatorsHaveTheNumbersOfARecording) {
  auto first = process(0, 2,
                       split("comm:world", "NULL", 0, 0) +
                           split("comm:world", "comm:world/1", 0, 2) + barrier("comm:world/1"));
  auto second = process(1, 2,
                        split("comm:world", "comm:world/0", 0, 1) +
                            split("comm:world", "comm:world/1", 1, 2) + barrier("comm:world/1"));
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(first->own.comms, second->own.comms);
  ASSERT_EQ(second->comms.size(), 4u);
  EXPECT_EQ(second->comms[3].rank, 1);
  EXPECT_EQ(second->comms[3].size, 2);
  std::vector<Process> both;
  both.push_back(std::move(*first));
  both.push_back(std::move(*second));
  const trace::Trace trace = merge_processes(std::move(both), no_code);
  EXPECT_EQ(trace.ranks, 2u);
  EXPECT_TRUE(trace.times.empty());
  trace::Cursor cursor(trace, 1);
  std::size_t calls = 0;
  while (cursor.next()) ++calls;
  EXPECT_EQ(calls, 3u);
  EXPECT_EQ(cursor.event().scalars[1], 3);
}

TEST_F(LogProcess, KnowsCommunicatorsByTheirMembers) {
  const auto made = process(0, 4,
                            barrier("comm:members_0_2/0") + barrier("comm:members_0_2/1") +
                                barrier("comm:members_0_3/0") + barrier("comm:members_0_3/0/4"));
  ASSERT_TRUE(made);
  const std::vector<CommName>& names = made->own.comms;
  ASSERT_EQ(names.size(), 6u);
  EXPECT_EQ(names[2].members, names[3].members);
  EXPECT_EQ(names[3].creation, 1u);
  EXPECT_NE(names[2].members, names[4].members);
  EXPECT_EQ(names[5].parent, 4);
  EXPECT_EQ(names[5].creation, 4u);
}

TEST_F(LogProcess, RefusesWhatMakesNoSense) {
  const auto why = [&](const std::string& text) {
    const auto read = process(0, 2, text);
    return read ? "" : read.error().message;
  };
  EXPECT_NE(why("MPI_Send polls=0 buf=0 count=8 datatype=MPI_INT dest=2 tag=5 comm=comm:world\n")
                .find("log:1 makes no sense (rank 2 of 2)"),
            std::string::npos);
  EXPECT_NE(why("something\n").find("no function is called"), std::string::npos);
  std::string deep = "comm:world";
  for (int i = 0; i < 100'000; ++i) deep += "/0";
  EXPECT_EQ(why(barrier(deep)), "");
}

}  // namespace
}  // namespace reprise::compress
