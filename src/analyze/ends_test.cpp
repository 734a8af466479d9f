#include "analyze/ends.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "analyze/program_text.hpp"
#include "trace/file/unfinished.hpp"

namespace reprise::analyze {
namespace {

using Where = Death::Where;

// A value for each stream.
trace::Value by_stream(const std::vector<std::int64_t>& values) {
  std::vector<trace::Term> terms;
  for (const std::int64_t v : values) terms.push_back({.value = v});
  return {.by_stream = trace::Series(std::move(terms)), .classes = {}};
}

trace::UnfinishedCall unfinished_call(const trace::Call& call,
                                      const std::vector<std::int64_t>& trips) {
  return {call, by_stream(trips)};
}

TEST(Ends, SayWhereRanksWere) {
  trace::Trace trace =
      parse_program("ranks 5\nMPI_Init\n[1 1 0 0 0]: MPI_Barrier\n[0 0 0 0 1]: MPI_Finalize\n");
  trace::Unfinished u;
  u.calls.push_back(unfinished_call(trace.calls[1], {0, 0, 1, 0, 0}));
  u.missing = by_stream({0, 0, 0, 7, 0});
  u.signal = by_stream({SIGSEGV, trace::kVanished, SIGSEGV, SIGSEGV, 0});
  set_unfinished(trace, u);

  const Ends ends = ends_of(trace);
  EXPECT_EQ(ends.cut_short, (std::vector<std::uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(ends.behind_checkpoint, std::vector<std::uint64_t>{3});
  EXPECT_EQ(ends.missing, std::vector<std::uint64_t>{7});

  const std::vector<Death> deaths = deaths_of(trace);
  ASSERT_EQ(deaths.size(), 4U);
  const Where places[] = {Where::after_call, Where::in_call, Where::outside, Where::after_call};
  const std::uint64_t ranks[] = {0, 2, 3, 1};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(deaths[k].where, places[k]) << k;
    EXPECT_EQ(deaths[k].ranks, std::vector<std::uint64_t>{ranks[k]}) << k;
    EXPECT_EQ(deaths[k].cause, k < 3 ? Death::Cause::signal : Death::Cause::unknown) << k;
  }
}

TEST(Ends, DescribeWhatIsMissing) {
  using Lines = std::vector<std::string>;
  trace::Trace trace = parse_program(
      "ranks 5\n[1 1 1 0 1]: MPI_Init\n[1 1 0 0 0]: MPI_Barrier\n[0 0 0 0 1]: MPI_Finalize\n");
  EXPECT_EQ(describe_missing_end(trace),
            (Lines{"ranks 0..2: cut short before MPI_Finalize", "rank 3: no call is known"}));
  trace::Unfinished u;
  u.missing = by_stream({0, 9, 0, 7, 0});
  u.signal = by_stream({trace::kRunning, 0, 0, trace::kVanished, 0});
  set_unfinished(trace, u);
  EXPECT_EQ(describe_missing_end(trace),
            (Lines{"ranks 1..2: cut short before MPI_Finalize",
                   "rank 0: still running when the trace was made", "rank 3: no call is known",
                   "rank 1: calls after the last checkpoint are missing"}));
  EXPECT_EQ(describe_missing_end(parse_program("ranks 2\nMPI_Init\nMPI_Barrier\n")),
            Lines{"ranks 0..1: cut short before MPI_Finalize"});
  EXPECT_EQ(describe_missing_end(parse_program("ranks 2\nMPI_Init\nMPI_Finalize\n")), Lines{});
  EXPECT_EQ(describe_missing_end(parse_program("ranks 2\nMPI_Barrier\n")), Lines{});
}

TEST(Ends, TellThreadsApart) {
  trace::Trace trace = parse_program("ranks 4\nthreads 2\n[1 0 1 1 0 0 1 1]: MPI_Barrier\n");
  trace::Unfinished u;
  u.calls.push_back(unfinished_call(trace.calls[0], {0, 0, 0, 0, 0, 1, 0, 1}));
  u.signal = by_stream({trace::kVanished, 0, trace::kVanished, 0, trace::kVanished, 0, 0, SIGBUS});
  u.is_signal_elsewhere = by_stream({0, 0, 0, 0, 0, 0, 0, 0});
  set_unfinished(trace, u);
  const std::vector<Death> deaths = deaths_of(trace);
  ASSERT_EQ(deaths.size(), 4U);
  const Where places[] = {Where::in_call, Where::after_call, Where::several, Where::in_call};
  const std::optional<std::uint64_t> threads[] = {1, 0, std::nullopt, 1};
  const std::uint64_t ranks[] = {3, 0, 1, 2};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(deaths[k].where, places[k]) << k;
    EXPECT_EQ(deaths[k].thread, threads[k]) << k;
    EXPECT_EQ(deaths[k].ranks, std::vector<std::uint64_t>{ranks[k]}) << k;
  }
}

// So many that a search from the first rank for each of them would not come to an end.
TEST(Ends, OfManyRanksThatAllDiffer) {
  constexpr std::uint64_t kRanks = 1 << 18;
  trace::Trace trace = parse_program("ranks 262144\nMPI_Barrier\n");
  std::vector<std::int64_t> missing, signal, trips;
  std::uint64_t random = 1;
  for (std::uint64_t r = 0; r < kRanks; ++r) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    missing.push_back(1 + static_cast<std::int64_t>(random >> 60U));
    signal.push_back(random >> 40U & 1U ? SIGSEGV : SIGBUS);
    trips.push_back(static_cast<std::int64_t>(random >> 41U & 1U));
  }
  trace::Unfinished u;
  u.calls.push_back(unfinished_call(trace.calls[0], trips));
  u.missing = by_stream(missing);
  u.signal = by_stream(signal);
  set_unfinished(trace, u);
  EXPECT_EQ(ends_of(trace).missing, std::vector<std::uint64_t>(missing.begin(), missing.end()));
  std::uint64_t ranks = 0;
  for (const Death& d : deaths_of(trace)) {
    ranks += d.ranks.size();
    for (const std::uint64_t r : d.ranks) {
      ASSERT_EQ(d.signal, signal[r]);
      ASSERT_EQ(d.where, trips[r] ? Where::in_call : Where::outside);
    }
  }
  EXPECT_EQ(ranks, kRanks);
}

}  // namespace
}  // namespace reprise::analyze
