// What reads the same is one case, and nothing else is.
#include "analyze/cases.hpp"

#include <gtest/gtest.h>

#include "trace/series_folder.hpp"

namespace reprise::analyze {
namespace {

using trace::Series;

trace::Trace of_ranks(std::uint64_t ranks) {
  trace::Trace t;
  t.ranks = ranks;
  return t;
}

TEST(Cases, OneForTheSameText) {
  const trace::Trace t = of_ranks(4);
  const Times times{[](std::uint64_t s) { return s == 2 ? 0 : 1 + s; }, 3};
  const auto key = [](std::uint64_t s) { return CaseKey{s}; };
  const auto text = [](std::uint64_t s) { return CaseText{s == 1 ? "a" : "b"}; };
  EXPECT_EQ(cases_text(t, cases_of(t, times, key, text)), "(b on 0 3, a on 1)");
}

TEST(Cases, TheBusiestSpeaksForAll) {
  const trace::Trace t = of_ranks(3);
  const Times times{[](std::uint64_t s) { return 3 - s; }, 0};
  const auto key = [](std::uint64_t) { return CaseKey{}; };
  const auto text = [](std::uint64_t s) { return CaseText{std::to_string(s)}; };
  EXPECT_EQ(cases_text(t, cases_of(t, times, key, text)), "0");
}

// Texts that are cut short may hide what differs.
TEST(Cases, CutTextsAreTheSameIfTheirValuesAre) {
  const Series ones = Series::constant(1), two = Series({{.value = 1, .count = 9}, {.value = 2}});
  EXPECT_EQ(case_text("1 ...", ones, 9), case_text("1 ...", two, 9));
  EXPECT_NE(case_text("1 ...", ones, 10), case_text("1 ...", two, 10));
}

TEST(Cases, StoredInAnotherWay) {
  std::vector<trace::Term> one_by_one;
  trace::SeriesFolder folder;
  for (std::int64_t v = 8; v < 30; ++v) {
    one_by_one.push_back({.value = v});
    folder.append(v);
  }
  EXPECT_EQ(refolded(Series(one_by_one), 22), folder.finish());
}

}  // namespace
}  // namespace reprise::analyze
