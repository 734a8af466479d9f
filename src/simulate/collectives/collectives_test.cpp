#include "simulate/collectives/collectives.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "simulate/test_support.hpp"

namespace reprise::simulate {
namespace {

using analyze::parse_program;
using test::compute_before;
using test::kMicrosecond;
using test::run;

constexpr Picoseconds kL = 2 * kMicrosecond;
constexpr Picoseconds kByte = 500;

Machine machine(Collective kind, Algorithm algorithm) {
  Machine m;
  m.network = m.memory = {kL, kByte};
  m.algorithms[static_cast<std::size_t>(kind)] = algorithm;
  return m;
}

std::string on(int ranks, const std::string& call) {
  return "ranks " + std::to_string(ranks) + "\n" + call + "\n";
}

const std::pair<Collective, const char*> kCalls[] = {
    {Collective::barrier, "MPI_Barrier"},
    {Collective::bcast, "MPI_Bcast count=6000 datatype=MPI_BYTE root=0"},
    {Collective::gather,
     "MPI_Gather sendcount=600 sendtype=MPI_BYTE recvcount=600 recvtype=MPI_BYTE root=0"},
    {Collective::scatter,
     "MPI_Scatter sendcount=600 sendtype=MPI_BYTE recvcount=600 recvtype=MPI_BYTE root=0"},
    {Collective::allgather,
     "MPI_Allgather sendcount=600 sendtype=MPI_BYTE recvcount=600 recvtype=MPI_BYTE"},
    {Collective::alltoall,
     "MPI_Alltoall sendcount=600 sendtype=MPI_BYTE recvcount=600 recvtype=MPI_BYTE"},
    {Collective::reduce, "MPI_Reduce count=6000 datatype=MPI_BYTE op=MPI_SUM root=0"},
    {Collective::allreduce, "MPI_Allreduce count=6000 datatype=MPI_BYTE op=MPI_SUM"},
    {Collective::reduce_scatter,
     "MPI_Reduce_scatter_block recvcount=600 datatype=MPI_BYTE op=MPI_SUM"},
    {Collective::scan, "MPI_Scan count=6000 datatype=MPI_BYTE op=MPI_SUM"},
};

TEST(Collectives, EveryAlgorithmEndsOnAnyNumberOfRanks) {
  for (const auto& [kind, call] : kCalls) {
    for (int a = 0; a < 10; ++a) {
      const auto algorithm = static_cast<Algorithm>(a);
      if (!is_for(algorithm, kind)) continue;
      for (int ranks = 1; ranks <= 17; ++ranks) {
        const Outcome out = run(on(ranks, call), machine(kind, algorithm));
        EXPECT_TRUE(out.blocked.empty() && out.unmatched_count == 0)
            << name_of(kind) << " " << name_of(algorithm) << " on " << ranks;
        // Two start-ups hide no message.
        const int depth = std::bit_width(static_cast<unsigned>(ranks) - 1);
        EXPECT_GE(out.end.time, ranks > 1 ? depth * kL : 0)
            << name_of(kind) << " " << name_of(algorithm);
      }
    }
  }
}

TEST(Collectives, ABinomialBroadcastHasTheDepthOfItsTree) {
  const char* call = "MPI_Bcast count=6000 datatype=MPI_BYTE root=0";
  for (const int depth : {1, 2, 3, 5}) {
    EXPECT_EQ(run(on(1 << depth, call), machine(Collective::bcast, Algorithm::binomial)).end.time,
              depth * (kL + 6000 * kByte));
  }
}

TEST(Collectives, RecursiveDoublingExchangesInEachDimension) {
  const char* call = "MPI_Allreduce count=6000 datatype=MPI_BYTE op=MPI_SUM";
  const Machine m = machine(Collective::allreduce, Algorithm::recursive_doubling);
  EXPECT_EQ(run(on(16, call), m).end.time, 4 * std::max(2 * kL, kL + 6000 * kByte));
}

TEST(Collectives, ARingTakesEachStepInTurn) {
  const char* call = "MPI_Allreduce count=16000 datatype=MPI_BYTE op=MPI_SUM";
  const Machine m = machine(Collective::allreduce, Algorithm::ring);
  EXPECT_EQ(run(on(8, call), m).end.time, 2 * 7 * std::max(2 * kL, kL + 2000 * kByte));
}

TEST(Collectives, DimemasTakesItsFormula) {
  trace::Trace trace =
      parse_program(on(12, "MPI_Allreduce count=1000 datatype=MPI_BYTE op=MPI_SUM"));
  std::vector<std::int64_t> compute(12, 1000);
  compute[5] = 70'000;
  compute_before(trace, 0, compute);
  Machine m = machine(Collective::allreduce, Algorithm::automatic);
  m.collectives = CollectiveModel::dimemas;
  // A tree in and a tree out, of four steps each, when the last one has come.
  EXPECT_EQ(run(trace, m).end.time, 70 * kMicrosecond + 2 * 4 * (kL + 1000 * kByte));
  m.dimemas[static_cast<std::size_t>(Collective::allreduce)] = {
      {Steps::linear, SizeRule::twice_max}, {Steps::constant, SizeRule::sent_and_received}};
  // A constant step is taken within nodes too, whoever is there.
  EXPECT_EQ(run(trace, m).end.time,
            70 * kMicrosecond + 11 * (kL + 2000 * kByte) + 2 * (kL + 2000 * kByte));
}

TEST(Collectives, DimemasTakesStepsWithinNodesAndBetweenThem) {
  const char* call = "MPI_Allreduce count=1000 datatype=MPI_BYTE op=MPI_SUM";
  Machine m = machine(Collective::allreduce, Algorithm::automatic);
  m.collectives = CollectiveModel::dimemas;
  m.processors = 4;
  m.memory = {kMicrosecond, 100};
  m.has_own_latency = m.has_own_bandwidth = true;
  // 4 ranks a node, 3 nodes: two steps in and two out, each within and between.
  const Picoseconds within = kMicrosecond + 1000 * 100, between = kL + 1000 * kByte;
  EXPECT_EQ(run(on(12, call), m).end.time, 2 * 2 * within + 2 * 2 * between);
  // Nodes 0 and 1, 2 and 3, ... at the same time, as far as there are buses.
  m.processors = 1;
  m.buses = 2;
  EXPECT_EQ(run(on(12, call), m).end.time, 2 * (3 + 2 + 1 + 1) * between);
}

TEST(Collectives, DimemasTakesTheSizesOfTheRoot) {
  const char* call =
      "MPI_Gather sendcount=100 sendtype=MPI_BYTE recvcount=100 recvtype=MPI_BYTE root=3";
  Machine m = machine(Collective::gather, Algorithm::automatic);
  m.collectives = CollectiveModel::dimemas;
  m.dimemas[static_cast<std::size_t>(Collective::gather)] = {
      {Steps::linear, SizeRule::sent_and_received}, {}};
  EXPECT_EQ(run(on(4, call), m).end.time, 3 * (kL + 500 * kByte));
}

// "<2 >3:8 w": receives from rank 2, sends 8 bytes to rank 3, waits for both.
std::string rounds_text(const CollectiveCall& call, Algorithm algorithm) {
  std::string out;
  Rounds rounds = rounds_of(call, algorithm);
  while (const Round* r = rounds.next()) {
    out += out.empty() ? "" : "|";
    if (r->from != Round::kNobody) out += "<" + std::to_string(r->from) + " ";
    if (r->to != Round::kNobody)
      out += ">" + std::to_string(r->to) + ":" + std::to_string(r->bytes) + " ";
    if (r->waits) out += "w";
  }
  return out;
}

// After Thakur, Rabenseifner & Gropp 2005.
TEST(Collectives, RoundsAreThoseOfTheAlgorithms) {
  const auto call = [](Collective kind, std::int64_t rank, std::int64_t size, std::int64_t bytes) {
    return CollectiveCall{.kind = kind, .rank = rank, .size = size, .bytes = bytes};
  };
  using A = Algorithm;
  using K = Collective;
  EXPECT_EQ(rounds_text(call(K::barrier, 1, 5, 0), A::dissemination),
            "<0 >2:0 w|<4 >3:0 w|<2 >0:0 w");
  EXPECT_EQ(rounds_text(call(K::bcast, 0, 8, 800), A::binomial), ">4:800 w|>2:800 w|>1:800 w");
  EXPECT_EQ(rounds_text(call(K::bcast, 6, 8, 800), A::binomial), "<4 w|>7:800 w");
  EXPECT_EQ(rounds_text(call(K::gather, 4, 7, 10), A::binomial), "<5 w|<6 w|>0:30 w");
  EXPECT_EQ(rounds_text(call(K::gather, 0, 4, 10), A::linear), "<1 |<2 |<3 |w");
  EXPECT_EQ(rounds_text(call(K::allgather, 1, 4, 10), A::recursive_doubling),
            "<0 >0:10 w|<3 >3:20 w");
  EXPECT_EQ(rounds_text(call(K::alltoall, 0, 5, 10), A::bruck), "<4 >1:20 w|<3 >2:20 w|<1 >4:10 w");
  EXPECT_EQ(rounds_text(call(K::alltoall, 1, 4, 10), A::pairwise),
            "<0 >0:10 w|<3 >3:10 w|<2 >2:10 w");
  // Of five ranks the first hands its part to the second.
  EXPECT_EQ(rounds_text(call(K::allreduce, 0, 5, 8), A::recursive_doubling), ">1:8 w|<1 w");
  EXPECT_EQ(rounds_text(call(K::allreduce, 1, 5, 8), A::recursive_doubling),
            "<0 w|<2 >2:8 w|<3 >3:8 w|>0:8 w");
  EXPECT_EQ(rounds_text(call(K::allreduce, 2, 4, 8), A::rabenseifner),
            "<0 >0:4 w|<3 >3:2 w|<3 >3:2 w|<0 >0:4 w");
  EXPECT_EQ(rounds_text(call(K::scan, 1, 3, 8), A::ring), "<0 w|>2:8 w");
  EXPECT_EQ(rounds_text(call(K::barrier, 0, 1, 0), A::dissemination), "");
}

// A process that has ended has steps beside it still.
TEST(Collectives, AreStoppedByTheLimitOfWork) {
  for (const char* call : {"MPI_Ibarrier", "MPI_Barrier"}) {
    Options options;
    options.work = 4;
    const auto out = simulate(parse_program(on(8, call)),
                              machine(Collective::barrier, Algorithm::automatic), options);
    ASSERT_FALSE(out) << call;
    EXPECT_NE(out.error().message.find("it was stopped after 4 steps"), std::string::npos)
        << out.error().message;
  }
}

TEST(Collectives, WhatDoesNotBlockRunsBesideTheProgram) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "MPI_Iallreduce count=6000 datatype=MPI_BYTE op=MPI_SUM\n"
      "MPI_Pcontrol level=1\n"
      "MPI_Wait request=0\n");
  compute_before(trace, 1, {100'000, 100'000, 100'000, 100'000});
  EXPECT_EQ(run(trace, machine(Collective::allreduce, Algorithm::recursive_doubling)).end.time,
            100 * kMicrosecond);
}

TEST(Collectives, PartsOfASplitAreApart) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "MPI_Comm_split color=[0 1 0 1] key=0 newcomm=2 newcomm_rank=[0 0 1 1] newcomm_size=2\n"
      "MPI_Sendrecv sendcount=6000 sendtype=MPI_BYTE dest=rank+1 sendtag=0 recvcount=6000 "
      "recvtype=MPI_BYTE source=rank+1 recvtag=0 comm=2\n");
  compute_before(trace, 1, {0, 50'000, 0, 0});
  const Outcome out = run(trace, machine(Collective::barrier, Algorithm::automatic));
  const Picoseconds split = 2 * (kL + 8 * kByte), exchange = kL + 6000 * kByte;
  EXPECT_EQ(out.ends[0], split + exchange);
  EXPECT_EQ(out.ends[3], split + 50 * kMicrosecond + exchange);
}

}  // namespace
}  // namespace reprise::simulate
