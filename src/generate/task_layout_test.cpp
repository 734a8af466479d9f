#include "generate/task_layout.hpp"

#include <gtest/gtest.h>

#include "generate/task_parameters.hpp"

namespace reprise::generate {
namespace {

TEST(TaskLayout, ShortLinesAndCommentsStay) {
  const std::string text = "ALL TASKS SYNCHRONIZE THEN\n  # " + std::string(200, 'x') + " y\n";
  EXPECT_EQ(broken(text), text);
}

TEST(TaskLayout, LongLinesAreBrokenAtBlanks) {
  std::string sum = "x1";
  for (int i = 2; i < 60; ++i) sum += " + x" + std::to_string(i);
  const std::string out = broken("  TASK 0 OUTPUTS " + sum + "\n");
  std::size_t lines = 0;
  for (std::size_t at = 0; at < out.size(); ++lines) {
    const std::size_t end = out.find('\n', at);
    EXPECT_LE(end - at, 100u);
    EXPECT_EQ(out.substr(at, lines ? 6 : 2), lines ? "      " : "  ");
    at = end + 1;
  }
  EXPECT_EQ(lines, 4u);  // of 359 characters, by 100 and then 94
}

TEST(TaskLayout, StringsAreNotBroken) {
  const std::string text = "\"" + std::string(60, 'a') + " \\\" " + std::string(60, 'b') + " c\"";
  EXPECT_EQ(broken("TASK 0 OUTPUTS " + text + "\n"), "TASK 0 OUTPUTS\n    " + text + "\n");
}

TEST(TaskLayout, BreaksBehindWhile) {
  const std::string out = broken("LET k1 BE " + std::string(70, 'k') + " WHILE ALL TASKS RECEIVE " +
                                 std::string(70, 'm') + "\n");
  EXPECT_NE(out.find("WHILE\n    ALL TASKS"), std::string::npos) << out;
}

// Each option has a letter or a digit of its own, and there are no more parameters than those.
TEST(TaskParameters, HaveTwoOptions) {
  TaskParameters parameters;
  parameters.compute_percent();
  for (int i = 1; i <= 60; ++i) {
    parameters.repetitions(i);
    parameters.size(std::to_string(1000 + i));
    parameters.function_percent("f" + std::to_string(i));
  }
  const std::string text = parameters.declarations();
  std::string letters;
  for (std::size_t at = 0; (at = text.find("OR \"-", at)) != std::string::npos; ++at) {
    const char letter = text[at + 5];
    EXPECT_EQ(letters.find(letter), std::string::npos) << letter;
    letters += letter;
  }
  EXPECT_LE(letters.size(), 36u);
  EXPECT_GE(letters.size(), 30u);
}

TEST(TaskParameters, OfFunctionsHaveNamesThatTheLanguageKnows) {
  TaskParameters parameters;
  EXPECT_EQ(parameters.function_percent("Solver<int>::step(\"*/\n"), "percent_solver_int_step_");
  EXPECT_EQ(parameters.function_percent("solver(int)::step()"), "percent_solver_int_step__2");
  EXPECT_EQ(parameters.function_percent("Solver<int>::step(\"*/\n"), "percent_solver_int_step_");
  EXPECT_NE(parameters.declarations().find("step(\\\"*/\\n, in percent\""), std::string::npos)
      << parameters.declarations();
}

}  // namespace
}  // namespace reprise::generate
