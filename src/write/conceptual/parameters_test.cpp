#include "write/conceptual/parameters.hpp"

#include <gtest/gtest.h>

#include <set>

#include "conceptual/print.hpp"

namespace reprise::write::conceptual {
namespace {

// Each option has a letter or a digit of its own, and there are no more parameters than those.
TEST(ConceptualParameters, HaveTwoOptions) {
  Parameters parameters;
  parameters.compute_percent();
  for (int i = 1; i <= 60; ++i) {
    parameters.repetitions(i, "MPI_Send");
    parameters.size(number(1000 + i));
    parameters.function_percent("f" + std::to_string(i));
  }
  std::set<std::string> letters;
  for (const ast::Parameter& p : parameters.declarations())
    EXPECT_TRUE(letters.insert(p.short_option).second) << p.short_option;
  EXPECT_EQ(letters.count("-h"), 0u) << "which asks for help";
  EXPECT_LE(letters.size(), 35u);
  EXPECT_GE(letters.size(), 30u);
}

TEST(ConceptualParameters, OfFunctionsHaveNamesThatTheLanguageKnows) {
  Parameters parameters;
  const auto name = [&](const std::string& function) {
    return parameters.function_percent(function)->name;
  };
  EXPECT_EQ(name("Solver<int>::step(\"*/\n"), "percent_solver_int_step_");
  EXPECT_EQ(name("solver(int)::step()"), "percent_solver_int_step__2");
  EXPECT_EQ(name("Solver<int>::step(\"*/\n"), "percent_solver_int_step_");
  const std::string text = ast::print_parameters(parameters.declarations());
  EXPECT_NE(text.find("step(\\\"*/\\n, in percent\""), std::string::npos) << text;
}

TEST(ConceptualParameters, OfSizesHaveOptionsOfTheirName) {
  Parameters parameters;
  parameters.add("problem_n", "n", "The size n of the problem", 64);
  EXPECT_EQ(ast::print_parameters(parameters.declarations()),
            "problem_n IS \"The size n of the problem\" AND COMES FROM \"--n\" OR \"-n\" WITH "
            "DEFAULT 64.\n");
}

// A range from 0 to -1 would go backwards.
TEST(ConceptualParameters, OfCountedLoopsArePositive) {
  Parameters parameters;
  EXPECT_EQ(ast::print(parameters.last_repetition(12, "MPI_Send")), "reps1-1");
  parameters.repetitions(5, "MPI_Recv");
  EXPECT_EQ(ast::print_statements(parameters.assertions()),
            "ASSERT THAT \"reps1 is at least 1\" WITH reps1 >= 1.\n");
}

}  // namespace
}  // namespace reprise::write::conceptual
