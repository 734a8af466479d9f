#include "diagnose/messages.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace reprise::diagnose {
namespace {

using simulate::Machine;
using simulate::Outcome;

// A line of four ranks: each sends 10 bytes to its neighbors, twice, by two calls.
Outcome line_of_four() {
  Outcome out;
  for (const std::uint32_t call : {0U, 1U}) {
    for (std::uint32_t r = 0; r < 4; ++r) {
      if (r > 0) out.traffic.push_back({call, r, r - 1, 1, 10});
      if (r < 3) out.traffic.push_back({call, r, r + 1, 1, 10});
    }
  }
  return out;
}

TEST(Messages, AreOfAllCallsInBlocksOfRanksThatSendAlike) {
  Machine machine;
  machine.processors = 2;
  const Messages m = messages_of(line_of_four(), machine, 4);
  EXPECT_EQ(m.pairs.size(), 6u);
  EXPECT_EQ(m.messages, 12u);
  EXPECT_EQ(m.bytes, 120u);
  EXPECT_EQ(m.groups, (std::vector<Ranks>{{0, 3}, {1, 2}}));
  ASSERT_EQ(m.blocks.size(), 3u);
  for (const TrafficBlock& b : m.blocks) EXPECT_EQ(b.pairs, 2u);
  EXPECT_EQ(m.nodes, 2u);
  EXPECT_EQ(m.local_messages, 8u);
  EXPECT_EQ(m.local_bytes, 80u);
}

std::string content(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

TEST(Messages, AreWrittenAsAMatrix) {
  const Messages m = messages_of(line_of_four(), Machine(), 4);
  const std::string path = ::testing::TempDir() + "/matrix";
  ASSERT_TRUE(write_dense(m, 4, Quantity::bytes, path + ".csv"));
  EXPECT_EQ(content(path + ".csv"), "0,20,0,0\n20,0,20,0\n0,20,0,20\n0,0,20,0\n");
  ASSERT_TRUE(write_dense(m, 4, Quantity::messages, path + ".npy"));
  const std::string npy = content(path + ".npy");
  ASSERT_EQ(npy.size() % 64, 0u);
  EXPECT_EQ(npy.substr(1, 5), "NUMPY");
  EXPECT_EQ(npy.size() - 16 * 8, 128u);
  EXPECT_EQ(npy[128 + 8], 2);
  std::filesystem::remove(path + ".csv");
  std::filesystem::remove(path + ".npy");
}

// Ranks 0 and 2 send each other most, then 1 and 3.
TEST(Messages, HaveAMappingThatKeepsThemWithinNodes) {
  Outcome run;
  run.traffic = {{0, 0, 1, 1, 10}, {0, 0, 2, 1, 900}, {0, 3, 1, 1, 500}};
  Machine machine;
  machine.memory = {0, 0};
  machine.has_own_latency = machine.has_own_bandwidth = true;
  machine.processors = 2;
  const Messages m = messages_of(run, machine, 4);
  EXPECT_EQ(mapping_for(m, machine, 4), (std::vector<std::uint32_t>{0, 1, 0, 1}));
}

}  // namespace
}  // namespace reprise::diagnose
