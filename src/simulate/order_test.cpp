// What depends on the order of time: wildcards, MPI_Waitany, probes and contention.
#include <gtest/gtest.h>

#include "simulate/test_support.hpp"

namespace reprise::simulate {
namespace {

using analyze::parse_program;
using test::compute_before;
using test::kMicrosecond;
using test::run;

constexpr Picoseconds kL = 2 * kMicrosecond;
constexpr Picoseconds kByte = 500;

Machine machine() {
  Machine m;
  m.network = m.memory = {kL, kByte};
  return m;
}

// Rank 0 hears of ranks 1 and 2, of which the second is quicker, and computes after each.
trace::Trace two_senders(const std::string& matched) {
  trace::Trace trace = parse_program(
      "ranks 3\n"
      "[2 0 0]:\n"
      "  MPI_Recv count=1000 datatype=MPI_BYTE source=MPI_ANY_SOURCE tag=0 matched_source={" +
      matched +
      "} matched_tag=0\n"
      "  MPI_Pcontrol level=1\n"
      "[0 1 1]: MPI_Send count=1000 datatype=MPI_BYTE dest=0 tag=0\n");
  compute_before(trace, 1, {40'000, 0, 0});
  compute_before(trace, 2, {0, 100'000, 10'000});
  return trace;
}

TEST(Order, AWildcardMeetsWhoComesFirst) {
  const trace::Trace trace = two_senders("1 2");
  const Picoseconds b = 1000 * kByte;
  const Outcome first = run(trace, machine());
  EXPECT_TRUE(first.in_order);
  EXPECT_EQ(first.end.time, 100 * kMicrosecond + kL + b + 40 * kMicrosecond);
  Options recorded;
  recorded.matching = Matching::recorded;
  const Outcome second = run(trace, machine(), recorded);
  EXPECT_FALSE(second.in_order);
  // Both computations come behind the slow one's message; the other has come by then.
  EXPECT_EQ(second.end.time,
            100 * kMicrosecond + kL + b + 40 * kMicrosecond + kL + 40 * kMicrosecond);
}

TEST(Order, WaitanyEndsWithTheFirst) {
  trace::Trace trace = parse_program(
      "ranks 3\n"
      "[1 0 0]: MPI_Irecv count=1000 datatype=MPI_BYTE source=1 tag=0\n"
      "[1 0 0]: MPI_Irecv count=1000 datatype=MPI_BYTE source=2 tag=0\n"
      "[1 0 0]: MPI_Waitany requests=(1 0) index=0\n"
      "[1 0 0]: MPI_Pcontrol level=1\n"
      "[1 0 0]: MPI_Waitany requests=(NULL 0) index=1\n"
      "[0 1 1]: MPI_Send count=1000 datatype=MPI_BYTE dest=0 tag=0\n");
  compute_before(trace, 3, {40'000, 0, 0});
  compute_before(trace, 5, {0, 100'000, 10'000});
  // The recorded run had rank 1's message first. Here what is computed hides behind it.
  EXPECT_EQ(run(trace, machine()).ends[0], 100 * kMicrosecond + kL + 1000 * kByte);
  Options recorded;
  recorded.matching = Matching::recorded;
  EXPECT_EQ(run(trace, machine(), recorded).ends[0],
            100 * kMicrosecond + kL + 1000 * kByte + 40 * kMicrosecond + kL);
}

TEST(Order, AProbeEndsWhenTheMessageIsKnown) {
  trace::Trace trace = parse_program(
      "ranks 2\n"
      "[1 0]: MPI_Probe source=MPI_ANY_SOURCE tag=MPI_ANY_TAG matched_source=1 matched_tag=7\n"
      "[1 0]: MPI_Pcontrol level=1\n"
      "[1 0]: MPI_Recv count=1000 datatype=MPI_BYTE source=1 tag=7\n"
      "[0 1]: MPI_Send count=1000 datatype=MPI_BYTE dest=0 tag=7\n");
  compute_before(trace, 3, {0, 30'000});
  const Outcome out = run(trace, machine());
  // In Dimemas's model a message is known as soon as it is sent.
  EXPECT_EQ(out.ends[0], 30 * kMicrosecond + kL + std::max(kL, 1000 * kByte));
}

// Pairs of ranks, all of which send at once.
const char* kPairs =
    "ranks 8\n"
    "[1 0 1 0 1 0 1 0]: MPI_Send count=10000 datatype=MPI_BYTE dest=rank+1 tag=0\n"
    "[0 1 0 1 0 1 0 1]: MPI_Recv count=10000 datatype=MPI_BYTE source=rank+-1 tag=0\n";

TEST(Order, BusesAreTakenInTurn) {
  for (const std::int64_t buses : {1, 2, 3, 4, 5}) {
    Machine m = machine();
    m.buses = buses;
    const std::int64_t turns = (4 + buses - 1) / buses;
    EXPECT_EQ(run(kPairs, m).end.time, kL + turns * 10000 * kByte) << buses;
  }
}

TEST(Order, InputLinksOfANodeAreTakenInTurn) {
  const char* gather =
      "ranks 4\n"
      "[0 1 1 1]: MPI_Send count=10000 datatype=MPI_BYTE dest=0 tag=0\n"
      "[1 0 0 0]: MPI_Irecv count=10000 datatype=MPI_BYTE source=1 tag=0\n"
      "[1 0 0 0]: MPI_Irecv count=10000 datatype=MPI_BYTE source=2 tag=0\n"
      "[1 0 0 0]: MPI_Irecv count=10000 datatype=MPI_BYTE source=3 tag=0\n"
      "[1 0 0 0]: MPI_Waitall requests=(2 1 0)\n";
  Machine m = machine();
  // The first start-up of the receiver hides behind the messages.
  EXPECT_EQ(run(gather, m).end.time, kL + 10000 * kByte + 2 * kL);
  m.input_links = 1;
  EXPECT_EQ(run(gather, m).end.time, kL + 3 * 10000 * kByte);
}

TEST(Order, OutputLinksOfANodeAreTakenInTurn) {
  const char* scatter =
      "ranks 4\n"
      "[1 0 0 0]: MPI_Isend count=10000 datatype=MPI_BYTE dest=1 tag=0\n"
      "[1 0 0 0]: MPI_Isend count=10000 datatype=MPI_BYTE dest=2 tag=0\n"
      "[1 0 0 0]: MPI_Isend count=10000 datatype=MPI_BYTE dest=3 tag=0\n"
      "[1 0 0 0]: MPI_Waitall requests=(2 1 0)\n"
      "[0 1 1 1]: MPI_Recv count=10000 datatype=MPI_BYTE source=0 tag=0\n";
  Machine m = machine();
  EXPECT_EQ(run(scatter, m).end.time, 3 * kL + 10000 * kByte);
  m.output_links = 1;
  EXPECT_EQ(run(scatter, m).end.time, kL + 3 * 10000 * kByte);
}

}  // namespace
}  // namespace reprise::simulate
