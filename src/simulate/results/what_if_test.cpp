#include "simulate/results/what_if.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "simulate/test_support.hpp"

namespace reprise::simulate {
namespace {

using test::kMicrosecond;
using test::run;
using Kind = Change::Kind;

constexpr std::size_t kSites = 5;

Outcome run_with_paths(const trace::Trace& trace, const Machine& machine) {
  Options options;
  options.paths = true;
  return run(trace, machine, options);
}

std::vector<Change> tried(const trace::Trace& trace, const Machine& machine) {
  const Outcome now = run_with_paths(trace, machine);
  std::vector<Change> out =
      changes_for(machine, now, run(trace, machine.with_ideal_network()), kSites);
  const Status ok = try_changes(trace, machine, {}, now, out);
  EXPECT_TRUE(ok) << ok.error().message;
  return out;
}

Change of_kind(const std::vector<Change>& changes, Kind kind) {
  const auto found = std::ranges::find(changes, kind, &Change::kind);
  EXPECT_NE(found, changes.end());
  return found == changes.end() ? Change() : *found;
}

TEST(WhatIf, EvenComputationSavesWhatTheSlowestHasBeyondTheMean) {
  trace::Trace trace = analyze::parse_program("ranks 4\nMPI_Barrier\nMPI_Barrier\n");
  test::compute_before(trace, 0, {10'000, 20'000, 30'000, 40'000});
  test::compute_before(trace, 1, {5'000, 5'000, 5'000, 5'000});
  Machine machine;
  machine.set_latency(kMicrosecond);
  const std::vector<Change> changes = tried(trace, machine);
  const Change even = of_kind(changes, Kind::even_computation_here);
  EXPECT_EQ(even.where, 0U);
  EXPECT_EQ(even.stream, 3U);
  EXPECT_EQ(even.most, 40 * kMicrosecond);
  EXPECT_EQ(even.mean, 25 * kMicrosecond);
  EXPECT_EQ(even.estimate, 15 * kMicrosecond);
  EXPECT_EQ(even.saves, 15 * kMicrosecond);
  // Before the second barrier there is nothing to spread.
  EXPECT_EQ(std::ranges::count(changes, Kind::even_computation_here, &Change::kind), 1);
}

// Rank 0 is as much slower in one place as it is faster in the other: ranks compute as long in all,
// yet wait for each other.
TEST(WhatIf, WhatIsEvenOverallCanBeUnevenWhereItCounts) {
  trace::Trace trace = analyze::parse_program("ranks 2\nMPI_Barrier\nMPI_Barrier\n");
  test::compute_before(trace, 0, {30'000, 10'000});
  test::compute_before(trace, 1, {10'000, 30'000});
  const Machine machine = Machine().with_ideal_network();
  const std::vector<Change> changes = tried(trace, machine);
  EXPECT_EQ(of_kind(changes, Kind::even_computation).saves, 0);
  EXPECT_EQ(of_kind(changes, Kind::even_computation_here).saves, 10 * kMicrosecond);
  EXPECT_EQ(of_kind(changes, Kind::no_serialization).estimate, 20 * kMicrosecond);
}

TEST(WhatIf, APingPongIsHalvedWithItsLatencyAndBytes) {
  const trace::Trace trace = analyze::parse_program(
      "ranks 2\n"
      "10:\n"
      "  [1 0]: MPI_Send count=1000 datatype=MPI_BYTE dest=rank+1 tag=0\n"
      "  MPI_Recv count=1000 datatype=MPI_BYTE source=rank+1 tag=0\n"
      "  [0 1]: MPI_Send count=1000 datatype=MPI_BYTE dest=rank+1 tag=0\n");
  Machine machine;
  machine.set_latency(2 * kMicrosecond);
  machine.set_inverse_bandwidth(1000);  // 1 GB/s
  const std::vector<Change> changes = tried(trace, machine);
  const Change latency = of_kind(changes, Kind::half_latency);
  EXPECT_EQ(latency.estimate, 20 * kMicrosecond);
  EXPECT_EQ(latency.saves, 20 * kMicrosecond);
  const Change bandwidth = of_kind(changes, Kind::double_bandwidth);
  EXPECT_EQ(bandwidth.estimate, 10 * kMicrosecond);
  EXPECT_EQ(bandwidth.saves, 10 * kMicrosecond);
  EXPECT_EQ(changes.front().kind, Kind::half_latency);
}

TEST(WhatIf, ASenderWaitsForALateReceiver) {
  trace::Trace trace = analyze::parse_program(
      "ranks 2\n"
      "[1 0]: MPI_Send count=1000000 datatype=MPI_BYTE dest=1 tag=0\n"
      "[0 1]: MPI_Recv count=1000000 datatype=MPI_BYTE source=0 tag=0\n"
      "[1 0]: MPI_Send count=1 datatype=MPI_BYTE dest=1 tag=1\n"
      "[0 1]: MPI_Recv count=1 datatype=MPI_BYTE source=0 tag=1\n");
  // The receiver comes after 50 us, and the sender computes for 50 us once it may go on.
  test::compute_before(trace, 1, {0, 50'000});
  test::compute_before(trace, 2, {50'000, 0});
  Machine machine = Machine().with_ideal_network();
  machine.eager = 65536;
  EXPECT_EQ(of_kind(tried(trace, machine), Kind::all_eager).saves, 50 * kMicrosecond);
}

TEST(WhatIf, OneBusKeepsMessagesWaiting) {
  const trace::Trace trace = analyze::parse_program(
      "ranks 4\n"
      "[1 0 1 0]: MPI_Send count=10000 datatype=MPI_BYTE dest=rank+1 tag=0\n"
      "[0 1 0 1]: MPI_Recv count=10000 datatype=MPI_BYTE source=rank+-1 tag=0\n");
  Machine machine;
  machine.set_latency(0);
  machine.set_inverse_bandwidth(1000);
  machine.buses = 1;
  EXPECT_EQ(of_kind(tried(trace, machine), Kind::no_contention).saves, 10 * kMicrosecond);
}

}  // namespace
}  // namespace reprise::simulate
