// What libraries do for communicators and windows, against closed forms.
#include <gtest/gtest.h>

#include "simulate/machine/machine_file.hpp"
#include "simulate/test_support.hpp"

namespace reprise::simulate {
namespace {

using analyze::parse_program;
using test::compute_before;
using test::kMicrosecond;
using test::run;

constexpr Picoseconds kL = 2 * kMicrosecond;
constexpr Picoseconds kByte = 500;

// LogGP without overhead: what is not sent takes nothing.
Machine machine(std::initializer_list<std::pair<const char*, const char*>> settings = {}) {
  Machine m;
  m.model = MessageModel::hockney;
  m.network = m.memory = {kL, kByte};
  m.making.steps = Steps::none;
  for (const auto& [key, value] : settings) {
    const Status ok = set(m, {key, value});
    EXPECT_TRUE(ok) << ok.error().message;
  }
  return m;
}

constexpr Picoseconds kEight = kL + 8 * kByte;  // a message of eight bytes

TEST(Making, TakesNothingOrTheStepsOfATree) {
  const char* program = "ranks 4\nMPI_Comm_dup newcomm=2 newcomm_rank=[0 1 2 3] newcomm_size=4\n";
  trace::Trace trace = parse_program(program);
  compute_before(trace, 0, {10'000, 0, 0, 0});
  const Outcome alone = run(trace, machine());
  EXPECT_EQ(alone.ends, (std::vector<Picoseconds>{10 * kMicrosecond, 0, 0, 0}))
      << "nobody waits for what takes no steps";
  const Outcome tree = run(trace, machine({{"collectives.making", "logarithmic"}}));
  EXPECT_EQ(tree.ends, (std::vector<Picoseconds>(4, 10 * kMicrosecond + 2 * kEight)));
}

TEST(Making, IsRefusedWhereARankMakesNothing) {
  const trace::Trace trace = parse_program(
      "ranks 2\n"
      "[1 0]: MPI_Comm_dup newcomm=2 newcomm_rank=0 newcomm_size=2\n"
      "[0 1]: MPI_Barrier\n");
  const auto out = simulate(trace, machine({{"collectives.model", "dimemas"}}), {});
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().message.find("contradict each other"), std::string::npos);
}

TEST(Making, IsMessagesInTheOldCommunicatorAndTheNewOne) {
  const char* dup = "ranks 4\nMPI_Comm_dup newcomm=2 newcomm_rank=[0 1 2 3] newcomm_size=4\n";
  EXPECT_EQ(run(dup, machine({{"making.communicator", "bcast"}})).end.time, 2 * kEight);
  EXPECT_EQ(run(dup, machine({{"making.communicator", "bcast:linear"}})).end.time, kEight);
  EXPECT_EQ(run(dup, machine({{"making.split", "allreduce"}})).end.time, 0) << "it splits nothing";
  // Gathered at rank 0, sent back, and then a broadcast in each half.
  const char* split =
      "ranks 4\n"
      "MPI_Comm_split color=[0 0 1 1] key=0 newcomm=2 newcomm_rank=[0 1 0 1] newcomm_size=2\n";
  const Machine m =
      machine({{"making.split", "gather:linear scatter:linear"}, {"making.communicator", "bcast"}});
  const Outcome out = run(split, m);
  EXPECT_EQ(out.ends, (std::vector<Picoseconds>{kEight, 2 * kEight, 2 * kEight, 3 * kEight}));
  Options in_order;
  in_order.in_order = true;
  EXPECT_EQ(run(split, m, in_order).ends, out.ends);
}

const std::string kWindow = "MPI_Win_create win=0 win_rank=[0 1] win_size=2\n";

TEST(Windows, AFenceWaitsForAccessesAndForTheOthers) {
  const auto fence = [](const char* assertion) {
    return "ranks 2\n" + kWindow +
           "[1 0]: MPI_Put origin_count=1000 origin_datatype=MPI_BYTE target=1 win=0\n"
           "MPI_Win_fence assertion=" +
           assertion + " win=0\n";
  };
  constexpr Picoseconds kPut = kL + 1000 * kByte;
  EXPECT_EQ(run(fence("0"), machine()).end.time, kPut + kEight - 8 * kByte);
  const Machine m = machine({{"windows.fence_begins", "bcast"}, {"windows.fence_ends", ""}});
  EXPECT_EQ(run(fence("0"), m).ends, (std::vector<Picoseconds>{kPut, kEight}));
  // MPI_MODE_NOPRECEDE
  EXPECT_EQ(run(fence("8"), m).ends, (std::vector<Picoseconds>{kPut, 0}));
}

TEST(Windows, AnEpochLastsUntilItsAccessesHaveCome) {
  trace::Trace trace =
      parse_program("ranks 2\n" + kWindow +
                    "MPI_Comm_group comm=0 group=1\n"
                    "MPI_Group_incl group=1 ranks=(1)[1 0] newgroup=2\n"
                    "[0 1]: MPI_Win_post group=2 win=0\n"
                    "[1 0]: MPI_Win_start group=2 win=0\n"
                    "[1 0]: MPI_Put origin_count=1000 origin_datatype=MPI_BYTE target=1 win=0\n"
                    "[1 0]: MPI_Win_complete win=0\n"
                    "[0 1]: MPI_Win_wait win=0\n");
  compute_before(trace, 3, {0, 10'000});
  const Outcome out = run(trace, machine());
  const Picoseconds over = 10 * kMicrosecond + kL + kL + 1000 * kByte;
  EXPECT_EQ(out.ends, (std::vector<Picoseconds>{over, over}));
}

std::string locked(const char* kind) {
  return "ranks 3\nMPI_Win_create win=0 win_rank=[0 1 2] win_size=3\n"
         "MPI_Win_lock lock_type=" +
         std::string(kind) +
         " target=0 win=0\n"
         "MPI_Put origin_count=1000 origin_datatype=MPI_BYTE target=0 win=0\n"
         "MPI_Win_unlock target=0 win=0\n";
}

TEST(Windows, ExclusiveLocksExcludeOneAnother) {
  constexpr Picoseconds kPut = kL + 1000 * kByte;
  Outcome out = run(locked("0"), machine());
  std::ranges::sort(out.ends);
  EXPECT_EQ(out.ends, (std::vector<Picoseconds>{kPut, 2 * kPut, 3 * kPut}));
  EXPECT_TRUE(out.in_order);
  EXPECT_EQ(run(locked("1"), machine()).ends, std::vector<Picoseconds>(3, kPut));
}

TEST(Windows, WhatFetchesTakesARequestAndAnAnswerOrALock) {
  const char* tickets =
      "ranks 3\nMPI_Win_create win=0 win_rank=[0 1 2] win_size=3\n"
      "MPI_Fetch_and_op datatype=MPI_DOUBLE target=0 win=0\n"
      "MPI_Win_flush_all win=0\n";
  EXPECT_EQ(run(tickets, machine()).end.time, 2 * kL + 16 * kByte);
  const Machine m = machine({{"windows.atomics", "locked"}, {"windows.fetch_latencies", "1"}});
  EXPECT_EQ(run(tickets, m).end.time, 3 * 2 * kEight);
}

TEST(Windows, AnAccumulationMayBeWaitedFor) {
  const char* program =
      "ranks 2\nMPI_Win_create win=0 win_rank=[0 1] win_size=2\n"
      "MPI_Accumulate origin_count=1 origin_datatype=MPI_DOUBLE target=1 win=0\n";
  EXPECT_EQ(run(program, machine()).end.time, 0);
  EXPECT_EQ(run(program, machine({{"windows.accumulate", "waits"}})).end.time, kEight);
}

}  // namespace
}  // namespace reprise::simulate
