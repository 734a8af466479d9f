// Waits and their causes against what was computed, to the picosecond.
#include "simulate/results/delays.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "simulate/test_support.hpp"

namespace reprise::simulate {
namespace {

using analyze::parse_program;
using test::compute_before;
using test::kMicrosecond;

Outcome run_with_delays(const trace::Trace& trace,
                        const Machine& machine = Machine().with_ideal_network()) {
  Options options;
  options.delays = true;
  return test::run(trace, machine, options);
}

DelaySite site_of(const Outcome& run, WaitState state, std::uint32_t call) {
  for (const DelaySite& site : run.delays) {
    if (site.state == state && site.call == call) return site;
  }
  ADD_FAILURE() << "no " << name_of(state) << " in call " << call;
  return {};
}

std::vector<Picoseconds> microseconds(std::initializer_list<Picoseconds> us) {
  std::vector<Picoseconds> out;
  for (const Picoseconds t : us) out.push_back(t * kMicrosecond);
  return out;
}

std::vector<double> as_doubles(const std::vector<Picoseconds>& ps) {
  return {ps.begin(), ps.end()};
}

// Whatever messages and collectives take, nobody is late.
TEST(Delays, AreNoneWhereAllComputeAlike) {
  for (const int ranks : {2, 5, 8, 13}) {
    trace::Trace trace = parse_program(
        "ranks " + std::to_string(ranks) +
        "\n"
        "20:\n"
        "  MPI_Sendrecv sendcount=1000 sendtype=MPI_BYTE dest=rank+1 sendtag=0 recvcount=1000 "
        "recvtype=MPI_BYTE source=rank+-1 recvtag=0\n"
        "  MPI_Bcast count=1000 datatype=MPI_BYTE root=0\n"
        "  MPI_Allreduce count=1000 datatype=MPI_BYTE op=MPI_SUM\n"
        "  MPI_Barrier\n");
    compute_before(trace, 0, std::vector<std::int64_t>(static_cast<std::size_t>(ranks), 50'000));
    const Outcome out = run_with_delays(trace, Machine());
    for (const DelaySite& site : out.delays) {
      // A broadcast tree lets some ranks go earlier, which then wait for the message of the others.
      EXPECT_EQ(site.state, WaitState::late_sender);
      for (const DelayCause& c : site.causes) EXPECT_TRUE(c.is_communication);
    }
  }
}

TEST(Delays, OfALateSenderAreTheTimeThatItComputesLonger) {
  trace::Trace trace = parse_program(
      "ranks 2\n"
      "[1 0]: MPI_Send count=8 datatype=MPI_BYTE dest=1 tag=0\n"
      "[0 1]: MPI_Recv count=8 datatype=MPI_BYTE source=0 tag=0\n");
  compute_before(trace, 0, {10'000, 0});
  compute_before(trace, 1, {0, 3'000});
  const DelaySite site = site_of(run_with_delays(trace), WaitState::late_sender, 1);
  EXPECT_EQ(site.by_stream, microseconds({0, 7}));
  ASSERT_EQ(site.causes.size(), 1u);
  EXPECT_EQ(site.causes[0].call, 0u);
  EXPECT_FALSE(site.causes[0].is_communication);
  EXPECT_EQ(site.causes[0].by_waiter, microseconds({0, 7}));
  EXPECT_EQ(site.causes[0].by_culprit, as_doubles(microseconds({7, 0})));
}

TEST(Delays, OfALateReceiverAreThoseOfASenderAboveTheThreshold) {
  trace::Trace trace = parse_program(
      "ranks 2\n"
      "[1 0]: MPI_Send count=100000 datatype=MPI_BYTE dest=1 tag=0\n"
      "[0 1]: MPI_Recv count=100000 datatype=MPI_BYTE source=0 tag=0\n");
  compute_before(trace, 1, {0, 12'000});
  const DelaySite site = site_of(run_with_delays(trace), WaitState::late_receiver, 0);
  EXPECT_EQ(site.by_stream, microseconds({12, 0}));
  ASSERT_EQ(site.causes.size(), 1u);
  EXPECT_EQ(site.causes[0].call, 1u);
  EXPECT_EQ(site.causes[0].by_culprit, as_doubles(microseconds({0, 12})));
}

// Rank 2 waits for rank 1, which is late since it waited for rank 0.
TEST(Delays, GoThroughChainsOfWaitsToTheirRoot) {
  trace::Trace trace = parse_program(
      "ranks 3\n"
      "[1 0 0]: MPI_Send count=8 datatype=MPI_BYTE dest=1 tag=0\n"
      "[0 1 0]: MPI_Recv count=8 datatype=MPI_BYTE source=0 tag=0\n"
      "[0 1 0]: MPI_Send count=8 datatype=MPI_BYTE dest=2 tag=0\n"
      "[0 0 1]: MPI_Recv count=8 datatype=MPI_BYTE source=1 tag=0\n");
  compute_before(trace, 0, {10'000, 0, 0});
  compute_before(trace, 1, {0, 6'000, 0});
  compute_before(trace, 2, {0, 5'000, 0});
  const Outcome out = run_with_delays(trace);
  EXPECT_EQ(site_of(out, WaitState::late_sender, 1).by_stream, microseconds({0, 4, 0}));
  const DelaySite last = site_of(out, WaitState::late_sender, 3);
  EXPECT_EQ(last.by_stream, microseconds({0, 0, 15}));
  ASSERT_EQ(last.causes.size(), 2u);
  EXPECT_EQ(last.causes[0].call, 0u);
  EXPECT_EQ(last.causes[0].by_culprit, as_doubles(microseconds({10, 0, 0})));
  EXPECT_EQ(last.causes[1].call, 2u);
  EXPECT_EQ(last.causes[1].by_culprit, as_doubles(microseconds({0, 5, 0})));
}

// Where both compute the same before, only what one computes more is to blame.
TEST(Delays, AreBlamedOnWhatIsComputedMoreThanTheWaiterDoes) {
  trace::Trace trace = parse_program(
      "ranks 2\n"
      "MPI_Pcontrol level=1\n"
      "MPI_Pcontrol level=2\n"
      "MPI_Barrier\n");
  compute_before(trace, 0, {9'000, 5'000});
  compute_before(trace, 1, {50'000, 50'000});
  const DelaySite site = site_of(run_with_delays(trace), WaitState::wait_at_barrier, 2);
  EXPECT_EQ(site.by_stream, microseconds({0, 4}));
  ASSERT_EQ(site.causes.size(), 1u);
  EXPECT_EQ(site.causes[0].call, 0u);
}

struct Collected {
  const char* call;
  WaitState state;
  std::vector<Picoseconds> waits;  // where rank 2 computes 9 us, the others 2 us, and 1 is the root
};

TEST(Delays, OfCollectivesHaveTheNamesOfTheirFlowOfData) {
  Machine machine = Machine().with_ideal_network();
  for (const Collective kind : {Collective::bcast, Collective::reduce})
    machine.algorithms[static_cast<std::size_t>(kind)] = Algorithm::linear;
  for (const auto& [call, state, waits] :
       {Collected{"MPI_Barrier", WaitState::wait_at_barrier, microseconds({7, 7, 0, 7})},
        Collected{"MPI_Allreduce count=8 datatype=MPI_BYTE op=MPI_SUM", WaitState::wait_at_nxn,
                  microseconds({7, 7, 0, 7})},
        Collected{"MPI_Reduce count=8 datatype=MPI_BYTE op=MPI_SUM root=1", WaitState::early_reduce,
                  microseconds({0, 7, 0, 0})},
        Collected{"MPI_Bcast count=8 datatype=MPI_BYTE root=2", WaitState::late_broadcast,
                  microseconds({7, 7, 0, 7})}}) {
    trace::Trace trace = parse_program(std::string("ranks 4\n") + call + "\n");
    compute_before(trace, 0, {2'000, 2'000, 9'000, 2'000});
    EXPECT_EQ(site_of(run_with_delays(trace, machine), state, 0).by_stream, waits) << call;
  }
}

TEST(Delays, OfACollectiveThatDoesNotBlockAreWhereItIsWaitedFor) {
  trace::Trace trace = parse_program(
      "ranks 2\n"
      "MPI_Ibarrier\n"
      "MPI_Wait request=0\n");
  compute_before(trace, 0, {8'000, 1'000});
  compute_before(trace, 1, {500, 500});
  const Outcome out = run_with_delays(trace);
  EXPECT_EQ(site_of(out, WaitState::wait_at_barrier, 1).by_stream,
            (std::vector<Picoseconds>{0, 6'500'000}));
}

TEST(Delays, TrafficIsThatOfMessagesAndNotOfCollectives) {
  const Outcome out =
      run_with_delays(parse_program("ranks 3\n"
                                    "1000:\n"
                                    "  MPI_Isend count=100 datatype=MPI_INT dest=rank+1 tag=0\n"
                                    "  MPI_Recv count=100 datatype=MPI_INT source=rank+-1 tag=0\n"
                                    "  MPI_Wait request=0\n"
                                    "  MPI_Allreduce count=100 datatype=MPI_INT op=MPI_SUM\n"));
  EXPECT_GT(out.leapt, 0u);
  ASSERT_EQ(out.traffic.size(), 3u);
  for (std::uint32_t r = 0; r < 3; ++r) {
    EXPECT_EQ(out.traffic[r].from, r);
    EXPECT_EQ(out.traffic[r].to, (r + 1) % 3);
    EXPECT_EQ(out.traffic[r].messages, 1000u);
    EXPECT_EQ(out.traffic[r].bytes, 400'000u);
  }
}

}  // namespace
}  // namespace reprise::simulate
