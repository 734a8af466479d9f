#include "simulate/machine/machine_file.hpp"

#include <gtest/gtest.h>

#include "simulate/machine/units.hpp"

namespace reprise::simulate {
namespace {

TEST(Units, AreThoseThatPeopleWrite) {
  EXPECT_EQ(parse_duration("2us"), 2'000'000);
  EXPECT_EQ(parse_duration("1.5 ms"), 1'500'000'000);
  EXPECT_EQ(parse_duration("0"), 0);
  EXPECT_FALSE(parse_duration("2 fortnights"));
  EXPECT_FALSE(parse_duration("1e30s"));
  EXPECT_FALSE(parse_duration("2")) << "of what?";
  EXPECT_FALSE(parse_bandwidth("10")) << "10 B/s?";
  EXPECT_FALSE(parse_bandwidth("100MB")) << "in a second?";
  EXPECT_EQ(parse_bandwidth("10GB/s"), 100.0);
  EXPECT_EQ(parse_bandwidth("8Gb/s"), 1000.0);
  EXPECT_EQ(parse_bandwidth("unlimited"), 0.0);
  EXPECT_FALSE(parse_bandwidth("fast"));
  EXPECT_EQ(parse_size("64KiB"), 65536);
  EXPECT_EQ(parse_size("4096"), 4096) << "bytes";
  EXPECT_EQ(parse_ratio("1.5"), 1.5);
  for (const char* none : {"", "0", "-1", "2us", "inf", "nan"}) EXPECT_FALSE(parse_ratio(none));
}

TEST(MachineFile, SetsWhatItSaysAndLeavesTheRest) {
  const auto m = parse_machine(
      "model = 'loggp'\n"
      "[network]\nlatency = '3us'\nbuses = 4\neager = 'never'\n"
      "[node]\nprocessors = 2\ncpu_ratio = 1.5\nbandwidth = '50GB/s'\n"
      "[mapping]\nnodes = [1, 0]\n"
      "[collectives]\nmodel = 'dimemas'\nallreduce = 'ring'\n"
      "[collectives.bcast]\nfan_out = 'linear 2max'\n",
      "m.toml");
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_EQ(m->model, MessageModel::loggp);
  EXPECT_EQ(m->network.latency, 3'000'000);
  EXPECT_EQ(m->memory.latency, 3'000'000) << "as between nodes";
  EXPECT_EQ(m->memory.inverse_bandwidth, 20.0);
  EXPECT_EQ(m->eager, -1);
  EXPECT_EQ(m->mapping, Mapping::list);
  EXPECT_EQ(m->collectives, CollectiveModel::dimemas);
  EXPECT_EQ(m->algorithms[static_cast<std::size_t>(Collective::allreduce)], Algorithm::ring);
  const Phase out = m->dimemas[static_cast<std::size_t>(Collective::bcast)].fan_out;
  EXPECT_EQ(out, (Phase{Steps::linear, SizeRule::twice_max}));
  EXPECT_EQ(m->output_links, 0);
}

TEST(MachineFile, ListsWhatLibrariesExchange) {
  const auto m = parse_machine(
      "[making]\nsplit = 'gather:linear scatter'\n[windows]\nfree = ''\nfetch_latencies = 1\n",
      "m.toml");
  ASSERT_TRUE(m) << m.error().message;
  const Exchanges split{{Collective::gather, Algorithm::linear},
                        {Collective::scatter, Algorithm::automatic}};
  EXPECT_EQ(m->making.split, split);
  EXPECT_TRUE(m->windows.free.empty());
  EXPECT_EQ(m->windows.fetch_latencies, 1);
}

std::string complaint(const std::string& text) {
  const auto m = parse_machine(text, "m.toml");
  return m ? "" : m.error().message;
}

TEST(MachineFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(complaint("[network]\nbandwidth = '0GB/s'\n"),
            "m.toml, line 2: '0GB/s' is zero or negative (no message would ever arrive); give more "
            "(it is the value of network.bandwidth)");
  EXPECT_EQ(complaint("[network]\nlatency = '-1us'\n"),
            "m.toml, line 2: '-1us' is negative; durations are 0 or more (it is the value of "
            "network.latency)");
  EXPECT_NE(complaint("[network]\neager = -5\n"), "");
  EXPECT_NE(complaint("[network]\nlatencies = '1us'\n"), "") << "no such key";
  EXPECT_NE(complaint("[collectives]\nbarrier = 'bruck'\n"), "") << "not for barriers";
  EXPECT_NE(complaint("[making]\nsplit = 'alltoallv'\n"), "") << "its pieces have sizes";
  EXPECT_NE(complaint("[making]\nsplit = 'gather:bruck'\n"), "") << "not for gathers";
  EXPECT_NE(complaint("[windows]\nfetch_latencies = 0\n"), "");
  EXPECT_NE(complaint("[node]\ncpu_ratio = 0\n"), "");
  EXPECT_NE(complaint("[node]\nprocessors = 0\n"), "");
  EXPECT_NE(complaint("[mapping]\nnodes = [0, -1]\n"), "");
  EXPECT_NE(complaint("this is no TOML"), "");
}

}  // namespace
}  // namespace reprise::simulate
