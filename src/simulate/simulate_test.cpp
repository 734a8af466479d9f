#include "simulate/result.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"

namespace reprise::simulate {
namespace {

TEST(Simulate, PingPong) {
  const trace::Trace trace = analyze::parse_program(
      "ranks 2\n"
      "10:\n"
      "  [1 0]: MPI_Send count=1000 datatype=MPI_BYTE dest=rank+1 tag=0\n"
      "  MPI_Recv count=1000 datatype=MPI_BYTE source=rank+1 tag=0\n"
      "  [0 1]: MPI_Send count=1000 datatype=MPI_BYTE dest=rank+1 tag=0\n");
  Machine machine;
  const auto out = simulate(trace, machine, {});
  ASSERT_TRUE(out) << out.error().message;
  // One way: the latency at the sender, and then the bytes.
  EXPECT_EQ(out->end.time, 10 * 2 * (1'000'000 + 1000 * 100));
}

}  // namespace
}  // namespace reprise::simulate
