// Findings on small programs, against what their faults cost by hand.
#include "diagnose/diagnosis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "diagnose/diagnosis_json.hpp"
#include "diagnose/iterations.hpp"
#include "simulate/test_support.hpp"

namespace reprise::diagnose {
namespace {

using analyze::parse_program;
using simulate::Machine;
using simulate::test::compute_before;
using simulate::test::kMicrosecond;

Diagnosis diagnosed(const trace::Trace& trace,
                    const Machine& machine = Machine().with_ideal_network()) {
  auto out = diagnose(trace, machine, {});
  EXPECT_TRUE(out) << out.error().message;
  return out ? std::move(*out) : Diagnosis();
}

const Finding* find(const Diagnosis& d, FindingKind kind) {
  const auto found = std::ranges::find(d.findings, kind, &Finding::kind);
  return found == d.findings.end() ? nullptr : &*found;
}

TEST(Diagnose, FindsNothingWhereAllComputeAlike) {
  trace::Trace trace = parse_program(
      "ranks 8\n"
      "100:\n"
      "  MPI_Sendrecv sendcount=1000 sendtype=MPI_BYTE dest=rank+1 sendtag=0 recvcount=1000 "
      "recvtype=MPI_BYTE source=rank+-1 recvtag=0\n"
      "  MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n");
  compute_before(trace, 0, std::vector<std::int64_t>(8, 100'000));
  compute_before(trace, 1, std::vector<std::int64_t>(8, 50'000));
  for (const Machine& machine : {Machine(), Machine().with_ideal_network()}) {
    const Diagnosis d = diagnosed(trace, machine);
    EXPECT_TRUE(d.findings.empty());
    EXPECT_TRUE(d.imbalances.empty());
  }
}

// Ranks 0 and 2 send 30 us late, a hundred times.
TEST(Diagnose, FindsLateSendersAndTheirComputation) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "100:\n"
      "  [1 0 1 0]: MPI_Send count=8 datatype=MPI_BYTE dest=rank+1 tag=0\n"
      "  [0 1 0 1]: MPI_Recv count=8 datatype=MPI_BYTE source=rank+-1 tag=0\n");
  compute_before(trace, 0, {80'000, 0, 80'000, 0});
  compute_before(trace, 1, {0, 50'000, 0, 50'000});
  const Diagnosis d = diagnosed(trace);
  ASSERT_EQ(d.findings.size(), 1u);
  const Finding& f = d.findings[0];
  EXPECT_EQ(f.kind, FindingKind::late_sender);
  EXPECT_EQ(f.call, 1u);
  EXPECT_EQ(f.ranks, (Ranks{1, 3}));
  EXPECT_EQ(f.cost, 3000 * kMicrosecond);
  EXPECT_EQ(f.cause, 0u);
  EXPECT_EQ(f.culprits, (Ranks{0, 2}));
  EXPECT_FALSE(f.in_turn);
  EXPECT_NEAR(f.share, 3.0 / 8, 1e-9);
  EXPECT_TRUE(d.imbalances.empty());
}

TEST(Diagnose, FindsASlowRankWithWhatTheOthersWaitForIt) {
  trace::Trace trace = parse_program(
      "ranks 8\n"
      "100: MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n");
  compute_before(trace, 0,
                 {100'000, 100'000, 100'000, 150'000, 100'000, 100'000, 100'000, 100'000});
  const Diagnosis d = diagnosed(trace);
  ASSERT_EQ(d.findings.size(), 2u);
  EXPECT_EQ(d.findings[0].kind, FindingKind::imbalance);
  EXPECT_EQ(d.findings[0].ranks, Ranks{3});
  EXPECT_EQ(d.findings[0].cost, 5000 * kMicrosecond);
  EXPECT_FALSE(d.findings[0].balances_all);
  EXPECT_EQ(d.findings[1].kind, FindingKind::wait_at_nxn);
  EXPECT_EQ(d.findings[1].cost, 5000 * kMicrosecond);
  EXPECT_EQ(d.findings[1].culprits, Ranks{3});
  EXPECT_EQ(d.findings[1].same_as, 0u);
  ASSERT_EQ(d.imbalances.size(), 1u);
  // The mean is 106.25 us.
  EXPECT_EQ(d.imbalances[0].balance_saves, 4375 * kMicrosecond);
  ASSERT_EQ(d.imbalances[0].classes.size(), 2u);
  EXPECT_EQ(d.imbalances[0].classes[0].ranks, Ranks{3});
  // POP: mean and most of useful computation over the time.
  EXPECT_NEAR(d.efficiency.load_balance, 106.25 / 150, 1e-9);
  EXPECT_NEAR(d.efficiency.communication, 1, 1e-9);
}

// No class of ranks is set apart: 100 to 240 us, 170 in the mean.
TEST(Diagnose, BalancesAllRanksWhereNoMinorityIsSlower) {
  trace::Trace trace = parse_program(
      "ranks 8\n"
      "100: MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n");
  compute_before(trace, 0,
                 {100'000, 120'000, 140'000, 160'000, 180'000, 200'000, 220'000, 240'000});
  const Diagnosis d = diagnosed(trace);
  const Finding* const f = find(d, FindingKind::imbalance);
  ASSERT_NE(f, nullptr);
  EXPECT_TRUE(f->balances_all);
  EXPECT_EQ(f->cost, 7000 * kMicrosecond);
  EXPECT_EQ(f->excess, 7000 * kMicrosecond);
}

// 10 ms are simulated.
TEST(Diagnose, TellsWhetherTheRecordedRunTookAboutAsLong) {
  trace::Trace trace = parse_program(
      "ranks 2\n"
      "100: MPI_Barrier comm=0\n");
  trace.duration = 30'000;
  EXPECT_FALSE(is_far_from_recorded(diagnosed(trace), trace));  // nothing is computed
  compute_before(trace, 0, {100'000, 100'000});
  const Diagnosis d = diagnosed(trace);
  for (const auto& [microseconds, is_far] : std::vector<std::pair<std::uint64_t, bool>>{
           {0, false}, {6'000, true}, {7'000, false}, {14'000, false}, {16'000, true}}) {
    trace.duration = microseconds;
    EXPECT_EQ(is_far_from_recorded(d, trace), is_far) << microseconds;
  }
  for (const auto& [microseconds, rest] : std::vector<std::pair<std::uint64_t, Picoseconds>>{
           {0, 0}, {9'000, 0}, {11'000, 0}, {12'000, 2'000 * kMicrosecond}}) {
    trace.duration = microseconds;
    EXPECT_EQ(unexplained(d, trace), rest) << microseconds;
  }
}

TEST(Diagnose, FindsASerialPhase) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "10:\n"
      "  MPI_Barrier\n"
      "  [1 0 0 0]: MPI_Pcontrol level=1\n");
  compute_before(trace, 0, {90'000, 90'000, 90'000, 90'000});
  compute_before(trace, 1, {40'000, 0, 0, 0});
  const Diagnosis d = diagnosed(trace);
  const Finding* f = find(d, FindingKind::serial_phase);
  ASSERT_TRUE(f);
  EXPECT_EQ(f, &d.findings[0]);
  EXPECT_EQ(f->call, 1u);
  EXPECT_EQ(f->ranks, Ranks{0});
  // The last one has no barrier behind it that others wait in.
  EXPECT_NEAR(static_cast<double>(f->cost), 0.36e9, 0.04e9);
}

TEST(Diagnose, FindsABadMappingAndWhatIsBetter) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "100: MPI_Sendrecv sendcount=100000 sendtype=MPI_BYTE dest=rank+2 sendtag=0 "
      "recvcount=100000 recvtype=MPI_BYTE source=rank+2 recvtag=0\n");
  Machine machine;
  machine.network = {kMicrosecond, 100};
  machine.memory = {0, 10};
  machine.has_own_latency = machine.has_own_bandwidth = true;
  machine.processors = 2;
  machine.eager = Machine::kAllEager;
  const Diagnosis d = diagnosed(trace, machine);
  EXPECT_EQ(d.messages.local_bytes, 0u);
  const Finding* f = find(d, FindingKind::bad_mapping);
  ASSERT_TRUE(f);
  simulate::Machine good = machine;
  good.mapping = simulate::Mapping::list;
  good.nodes = {0, 1, 0, 1};
  EXPECT_EQ(f->cost, d.run.end.time - simulate::test::run(trace, good).end.time);
  EXPECT_EQ(f->ranks, (Ranks{0, 1, 2, 3}));
}

TEST(Diagnose, FindsAReceiverThatAllSendTo) {
  trace::Trace trace = parse_program(
      "ranks 8\n"
      "100:\n"
      "  [0 1 1 1 1 1 1 1]: MPI_Send count=10000 datatype=MPI_BYTE dest=0 tag=0\n"
      "  [7 0 0 0 0 0 0 0]: MPI_Recv count=10000 datatype=MPI_BYTE source={1 2 3 4 5 6 7 ...} "
      "tag=0\n");
  const Diagnosis d = diagnosed(trace, Machine());
  const Finding* f = find(d, FindingKind::receiver_contention);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->ranks, Ranks{0});
  EXPECT_EQ(f->call, 0u);
}

TEST(Diagnose, BoundsWhatANeedlessBarrierCosts) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "100:\n"
      "  MPI_Barrier comm=0\n"
      "  MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM comm=0\n");
  const Diagnosis d = diagnosed(trace, Machine());
  const Finding* f = find(d, FindingKind::needless_barrier);
  ASSERT_TRUE(f);
  EXPECT_TRUE(f->is_bound);
  // Two steps of a message each, 1 us of latency at both of its ends.
  EXPECT_EQ(f->cost, 100 * 2 * 2 * kMicrosecond);
}

// Says that executions of a call take either time, equally often and in no order, on all ranks.
void vary_before(trace::Trace& trace, std::uint32_t call, std::uint64_t executions,
                 std::array<std::int64_t, 2> times) {
  trace.times.resize(trace.calls.size());
  trace::Histogram histogram(2);
  for (std::uint64_t i = 0; i < executions * trace.ranks / 2; ++i) {
    for (const std::int64_t ns : times) histogram.add(ns);
  }
  trace::Path path;
  path.compute.classes = {histogram};
  path.compute.counts = trace::Series::constant(static_cast<std::int64_t>(executions));
  path.compute.sums =
      trace::Series::constant(static_cast<std::int64_t>(executions) / 2 * (times[0] + times[1]));
  trace.times[call].paths = {path};
}

// Each step takes 150 us unless all four ranks take 50 us, one time in sixteen: 143.75 us instead
// of 100.
TEST(Diagnose, FindsComputationThatVaries) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "1000: MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n");
  vary_before(trace, 0, 1000, {50'000, 150'000});
  const Diagnosis d = diagnosed(trace);
  ASSERT_EQ(d.findings.size(), 1u);
  const Finding& f = d.findings[0];
  EXPECT_EQ(f.kind, FindingKind::variation);
  EXPECT_EQ(f.ranks, (Ranks{0, 1, 2, 3}));
  EXPECT_NEAR(static_cast<double>(f.cost), 43'750.0 * kMicrosecond, 1'000.0 * kMicrosecond);
  EXPECT_EQ(f.excess, f.cost);  // there is no other computation
  ASSERT_EQ(f.executions.size(), 2u);
  EXPECT_EQ(f.executions[0].mean, 150'000);
  EXPECT_EQ(f.executions[0].share, 0.5);
  EXPECT_NEAR(f.share, 43.75 / 143.75, 0.01);
  ASSERT_TRUE(d.variation);
  EXPECT_EQ(d.variation->time, d.run.end.time + f.cost);
}

// Rank 2 takes 3.1 ms once, and otherwise 100 us as all others do.
TEST(Diagnose, TellsASingleLongExecutionFromASlowRank) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "100: MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n");
  compute_before(trace, 0, {10'000'000, 10'000'000, 13'000'000, 10'000'000});
  trace::DeltaTimes& times = trace.times[0].paths.front().compute;
  times.counts = trace::Series::constant(100);
  trace::Histogram usual(1), with_a_long_one(2);
  for (int i = 0; i < 300; ++i) usual.add(100'000);
  for (int i = 0; i < 99; ++i) with_a_long_one.add(100'000);
  with_a_long_one.add(3'100'000);
  times.classes = {usual, with_a_long_one};
  trace::SeriesFolder class_of;
  for (const int c : {0, 0, 1, 0}) class_of.append(c);
  times.class_of = class_of.finish();
  for (const std::uint64_t longest_on : {2, 0}) {  // by the maximum, and by the bins of the class
    times.max_stream = longest_on;
    const Diagnosis d = diagnosed(trace);
    const Finding* const f = find(d, FindingKind::long_executions);
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(find(d, FindingKind::imbalance), nullptr);
    EXPECT_EQ(f->ranks, Ranks{2});
    EXPECT_EQ(f->cost, 3000 * kMicrosecond);
    ASSERT_EQ(f->executions.size(), 2u);
    EXPECT_NEAR(f->executions[0].share, 0.01, 1e-9);
    EXPECT_NEAR(f->executions[0].mean, 3'100'000, 1);
    EXPECT_NEAR(f->executions[1].mean, 100'000, 1);
    EXPECT_TRUE(d.findings[f->same_as.value_or(0)].is_of_long_executions);
    ASSERT_TRUE(d.balance_without_long);  // 10.75 ms of 13 ms in the mean, then 10 ms of 10 ms
    EXPECT_NEAR(d.efficiency.load_balance, 10.75 / 13, 1e-9);
    EXPECT_NEAR(*d.balance_without_long, 1, 1e-9);
    Machine slower = Machine().with_ideal_network();
    slower.cpu_ratio = 0.5;
    EXPECT_NEAR(diagnosed(trace, slower).balance_without_long.value_or(0), 1, 1e-9);
  }
}

// With rounded sums the longest execution is known, and the others by their class alone.
TEST(Diagnose, FindsTheLongestExecutionWhereSumsAreRounded) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "100: MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n");
  compute_before(trace, 0, {10'000'000, 10'000'000, 10'000'000, 10'000'000});
  trace::DeltaTimes& times = trace.times[0].paths.front().compute;
  times.counts = trace::Series::constant(100);
  trace::Histogram one_class(1);
  for (int i = 0; i < 399; ++i) one_class.add(1'000);
  one_class.add(10'000'000);
  times.classes = {one_class};
  times.max_stream = 2;
  trace::SeriesFolder steps;
  for (const int beyond : {0, 0, 1, 0}) steps.append(beyond);  // the class takes 2.6 ms
  times.sums = steps.finish();
  times.sum_step = 10'000'000;
  const Diagnosis d = diagnosed(trace);
  const Finding* const f = find(d, FindingKind::long_executions);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->ranks, Ranks{2});
  ASSERT_EQ(f->executions.size(), 2u);
  EXPECT_EQ(f->executions[0].mean, 10'000'000);
  EXPECT_NEAR(f->executions[1].mean, 1'000, 1);
}

// Two ranks of one class have a long execution each; what the others of rank 2 take is known by
// what it spent in all.
TEST(Diagnose, TellsTheOtherExecutionsOfTheSlowestRankByItsOwnSum) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "10: MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n");
  compute_before(trace, 0, {100'000, 100'000, 3'090'000, 2'090'000});
  trace::DeltaTimes& times = trace.times[0].paths.front().compute;
  times.counts = trace::Series::constant(10);
  trace::Histogram one_class(1);
  for (int i = 0; i < 38; ++i) one_class.add(10'000);
  one_class.add(3'000'000);
  one_class.add(2'000'000);
  times.classes = {one_class};
  times.max_stream = 2;
  const Diagnosis d = diagnosed(trace);
  const Finding* const f = find(d, FindingKind::long_executions);
  ASSERT_NE(f, nullptr);
  ASSERT_EQ(f->executions.size(), 2u);
  EXPECT_NEAR(f->executions[0].mean, 3'000'000, 1);
  EXPECT_NEAR(f->executions[1].mean, 10'000, 1);
}

// Ranks 0 to 3 are late at the first call and the others at the second one, the last of them at
// each by next to nothing.
TEST(Diagnose, FindsImbalancesThatEvenOutOnTheWhole) {
  trace::Trace trace = parse_program(
      "ranks 8\n"
      "100:\n"
      "  MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n"
      "  MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n");
  compute_before(trace, 0, {100'000, 101'000, 102'000, 103'000, 10'000, 10'000, 10'000, 10'000});
  compute_before(trace, 1, {10'000, 10'000, 10'000, 10'000, 103'000, 102'000, 101'000, 100'000});
  const Diagnosis d = diagnosed(trace);
  ASSERT_EQ(d.imbalances.size(), 2u);
  EXPECT_EQ(d.imbalances[0].classes[0].ranks, (Ranks{0, 1, 2, 3}));
  EXPECT_EQ(d.imbalances[1].classes[0].ranks, (Ranks{4, 5, 6, 7}));
  EXPECT_EQ(find(d, FindingKind::imbalance)->cost, 9300 * kMicrosecond);  // 103 us to 10
}

// Of two threads one computes, on rank 0 for longer.
TEST(Diagnose, FindsASlowRankAmongRanksOfSeveralThreads) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "threads 2\n"
      "100:\n"
      "  [1 0 1 0 1 0 1 0]: MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n");
  compute_before(trace, 0, {150'000, 0, 100'000, 0, 100'000, 0, 100'000, 0});
  const Diagnosis d = diagnosed(trace);
  const Finding* const f = find(d, FindingKind::imbalance);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->ranks, Ranks{0});
  EXPECT_EQ(f->cost, 5000 * kMicrosecond);
}

// Workers wait for the root once; that all compute alike makes nobody late.
TEST(Diagnose, RanksThatComputeAlikeDoNotWaitInTurn) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "20:\n"
      "  [0 1 1 1]: MPI_Recv count=8 datatype=MPI_BYTE source=0 tag=0\n"
      "  MPI_Pcontrol level=1\n"
      "  [3 0 0 0]: MPI_Send count=8 datatype=MPI_BYTE dest={1 2 3 ...} tag=0\n");
  compute_before(trace, 1, {100'000, 100'000, 100'000, 100'000});
  const Diagnosis d = diagnosed(trace);
  const Finding* const f = find(d, FindingKind::late_sender);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->ranks, (Ranks{1, 2, 3}));
  EXPECT_EQ(f->culprits, Ranks{0});
  EXPECT_FALSE(f->in_turn);
}

// Rank 0 computes before the first call what the others do before the second one, which it does not
// make.
TEST(Diagnose, FindsNoImbalanceBetweenRanksThatMakeOtherCalls) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "100:\n"
      "  MPI_Pcontrol level=1\n"
      "  [0 1 1 1]: MPI_Pcontrol level=2\n"
      "  MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n");
  compute_before(trace, 0, {100'000, 0, 0, 0});
  compute_before(trace, 1, {0, 100'000, 100'000, 100'000});
  const Diagnosis d = diagnosed(trace);
  EXPECT_TRUE(d.findings.empty());
  EXPECT_TRUE(d.imbalances.empty());
}

TEST(Diagnose, NothingVariesForOneRankOrWhereModesTellAll) {
  for (const char* const ranks : {"ranks 1\n", "ranks 4\n"}) {
    trace::Trace trace = parse_program(std::string(ranks) + "100: MPI_Barrier\n");
    vary_before(trace, 0, 100, {50'000, 150'000});
    if (trace.ranks > 1) {
      trace::Path& path = trace.times[0].paths.front();
      trace::SeriesFolder modes;
      for (int step = 0; step < 100; ++step) modes.append(step % 2);
      path.mode_of = {.by_stream = trace::Series::constant(0), .classes = {modes.finish()}};
      for (const std::int64_t ns : {50'000, 150'000}) {
        trace::DeltaTimes& mode = path.modes.emplace_back();
        trace::Histogram& histogram = mode.classes.emplace_back();
        for (int i = 0; i < 200; ++i) histogram.add(ns);
        mode.counts = trace::Series::constant(50);
      }
    }
    EXPECT_FALSE(diagnosed(trace).variation);
  }
}

TEST(Diagnose, NamesTheCallWhoseVariationCostsMost) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "1000:\n"
      "  MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n"
      "  MPI_Barrier\n");
  vary_before(trace, 0, 1000, {90'000, 110'000});
  vary_before(trace, 1, 1000, {50'000, 150'000});
  const Diagnosis d = diagnosed(trace);
  const Finding* const f = find(d, FindingKind::variation);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->call, 1u);
  EXPECT_NEAR(static_cast<double>(f->excess), 43'750.0 * kMicrosecond, 1'000.0 * kMicrosecond);
  EXPECT_NEAR(static_cast<double>(f->cost), 52'500.0 * kMicrosecond, 1'200.0 * kMicrosecond);
}

// 100 steps of 5 us of computation, the latency of a send, 1 us, and 30,000 bytes in 3 us. The
// latency of the receive passes while they flow: 1 us is left of it without them.
TEST(Diagnose, FindsLatencyAndBytesThatNothingHides) {
  trace::Trace trace = parse_program(
      "ranks 2\n"
      "100: MPI_Sendrecv sendcount=30000 sendtype=MPI_BYTE dest=rank+1 sendtag=0 "
      "recvcount=30000 recvtype=MPI_BYTE source=rank+1 recvtag=0\n");
  compute_before(trace, 0, {5'000, 5'000});
  const Diagnosis d = diagnosed(trace, Machine());
  const Finding* const latency = find(d, FindingKind::latency);
  ASSERT_NE(latency, nullptr);
  EXPECT_EQ(latency->cost, 100 * kMicrosecond);
  EXPECT_EQ(latency->ranks, (Ranks{0, 1}));
  const Finding* const bandwidth = find(d, FindingKind::bandwidth);
  ASSERT_NE(bandwidth, nullptr);
  EXPECT_EQ(bandwidth->cost, 200 * kMicrosecond);
  EXPECT_NEAR(bandwidth->share, 2.0 / 9, 1e-9);
  // A twelfth of the time is no finding.
  compute_before(trace, 0, {44'000, 44'000});
  EXPECT_TRUE(diagnosed(trace, Machine()).findings.empty());
}

// Ranks 1 to 3 begin one after the other, and are then as fast as their predecessors.
TEST(Diagnose, TellsThatRanksWaitInTurn) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "10:\n"
      "  [0 1 1 1]: MPI_Recv count=8 datatype=MPI_BYTE source=rank+-1 tag=0\n"
      "  [1 1 1 0]: MPI_Send count=8 datatype=MPI_BYTE dest=rank+1 tag=0\n");
  compute_before(trace, 0, {0, 0, 0, 100'000});
  compute_before(trace, 1, {100'000, 100'000, 100'000, 0});
  const Diagnosis d = diagnosed(trace);
  const Finding* const f = find(d, FindingKind::late_sender);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->ranks, (Ranks{1, 2, 3}));
  EXPECT_TRUE(f->in_turn);
}

// Rank r is late by 100 us in the steps r, r + 4 and so on.
TEST(Diagnose, TellsThatWorkMoves) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "100: MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n");
  compute_before(trace, 0, {125'000, 125'000, 125'000, 125'000});
  trace::Path& path = trace.times[0].paths.front();
  path.compute.counts = trace::Series::constant(100);
  path.compute.sums = trace::Series::constant(12'500'000);
  for (const auto& [ns, executions] : {std::pair(100'000, 75), std::pair(200'000, 25)}) {
    trace::DeltaTimes& mode = path.modes.emplace_back();
    mode.classes.emplace_back().add(ns);
    mode.counts = trace::Series::constant(executions);
  }
  trace::SeriesFolder ranks;
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    ranks.append(rank);
    trace::SeriesFolder modes;
    for (std::int64_t step = 0; step < 100; ++step) modes.append(step % 4 == rank ? 1 : 0);
    path.mode_of.classes.push_back(modes.finish());
  }
  path.mode_of.by_stream = ranks.finish();
  const Diagnosis d = diagnosed(trace);
  const Finding* const f = find(d, FindingKind::wait_at_nxn);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->ranks, (Ranks{0, 1, 2, 3}));
  EXPECT_EQ(f->culprits, (Ranks{0, 1, 2, 3}));
  EXPECT_TRUE(f->in_turn);
}

TEST(Diagnose, IsWrittenAsJson) {
  trace::Trace trace = parse_program("ranks 4\n10: MPI_Barrier\n");
  compute_before(trace, 0, {1000, 9000, 1000, 1000});
  const nlohmann::ordered_json json = json_of(trace, diagnosed(trace));
  EXPECT_EQ(json.at("version"), kJsonVersion);
  const auto& finding = json.at("findings").at(0);
  EXPECT_EQ(finding.at("id"), "imbalance");
  EXPECT_EQ(finding.at("ranks").dump(), "[[1,1]]");
  EXPECT_NEAR(finding.at("cost_s").get<double>(), 80e-6, 1e-12);
  EXPECT_TRUE(json.at("efficiency").at("parallel").is_number());
  EXPECT_EQ(json.at("wait_states").at(0).at("id"), "wait-at-barrier");
  EXPECT_EQ(json.at("wait_states").at(0).at("ranks").dump(), "[[0,0],[2,3]]");
}

TEST(Diagnose, WritesWhatVariesAndWhatIsNotKnownAsJson) {
  trace::Trace varying =
      parse_program("ranks 4\n1000: MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n");
  vary_before(varying, 0, 1000, {50'000, 150'000});
  const Diagnosis d = diagnosed(varying);
  const nlohmann::ordered_json json = json_of(varying, d);
  const auto& finding = json.at("findings").at(0);
  EXPECT_EQ(finding.at("id"), "variation");
  EXPECT_EQ(finding.at("executions").size(), 2u);
  EXPECT_NEAR(finding.at("executions").at(0).at("mean_s").get<double>(), 150e-6, 1e-12);
  EXPECT_EQ(finding.at("costs_alone_s"), finding.at("cost_s"));
  EXPECT_NEAR(json.at("varying_time_s").get<double>(),
              json.at("time_s").get<double>() + finding.at("cost_s").get<double>(), 1e-12);
  const trace::Trace idle = parse_program("ranks 4\n10: MPI_Barrier\n");
  const nlohmann::ordered_json other = json_of(idle, diagnosed(idle, Machine()));
  EXPECT_TRUE(other.at("efficiency").at("parallel").is_null());
  EXPECT_TRUE(other.at("efficiency").at("transfer").is_number());
  EXPECT_EQ(other.at("findings").at(0).at("id"), "latency");
  EXPECT_TRUE(other.at("findings").at(0).at("critical_path_s").is_number());
}

TEST(MainLoop, HasItsShareOfTheWholeRun) {
  trace::Trace trace =
      parse_program("ranks 2\n100:\n  MPI_Allreduce count=1 datatype=MPI_DOUBLE op=MPI_SUM\n");
  compute_before(trace, 0, {6'000'000, 6'000'000});
  trace.duration = 8'000;
  const auto loop = main_loop_of(trace);
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->trips, 100u);
  EXPECT_DOUBLE_EQ(loop->mean, 60'000);
  EXPECT_DOUBLE_EQ(loop->share, 0.75);
}

TEST(Findings, HaveIdentifiersOfTheirOwn) {
  for (std::size_t k = 0; k < kFindingKinds; ++k) {
    const auto kind = static_cast<FindingKind>(k);
    EXPECT_EQ(find_finding(text_of(kind).id), kind);
    EXPECT_FALSE(text_of(kind).advice.empty());
  }
  EXPECT_FALSE(find_finding("late"));
}

}  // namespace
}  // namespace reprise::diagnose
