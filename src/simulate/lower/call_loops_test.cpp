#include "simulate/lower/call_loops.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"

namespace reprise::simulate {
namespace {

TEST(RepeatedCalls, AreThoseInLoopsOrAtSeveralPlaces) {
  trace::Trace trace = analyze::parse_program(
      "ranks 2\n"
      "MPI_Barrier\n"
      "[1 0]: MPI_Barrier\n"
      "10:\n"
      "  [1 0]: MPI_Barrier\n"
      "[3 1]: MPI_Barrier\n"
      "MPI_Barrier\n");
  EXPECT_EQ(repeated_calls(trace), (std::vector<bool>{false, false, true, true, false}));
  trace.root.body.push_back(trace.root.body.front());
  EXPECT_EQ(repeated_calls(trace), (std::vector<bool>{true, false, true, true, false}));
}

}  // namespace
}  // namespace reprise::simulate
