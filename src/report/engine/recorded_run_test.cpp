#include "report/engine/recorded_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "analyze/program_text.hpp"

namespace reprise::report {
namespace {

// A loop with a barrier in each pass, and a broadcast and a reduction in some.
trace::Trace with_trips(const std::vector<std::int64_t>& broadcasts,
                        const std::vector<std::int64_t>& reductions) {
  return analyze::parse_program(
      fmt::format("ranks 1\ntimes 3000 1000\n{}:\n  MPI_Barrier comm=0\n"
                  "  {{{}}}: MPI_Bcast count=1 datatype=MPI_INT root=0 comm=0\n"
                  "  {{{}}}: MPI_Reduce count=1 datatype=MPI_INT op=MPI_SUM root=0 comm=0\n",
                  broadcasts.size(), fmt::join(broadcasts, " "), fmt::join(reductions, " ")));
}

// By kind, from what was done by call.
Shares by_kind(const std::vector<CallTime>& times, const CallKinds& kinds) {
  Shares out;
  for (std::size_t c = 0; c < times.size(); ++c) {
    out.add(Kind::compute, times[c].compute, kinds.selected[c]);
    out.add(kinds.kinds[c], times[c].communicate, kinds.selected[c]);
  }
  return out;
}

std::vector<std::int64_t> every(std::int64_t period, std::size_t passes) {
  std::vector<std::int64_t> out(passes);
  for (std::size_t k = 0; k < passes; ++k) out[k] = (k + 1) % period == 0;
  return out;
}

TEST(RecordedRun, SumsUpWhatWasDoneByKind) {
  const trace::Trace trace = with_trips(every(5, 20), every(7, 20));
  const CallKinds kinds(trace);
  RecordedRun run(trace, kinds, 0);
  // 20 barriers, 4 broadcasts and 2 reductions of 4 us each.
  EXPECT_EQ(run.total(), 104'000'000);
  const Shares all = run.shares_until(run.total());
  EXPECT_EQ(all.kinds[0], 78'000'000);
  EXPECT_EQ(all.kinds[static_cast<std::size_t>(Kind::collective)], 26'000'000);
  // Within the computation before the fourth barrier.
  EXPECT_EQ(run.shares_until(12'500'000).kinds[0], 9'500'000);
  EXPECT_EQ(run.shares_until(0).kinds, Shares{}.kinds);
  EXPECT_EQ(run.shares_until(999'000'000).kinds, all.kinds) << "behind the end";
}

TEST(RecordedRun, KeepsFewZonesOfWhatRepeatsByGroups) {
  const trace::Trace trace = with_trips(every(5, 7000), every(7, 7000));
  const CallKinds kinds(trace);
  RecordedRun run(trace, kinds, 0);
  for (Picoseconds t = 1; t < run.total(); t += run.total() / 3000) run.shares_until(t);
  EXPECT_LT(run.zones(), 200u) << "35 passes of three calls";
}

RC_GTEST_PROP(RecordedRun, SumsAreThoseOfItsCalls, ()) {
  const auto numbers = [] {
    return rc::gen::container<std::vector<std::int64_t>>(150, rc::gen::inRange<std::int64_t>(0, 3));
  };
  const bool repeats = *rc::gen::arbitrary<bool>();
  const trace::Trace trace =
      repeats ? with_trips(every(*rc::gen::inRange<std::int64_t>(1, 9), 150), every(3, 150))
              : with_trips(*numbers(), *numbers());
  const CallKinds kinds(trace);
  RecordedRun run(trace, kinds, 0);
  for (int k = 0; k < 50; ++k) {
    const auto t = *rc::gen::inRange<Picoseconds>(0, run.total() + 1000);
    RC_ASSERT(run.shares_until(t).kinds == by_kind(run.until(t), kinds).kinds);
  }
}

}  // namespace
}  // namespace reprise::report
