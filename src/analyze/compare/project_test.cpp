// One stream's own numbers: what its calls were, call by call.
#include "analyze/compare/project.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::analyze {
namespace {

// Ranks must not be left relative, and be those of the stream.
void expect_own_ranks(const std::string& program, const std::string& function) {
  const trace::Trace t = parse_program("ranks 4\n" + program);
  Projector whole_run(t);
  for (std::uint64_t s = 0; s < t.streams(); ++s) {
    const trace::Trace own = whole_run.of(s);
    for (const trace::Call& c : own.calls) {
      if (trace::function(c.function).name != function) continue;
      for (const trace::Value& v : c.columns) EXPECT_EQ(v.encoding, trace::Encoding::absolute);
    }
    trace::Cursor whole(t, s), alone(own, 0);
    while (whole.next()) {
      ASSERT_TRUE(alone.next());
      EXPECT_EQ(whole.event().scalars, alone.event().scalars);
      EXPECT_EQ(whole.event().lists, alone.event().lists);
    }
    EXPECT_FALSE(alone.next());
  }
}

TEST(Project, TargetsInWindows) {
  expect_own_ranks(
      "MPI_Win_create comm=0 win=0 win_rank=[0 1 2 3] win_size=4\n"
      "5: MPI_Put origin_count=1 origin_datatype=MPI_INT target=rank+1 target_disp=0 "
      "target_count=1 target_datatype=MPI_INT win=0",
      "MPI_Put");
}

TEST(Project, TargetsInWindowsThatAreMadeAgain) {
  expect_own_ranks(
      "MPI_Comm_split color=[0 0 1 1] key=0 newcomm=2 newcomm_rank=[1 0 1 0] newcomm_size=2\n"
      "2:\n"
      "  MPI_Win_create comm={0 2} win=0 win_rank=[{0 1} {1 0} {2 1} {3 0}] "
      "win_size={4 2}\n"
      "  MPI_Put origin_count=1 origin_datatype=MPI_INT target=rank+1 target_disp=0 "
      "target_count=1 target_datatype=MPI_INT win=0",
      "MPI_Put");
}

TEST(Project, PeersInSeveralCommunicators) {
  expect_own_ranks(
      "MPI_Comm_split color=[0 0 1 1] key=0 newcomm=2 newcomm_rank=[0 1 0 1] newcomm_size=2\n"
      "4: MPI_Send count=1 datatype=MPI_INT dest=rank+1 tag=0 comm={0 2 2 0}",
      "MPI_Send");
}

}  // namespace
}  // namespace reprise::analyze
