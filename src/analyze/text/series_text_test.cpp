#include "analyze/text/series_text.hpp"

#include <gtest/gtest.h>

#include "trace/series/series_folder.hpp"

namespace reprise::analyze {
namespace {

std::string text(const std::vector<std::int64_t>& values) {
  return series_text(trace::fold_numbers(values), values.size(),
                     [](std::int64_t v) { return std::to_string(v); });
}

TEST(SeriesText, FewAreSpelledOut) {
  EXPECT_EQ(text({0, 4}), "0 4");
  EXPECT_EQ(text({3, 2, 1, 0}), "3 2 1 0");
  EXPECT_EQ(text({7, 7, 7, 7, 8}), "7 x4 8");
}

TEST(SeriesText, Runs) {
  EXPECT_EQ(text({0, 4, 8, 12, 16, 20, 24, 28, 32, 36}), "0 4 .. 36");
  EXPECT_EQ(text({5, 5, 5, 5, 5, 5, 5, 5, 5, 5}), "5 x10");
}

TEST(SeriesText, Repeats) {
  EXPECT_EQ(text({1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}), "(1 0 0)x4");
  EXPECT_EQ(text({1, 5, 2, 6, 3, 7, 4, 8, 5, 9}), "(1 5)x5 by +1");
}

std::string things(const std::vector<std::int64_t>& values) {
  return repeats_text(values, [](std::int64_t v) { return std::string(1, "ENWS"[v]); });
}

TEST(RepeatsText, NumbersOfThingsAreNoDistances) {
  EXPECT_EQ(things({0, 1, 2, 3}), "E N W S");
  EXPECT_EQ(things({0, 1, 2, 3, 0, 1, 2, 3, 0, 2, 1, 3}), "(E N W S)x2 E W N S");
  EXPECT_EQ(things({0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 0}), "E E N N W W S S E x3");
}

TEST(RepeatsText, RepeatsAreNested) {
  EXPECT_EQ(things({0, 1, 1, 1, 2, 0, 1, 1, 1, 2, 3}), "(E N x3 W)x2 S");
  EXPECT_EQ(things({3, 3, 3, 3, 3, 3, 3, 3, 3, 3}), "S x10");
  EXPECT_EQ(things({}), "");
}

}  // namespace
}  // namespace reprise::analyze
