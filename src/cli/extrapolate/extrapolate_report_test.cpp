#include "cli/extrapolate/extrapolate_report.hpp"

#include <gtest/gtest.h>

namespace reprise::cli {
namespace {

// A program that runs on powers of two alone cannot be recorded on 6 ranks.
TEST(ExtrapolateReport, AdvisesNumbersOfTheClassOfTheInputs) {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(numbers_advice({2, 4, 8}), "add traces on other powers of two, as 16 and 32"));
  EXPECT_TRUE(has(numbers_advice({8, 2}),
                  "too few for most laws: add some on other powers of two, as 4 and 16"));
  EXPECT_TRUE(has(numbers_advice({4, 9, 16}), "squares, as 25 and 36"));
  EXPECT_TRUE(has(numbers_advice({8, 27}), "cubes, as 64 and 125"));
  EXPECT_TRUE(has(numbers_advice({4, 16, 64}), "powers of four, as 256 and 1024"));
  EXPECT_TRUE(has(numbers_advice({4, 6, 8}), "other numbers of ranks, of other shapes"));
  EXPECT_TRUE(has(numbers_advice({4, 6}), "as 4, 6, 9 and 12 for a grid"));
}

// The message names the command that lists all refusals.
TEST(ExtrapolateReport, NamesTheOptionThatListsAllRefusals) {
  std::vector<extrapolate::Refusal> many(20);
  for (std::size_t i = 0; i < many.size(); ++i) many[i].why = std::to_string(i);
  std::vector<trace::Trace> inputs(3);
  for (std::size_t t = 0; t < inputs.size(); ++t) inputs[t].ranks = 4 + 2 * t;
  const std::string text = refusals_text(many, inputs);
  EXPECT_NE(text.find("and 8 more, which `reprise extrapolate --json` lists"), std::string::npos)
      << text;
}

// Call paths of one place have the same name.
TEST(ExtrapolateReport, SaysTheSameOnce) {
  extrapolate::Refusal one;
  one.why = "no expression explains the samples";
  const std::string text = refusals_text(std::vector(2, one), std::vector<trace::Trace>(2));
  EXPECT_NE(text.find("no expression explains the samples (on 2 call paths)"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("no expression"), text.rfind("no expression"));
}

}  // namespace
}  // namespace reprise::cli
