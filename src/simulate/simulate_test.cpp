// Times against closed forms, to the picosecond.
#include <gtest/gtest.h>

#include "simulate/test_support.hpp"

namespace reprise::simulate {
namespace {

using analyze::parse_program;
using test::compute_before;
using test::kMicrosecond;
using test::run;

// L, and what a byte takes.
constexpr Picoseconds kL = 2 * kMicrosecond;
constexpr Picoseconds kByte = 500;

Machine machine() {
  Machine m;
  m.network = m.memory = {kL, kByte};
  return m;
}

const char* kPingPong =
    "ranks 2\n"
    "10:\n"
    "  [1 0]: MPI_Send count=8000 datatype=MPI_BYTE dest=rank+1 tag=0\n"
    "  MPI_Recv count=8000 datatype=MPI_BYTE source=rank+1 tag=0\n"
    "  [0 1]: MPI_Send count=8000 datatype=MPI_BYTE dest=rank+1 tag=0\n";

TEST(Simulate, PingPongAndItsDerivatives) {
  const Outcome out = run(kPingPong, machine());
  EXPECT_EQ(out.end.time, 10 * 2 * (kL + 8000 * kByte));
  EXPECT_EQ(out.end.latencies, 20);
  EXPECT_EQ(out.end.bytes, 20 * 8000);
  EXPECT_EQ(out.calls, 40u);
  EXPECT_EQ(out.messages, 20u);
}

TEST(Simulate, AnOverheadIsThereAtBothEnds) {
  Machine m = machine();
  m.overhead = 300'000;
  m.model = MessageModel::hockney;
  EXPECT_EQ(run(kPingPong, m).end.time, 20 * (300'000 + kL + 8000 * kByte + 300'000));
  m.model = MessageModel::loggp;
  EXPECT_EQ(run(kPingPong, m).end.time, 20 * (300'000 + kL + 7999 * kByte + 300'000));
}

TEST(Simulate, AGapHoldsMessagesBack) {
  Machine m = machine();
  m.model = MessageModel::loggp;
  m.gap = 50 * kMicrosecond;
  const Outcome out =
      run("ranks 2\n"
          "[3 0]: MPI_Send count=10 datatype=MPI_BYTE dest=1 tag=0\n"
          "[0 3]: MPI_Recv count=10 datatype=MPI_BYTE source=0 tag=0\n",
          m);
  EXPECT_EQ(out.end.time, 2 * (m.gap + 9 * kByte) + kL + 9 * kByte);
}

// Whether there is a gap or not, messages pass the one interface that all have to pass.
TEST(Simulate, BytesOccupyTheInterfacesOfBothEnds) {
  Machine m = machine();
  m.model = MessageModel::loggp;
  m.network = m.memory = {0, 1000};
  m.eager = 1 << 20;
  for (const Collective kind : {Collective::scatter, Collective::gather}) {
    m.algorithms[static_cast<std::size_t>(kind)] = Algorithm::linear;
    const std::string call = kind == Collective::scatter ? "MPI_Scatter" : "MPI_Gather";
    const std::string program = "ranks 13\n" + call +
                                " sendcount=100000 sendtype=MPI_BYTE recvcount=100000 "
                                "recvtype=MPI_BYTE root=0\n";
    m.gap = 0;
    const Outcome without = run(program, m);
    EXPECT_EQ(without.end.time, 12 * Picoseconds{99'999} * 1000);
    EXPECT_EQ(without.end.bytes, 12 * 99'999);
    m.gap = 1;
    EXPECT_EQ(run(program, m).end.time, without.end.time + 11);
  }
}

Machine loggops() {
  Machine m = machine();
  m.model = MessageModel::loggops;
  m.overhead = 3 * kMicrosecond;
  return m;
}

TEST(Simulate, LogGopsChargesBothProcessors) {
  Machine m = loggops();
  const Outcome out = run(kPingPong, m);
  EXPECT_EQ(out.end.time, 20 * (2 * m.overhead + kL + 7999 * kByte));
  EXPECT_EQ(out.end.latencies, 20);
  EXPECT_EQ(out.end.bytes, 20 * 7999);
  // Bytes take the processor's time or the interface's, whichever is longer; the sender's own
  // do not hold the first byte back.
  m.overhead_per_byte = 2 * kByte;
  EXPECT_EQ(run(kPingPong, m).end.time, 20 * (2 * m.overhead + kL + 7999 * 2 * kByte));
}

TEST(Simulate, AMessageWaitsForTheProcessorAndHoldsItUp) {
  trace::Trace trace = parse_program(
      "ranks 2\n"
      "[1 0]: MPI_Send count=1001 datatype=MPI_BYTE dest=1 tag=0\n"
      "[0 2]: MPI_Pcontrol level=1\n"
      "[0 1]: MPI_Recv count=1001 datatype=MPI_BYTE source=0 tag=0\n");
  compute_before(trace, 1, {0, 90'000});
  const Machine m = loggops();
  // It comes in the first computation, and is taken in before the second, which no receive asks
  // for.
  EXPECT_EQ(run(trace, m).ends[1], 180 * kMicrosecond + m.overhead + 1000 * kByte);
  Machine late = m;
  late.network.latency = 500 * kMicrosecond;
  late.memory = late.network;
  EXPECT_EQ(run(trace, late).ends[1], 500 * kMicrosecond + 2 * m.overhead + 1000 * kByte);
}

TEST(Simulate, AGapHoldsTheSenderItselfBack) {
  Machine m = loggops();
  m.gap = 50 * kMicrosecond;
  const Outcome out =
      run("ranks 2\n"
          "[3 0]: MPI_Send count=11 datatype=MPI_BYTE dest=1 tag=0\n"
          "[0 3]: MPI_Recv count=11 datatype=MPI_BYTE source=0 tag=0\n",
          m);
  EXPECT_EQ(out.ends[0], 2 * (m.gap + 10 * kByte) + m.overhead);
  EXPECT_EQ(out.ends[1], out.ends[0] + kL + m.overhead + 10 * kByte);
}

TEST(Simulate, ALargeMessageIsAtItsReceiverBeforeItsReceive) {
  trace::Trace trace = parse_program(
      "ranks 2\n"
      "[1 0]: MPI_Send count=100001 datatype=MPI_BYTE dest=1 tag=0\n"
      "[0 1]: MPI_Recv count=100001 datatype=MPI_BYTE source=0 tag=0\n");
  compute_before(trace, 1, {0, 90'000});
  const Machine m = loggops();
  const Outcome out = run(trace, m);
  // The computation is over when the message is taken in, and with that its receive is posted.
  EXPECT_EQ(out.ends[1], 90 * kMicrosecond + m.overhead + 100'000 * kByte);
  EXPECT_EQ(out.ends[0], 90 * kMicrosecond);
}

TEST(Simulate, ARingShiftsAtThePaceOfItsMessages) {
  const char* ring =
      "ranks 5\n"
      "100:\n"
      "  MPI_Sendrecv sendcount={} sendtype=MPI_BYTE dest=rank+1 sendtag=3 recvcount=1 "
      "recvtype=MPI_BYTE source=rank+-1 recvtag=3\n";
  for (const std::int64_t bytes : {0, 100, 4000, 20000}) {
    std::string text = ring;
    text.replace(text.find("{}"), 2, std::to_string(bytes));
    // Two start-ups, or one and the message.
    EXPECT_EQ(run(text, machine()).end.time, 100 * std::max(2 * kL, kL + bytes * kByte)) << bytes;
  }
}

TEST(Simulate, ARendezvousWaitsForTheLaterOfTheTwo) {
  for (const bool sender_is_late : {false, true}) {
    trace::Trace trace = parse_program(
        "ranks 2\n"
        "[1 0]: MPI_Send count=100000 datatype=MPI_BYTE dest=1 tag=0\n"
        "[0 1]: MPI_Recv count=100000 datatype=MPI_BYTE source=0 tag=0\n");
    compute_before(trace, 0, {sender_is_late ? 90'000 : 10'000, 0});
    compute_before(trace, 1, {0, sender_is_late ? 10'000 : 90'000});
    const Outcome out = run(trace, machine());
    // The sender waits for the receive, only the receiver for the bytes.
    EXPECT_EQ(out.ends[0], 90 * kMicrosecond + kL);
    EXPECT_EQ(out.ends[1], out.ends[0] + 100000 * kByte);
    const Account& early = out.accounts[sender_is_late ? 1 : 0][sender_is_late ? 1 : 0];
    EXPECT_EQ(early.waiting, 80 * kMicrosecond);
    EXPECT_EQ(early.transfer, kL + (sender_is_late ? 100000 * kByte : 0));
  }
}

TEST(Simulate, AnEagerSenderGoesOn) {
  trace::Trace trace = parse_program(
      "ranks 2\n"
      "[1 0]: MPI_Send count=1000 datatype=MPI_BYTE dest=1 tag=0\n"
      "[0 1]: MPI_Recv count=1000 datatype=MPI_BYTE source=0 tag=0\n");
  compute_before(trace, 1, {0, 90'000});
  const Outcome out = run(trace, machine());
  EXPECT_EQ(out.ends[0], kL);
  EXPECT_EQ(out.ends[1], 90 * kMicrosecond + kL) << "the message has been there for long";
}

TEST(Simulate, ASynchronousSendDoesNot) {
  trace::Trace trace = parse_program(
      "ranks 2\n"
      "[1 0]: MPI_Ssend count=1000 datatype=MPI_BYTE dest=1 tag=0\n"
      "[0 1]: MPI_Recv count=1000 datatype=MPI_BYTE source=0 tag=0\n");
  compute_before(trace, 1, {0, 90'000});
  EXPECT_EQ(run(trace, machine()).ends[0], 90 * kMicrosecond + kL);
}

TEST(Simulate, APipelineFillsAndDrains) {
  constexpr int kRanks = 6, kChunks = 40;
  trace::Trace trace = parse_program(
      "ranks 6\n"
      "40:\n"
      "  [0 1 1 1 1 1]: MPI_Recv count=1000 datatype=MPI_BYTE source=rank+-1 tag=0\n"
      "  MPI_Pcontrol level=1\n"
      "  [1 1 1 1 1 0]: MPI_Send count=1000 datatype=MPI_BYTE dest=rank+1 tag=0\n");
  constexpr std::int64_t kCompute = 30'000;
  compute_before(trace, 1, std::vector<std::int64_t>(kRanks, kCompute));
  const Picoseconds c = kCompute * kPicosecondsPerNanosecond, b = 1000 * kByte;
  const Picoseconds first = (kRanks - 1) * (c + kL + b);
  EXPECT_EQ(run(trace, machine()).end.time, first + (kChunks - 1) * (2 * kL + c) + c);
}

TEST(Simulate, ComputationIsDividedByTheCpuRatio) {
  trace::Trace trace = parse_program("ranks 3\n10: MPI_Pcontrol level=1\n");
  compute_before(trace, 0, {1000, 2000, 3001});
  Machine m = machine();
  m.cpu_ratio = 4;
  const Outcome out = run(trace, m);
  EXPECT_EQ(out.ends[0], 10 * 250'000);
  EXPECT_EQ(out.ends[2], 10 * 750'250);
  EXPECT_EQ(out.accounts[2][0].compute, out.ends[2]);
}

TEST(Simulate, AStencilTakesItsSlowestRank) {
  // Non-blocking halos on a line; the middle computes longest, and nobody hides anything.
  trace::Trace trace = parse_program(
      "ranks 3\n"
      "50:\n"
      "  [0 1 1]: MPI_Irecv count=1000 datatype=MPI_BYTE source=rank+-1 tag=0\n"
      "  [1 1 0]: MPI_Irecv count=1000 datatype=MPI_BYTE source=rank+1 tag=0\n"
      "  [0 1 1]: MPI_Isend count=1000 datatype=MPI_BYTE dest=rank+-1 tag=0\n"
      "  [1 1 0]: MPI_Isend count=1000 datatype=MPI_BYTE dest=rank+1 tag=0\n"
      "  [0 1 0]: MPI_Waitall requests=(3 2 1 0)\n"
      "  [1 0 1]: MPI_Waitall requests=(1 0)\n"
      "  MPI_Pcontrol level=1\n");
  compute_before(trace, 6, {10'000, 100'000, 10'000});
  // The middle: two start-ups of sends and two of receives, whose messages have come by then.
  EXPECT_EQ(run(trace, machine()).end.time, 50 * (4 * kL + 100 * kMicrosecond));
}

TEST(Simulate, PersistentRequestsAreStartedAgainAndAgain) {
  const Outcome out =
      run("ranks 2\n"
          "[1 0]: MPI_Send_init count=1000 datatype=MPI_BYTE dest=1 tag=0\n"
          "[0 1]: MPI_Recv_init count=1000 datatype=MPI_BYTE source=0 tag=0\n"
          "100:\n"
          "  MPI_Start request=0\n"
          "  MPI_Wait request=0\n"
          "MPI_Request_free request=0\n",
          machine());
  // The sender is ready every L, and the last message takes its bytes.
  EXPECT_EQ(out.end.time, 100 * kL + 1000 * kByte);
  EXPECT_EQ(out.unmatched_count, 0u);
}

TEST(Simulate, PersistentCollectivesAreStartedAgainAndAgain) {
  const char* started =
      "ranks 4\n"
      "MPI_Allreduce_init count=100 datatype=MPI_BYTE comm=0\n"
      "100:\n"
      "  MPI_Start request=0\n"
      "  MPI_Wait request=0\n"
      "MPI_Request_free request=0\n";
  const char* called =
      "ranks 4\n"
      "100:\n"
      "  MPI_Allreduce count=100 datatype=MPI_BYTE comm=0\n";
  for (const CollectiveModel model : {CollectiveModel::algorithms, CollectiveModel::dimemas}) {
    Machine m = machine();
    m.collectives = model;
    EXPECT_EQ(run(started, m).end.time, run(called, m).end.time);
    EXPECT_GT(run(called, m).end.time, 0);
  }
}

TEST(Simulate, AMessageGoesWhenItsLastPartitionIsReady) {
  trace::Trace trace = parse_program(
      "ranks 2\n"
      "[1 0]: MPI_Psend_init partitions=4 count=250 datatype=MPI_BYTE dest=1 tag=0\n"
      "[0 1]: MPI_Precv_init partitions=1 count=1000 datatype=MPI_BYTE source=0 tag=0\n"
      "MPI_Start request=0\n"
      "[1 0]: MPI_Pready partition=3 request=0\n"
      "[1 0]: MPI_Pready_range partition_low=0 partition_high=2 request=0\n"
      "MPI_Wait request=0\n");
  compute_before(trace, 4, {90'000, 0});
  const Outcome out = run(trace, machine());
  EXPECT_EQ(out.ends[1], 90 * kMicrosecond + kL + 1000 * kByte);
  EXPECT_EQ(out.unmatched_count, 0u);
}

TEST(Simulate, ARequestMaySendAndReceive) {
  const Outcome out =
      run("ranks 2\n"
          "MPI_Isendrecv sendcount=8000 sendtype=MPI_BYTE dest=rank+1 sendtag=3 recvcount=8000 "
          "recvtype=MPI_BYTE source=rank+1 recvtag=3\n"
          "MPI_Wait request=0\n",
          machine());
  EXPECT_EQ(out.end.time, kL + 8000 * kByte);
  EXPECT_EQ(out.unmatched_count, 0u);
}

TEST(Simulate, NodesHaveTheirOwnLatencyAndBandwidth) {
  Machine m = machine();
  m.processors = 2;
  m.memory = {kMicrosecond / 2, 10};
  m.has_own_latency = m.has_own_bandwidth = true;
  EXPECT_EQ(run(kPingPong, m).end.time, 20 * (kMicrosecond / 2 + 8000 * 10));
  EXPECT_EQ(run(kPingPong, m).end.latencies, 0) << "of the network";
  m.mapping = Mapping::list;
  m.nodes = {7, 9};
  EXPECT_EQ(run(kPingPong, m).end.time, 20 * (kL + 8000 * kByte));
}

// A microsecond more latency, for messages within the node too, and 10 ps a byte.
TEST(Simulate, DerivativesFollowTheMemoryWhereItFollowsTheNetwork) {
  Machine m = machine();
  m.processors = 2;
  const Outcome before = run(kPingPong, m);
  EXPECT_EQ(before.end.latencies, 20);
  EXPECT_EQ(before.end.bytes, 20 * 8000);
  Machine slower = m, narrower = m;
  slower.set_latency(kL + kMicrosecond);
  narrower.set_inverse_bandwidth(kByte + 10);
  EXPECT_EQ(run(kPingPong, slower).end.time, before.end.time + 20 * kMicrosecond);
  EXPECT_EQ(run(kPingPong, narrower).end.time, before.end.time + 10 * before.end.bytes);
}

TEST(Simulate, NobodySendsToAnybody) {
  const trace::Trace trace =
      parse_program("ranks 2\nMPI_Send count=10 datatype=MPI_BYTE dest=MPI_ANY_SOURCE tag=4\n");
  const auto out = simulate(trace, machine(), {});
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().message.find("names a rank that its communicator does not have"),
            std::string::npos);
}

TEST(Simulate, MessagesThatNobodyReceivesAreTold) {
  const Outcome out =
      run("ranks 2\n"
          "[2 0]: MPI_Send count=10 datatype=MPI_BYTE dest=1 tag=4\n"
          "[0 1]: MPI_Recv count=10 datatype=MPI_BYTE source=0 tag=4\n",
          machine());
  ASSERT_EQ(out.unmatched_count, 1u);
  EXPECT_EQ(out.unmatched[0].to, 1u);
  EXPECT_EQ(out.unmatched[0].tag, 4);
  EXPECT_TRUE(out.blocked.empty());
}

TEST(Simulate, ADeadlockSaysWhoWaitsForWhom) {
  const Outcome out =
      run("ranks 2\nMPI_Recv count=1 datatype=MPI_BYTE source=rank+1 tag=5\n", machine());
  ASSERT_EQ(out.blocked.size(), 2u);
  EXPECT_EQ(out.blocked[1].waits_for, "a message from rank 0 with tag 5");
  EXPECT_EQ(out.blocked[1].on, std::vector<std::uint32_t>{0});
}

TEST(Simulate, HeadToHeadSendsDeadlockAboveTheEagerThreshold) {
  const std::string text =
      "ranks 2\n"
      "MPI_Send count=1000 datatype=MPI_BYTE dest=rank+1 tag=0\n"
      "MPI_Recv count=1000 datatype=MPI_BYTE source=rank+1 tag=0\n";
  Machine m = machine();
  EXPECT_TRUE(run(text, m).blocked.empty());
  m.eager = 999;
  const Outcome out = run(text, m);
  ASSERT_EQ(out.blocked.size(), 2u);
  EXPECT_EQ(out.blocked[0].waits_for, "rank 1 to receive its message with tag 0");
}

TEST(Simulate, RefusesMachinesThatCannotBe) {
  const trace::Trace trace = parse_program(kPingPong);
  const auto message = [&](auto change) {
    Machine m = machine();
    change(m);
    const auto out = simulate(trace, m, {});
    return out ? "" : out.error().message;
  };
  EXPECT_NE(message([](Machine& m) { m.network.latency = -1; }), "");
  EXPECT_NE(message([](Machine& m) { m.network.inverse_bandwidth = -1; }), "");
  EXPECT_NE(message([](Machine& m) { m.cpu_ratio = 0; }), "");
  EXPECT_NE(message([](Machine& m) { m.buses = -1; }), "");
  EXPECT_NE(message([](Machine& m) { m.mapping = Mapping::list; }), "");
}

}  // namespace
}  // namespace reprise::simulate
