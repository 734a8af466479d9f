#include "analyze/demands.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::analyze {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{1} << 32;

std::string excess(const std::string& program, Use use = Use::states) {
  return excess_of(parse_program(program), use, kMemory);
}

TEST(Demands, OrdinaryTracesAskForLittle) {
  EXPECT_EQ(excess("ranks 4096\n1000000:\n  MPI_Barrier\n  {0 0 1 ...}: MPI_Allreduce\n"), "");
  EXPECT_EQ(excess("ranks 200000\n1000:\n  MPI_Barrier\n"), "");
  EXPECT_EQ(excess("ranks 1000000\n1000:\n  MPI_Barrier\n", Use::calls), "");
}

TEST(Demands, CountsWhatAWalkTakes) {
  const trace::Trace t = parse_program(R"(
ranks 3
12:
  {3 1 2 ...}:
    [0 {0 1 ...} 2]: MPI_Send count=1 datatype=MPI_INT dest=rank+1 tag=0
    MPI_Waitall requests=(4){0 1 2 3 ...}
)");
  double calls = 0, elements = 0;
  for (std::uint64_t s = 0; s < 3; ++s) {
    for (trace::Cursor c(t, s); c.next(); ++calls) {
      for (const auto& list : c.event().lists) elements += static_cast<double>(list.size());
    }
  }
  const double bodies = 3 * (1 + 12 + 24);
  EXPECT_DOUBLE_EQ(steps_of(t), calls + elements + bodies);
}

TEST(Demands, CallsWithoutEnd) {
  const std::string program = "ranks 4\n2305843009213693952:\n  2305843009213693952: MPI_Barrier\n";
  EXPECT_NE(excess(program, Use::calls).find("more than a run makes"), std::string::npos);
  EXPECT_EQ(excess(program, Use::structure), "") << "nothing is walked";
  EXPECT_NE(
      excess("ranks 4\n2305843009213693952:\n  0:\n    MPI_Barrier\n").find("than a run makes"),
      std::string::npos)
      << "passes that make no call take time";
  EXPECT_EQ(excess("ranks 4\n-2305843009213693952: MPI_Barrier\n"), "") << "none at all";
}

TEST(Demands, RanksWithoutNumber) {
  trace::Trace t = parse_program("ranks 16777216\n10: MPI_Barrier\n");
  EXPECT_EQ(excess_of(t, Use::calls, kMemory), "");
  constexpr std::uint64_t kNeeded = 16'777'216ULL * (16'384 + 256);  // a rank, and its one call
  EXPECT_EQ(excess_of(t, Use::states, kNeeded), "") << "exactly what there is";
  EXPECT_NE(excess_of(t, Use::states, kNeeded - 1).find("memory"), std::string::npos);
  t.root.body[0].trips.by_stream = trace::Series({trace::Term{.value = 1, .step = 1, .count = 0}});
  EXPECT_NE(excess_of(t, Use::structure, kMemory).find("different ways"), std::string::npos);
  t.ranks = 1 << 16;
  EXPECT_EQ(excess_of(t, Use::structure, kMemory), "") << "each rank may be a kind by itself";
}

TEST(Demands, TracesOfOneProgramAreThereTogether) {
  // The calls of one, on the ranks of both.
  std::vector<trace::Trace> traces{parse_program("ranks 1000\nMPI_Barrier\n"),
                                   parse_program("ranks 4\nMPI_Init\nMPI_Barrier\n")};
  constexpr std::uint64_t kNeeded = 1004 * (16'384 + 2 * 256);
  EXPECT_EQ(excess_of(traces, kNeeded), "");
  EXPECT_NE(excess_of(traces, kNeeded - 1).find("1004 ranks with 2 calls"), std::string::npos);
}

}  // namespace
}  // namespace reprise::analyze
