#include "record/options.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace reprise::record {
namespace {

// The options with these variables set.
Options options_with(const std::vector<std::pair<const char*, const char*>>& variables) {
  for (const auto& [name, value] : variables) ::setenv(name, value, 1);
  Options out = options_from_environment();
  for (const auto& [name, value] : variables) ::unsetenv(name);
  return out;
}

TEST(Options, WithoutVariablesAreTheDefaults) {
  const Options o = options_with({});
  EXPECT_TRUE(o.output.empty());
  EXPECT_TRUE(o.refused.empty());
  EXPECT_TRUE(o.merge);
  EXPECT_TRUE(o.checkpoints);
  EXPECT_FALSE(o.average_sizes);
  EXPECT_FALSE(o.replace);
  EXPECT_EQ(o.callpaths, compress::CallpathMode::full);
  EXPECT_EQ(o.clock, "auto");
}

TEST(Options, AreThoseOfTheVariables) {
  const Options o = options_with({{"REPRISE_CALLPATHS", "none"},
                                  {"REPRISE_MERGE", "none"},
                                  {"REPRISE_BINS", "64"},
                                  {"REPRISE_SMOOTHING", "0.5"},
                                  {"REPRISE_TIME_PRECISION", "0"},
                                  {"REPRISE_CLOCK", "wtime"},
                                  {"REPRISE_CHECKPOINTS", "none"},
                                  {"REPRISE_AVERAGE_SIZES", "1"},
                                  {"REPRISE_RANK_SUMS", "0"}});
  EXPECT_TRUE(o.refused.empty());
  EXPECT_EQ(o.callpaths, compress::CallpathMode::none);
  EXPECT_FALSE(o.merge);
  EXPECT_EQ(o.times.bins, 64U);
  EXPECT_EQ(o.times.smoothing, 0.5);
  EXPECT_EQ(o.times.precision, 0);
  EXPECT_EQ(o.clock, "wtime");
  EXPECT_FALSE(o.checkpoints);
  EXPECT_TRUE(o.average_sizes);
  EXPECT_EQ(o.times_kept, compress::TimesPerStream::classes);
}

TEST(Options, RefuseWhatIsInvalidAndSayWhatTheyTake) {
  const std::pair<const char*, const char*> invalid[] = {
      {"REPRISE_TIME", "typo"},
      {"REPRISE_BINS", "65"},
      {"REPRISE_BINS", "0"},
      {"REPRISE_BINS", "five"},
      {"REPRISE_SMOOTHING", "1.5"},
      {"REPRISE_TIME_PRECISION", "51"},
      {"REPRISE_CALLPATHS", "nothing"},
      {"REPRISE_MERGE", "nonee"},
      {"REPRISE_CLOCK", "bogus"},
      {"REPRISE_CHECKPOINTS", "no"},
      {"REPRISE_AVERAGE_SIZES", "yes"},
      {"REPRISE_RANK_SUMS", "2"},
      {"REPRISE_FORCE", "-1"},
  };
  for (const auto& variable : invalid) {
    const Options o = options_with({variable});
    ASSERT_EQ(o.refused.size(), 1U) << variable.first;
    EXPECT_EQ(o.refused[0].find(std::string(variable.first) + "=" + variable.second +
                                " is ignored (it takes "),
              0U)
        << o.refused[0];
    EXPECT_EQ(o.times.bins, 5U);
  }
  EXPECT_EQ(options_with({{"REPRISE_BINS", "65"}}).refused[0],
            "REPRISE_BINS=65 is ignored (it takes a number from 1 to 64); correct or unset it");
}

}  // namespace
}  // namespace reprise::record
