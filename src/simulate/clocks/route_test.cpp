// By which ranks critical paths go, against paths that are known beforehand.
#include <gtest/gtest.h>

#include "simulate/test_support.hpp"

namespace reprise::simulate {
namespace {

using analyze::parse_program;
using test::compute_before;
using test::kMicrosecond;
using test::run;

constexpr Picoseconds kL = 2 * kMicrosecond;
constexpr Picoseconds kByte = 500;

Machine machine() {
  Machine m;
  m.model = MessageModel::hockney;
  m.network = m.memory = {kL, kByte};
  return m;
}

Outcome with_route(const trace::Trace& trace) {
  Options options;
  options.paths = options.route = true;
  return run(trace, machine(), options);
}

// Each rank computes, hears of the rank before it and tells the next one.
trace::Trace pipeline(const std::vector<std::int64_t>& first,
                      const std::vector<std::int64_t>& then) {
  trace::Trace trace = parse_program(
      "ranks 3\n"
      "[0 1 1]: MPI_Recv count=1000 datatype=MPI_BYTE source=rank+-1 tag=0\n"
      "[1 1 0]: MPI_Send count=1000 datatype=MPI_BYTE dest=rank+1 tag=0\n"
      "MPI_Pcontrol level=1\n");
  compute_before(trace, 0, first);
  compute_before(trace, 1, then);
  return trace;
}

TEST(Route, FollowsTheMessagesThatArriveLast) {
  // Rank 1 waits for rank 0, and rank 2 for rank 1.
  const Outcome out = with_route(pipeline({0, 0, 0}, {30'000, 10'000, 0}));
  const Picoseconds message = kL + 1000 * kByte;
  const Picoseconds one = 30 * kMicrosecond + message;
  const Picoseconds two = one + 10 * kMicrosecond + message;
  EXPECT_EQ(out.end.time, two);
  const std::vector<RoutePart> expected{{0, 0, one}, {1, one, two}};
  EXPECT_EQ(out.route, expected);
}

TEST(Route, StaysWithARankThatComesLaterThanItsMessage) {
  const Outcome out = with_route(pipeline({0, 100'000, 0}, {30'000, 10'000, 0}));
  const std::vector<RoutePart> expected{{1, 0, out.end.time}};
  EXPECT_EQ(out.route, expected);
  EXPECT_EQ(out.end.time, 110 * kMicrosecond + kL + 1000 * kByte);
}

TEST(Route, HasNoGapsAndTheTimeOfTheRunWithoutIt) {
  trace::Trace trace = parse_program(
      "ranks 4\n"
      "20:\n"
      "  MPI_Sendrecv sendcount=64 sendtype=MPI_BYTE dest=rank+1 sendtag=0 recvcount=64 "
      "recvtype=MPI_BYTE source=rank+-1 recvtag=0\n"
      "  MPI_Allreduce count=1 datatype=MPI_INT op=MPI_SUM\n");
  compute_before(trace, 0, {5'000, 1'000, 9'000, 2'000});
  compute_before(trace, 1, {3'000, 8'000, 1'000, 2'000});
  const Outcome out = with_route(trace);
  EXPECT_EQ(out.end.time, run(trace, machine()).end.time);
  ASSERT_FALSE(out.route.empty());
  Picoseconds at = 0;
  for (const RoutePart& part : out.route) {
    EXPECT_EQ(part.from, at);
    EXPECT_LT(part.from, part.to);
    at = part.to;
  }
  EXPECT_EQ(at, out.end.time);
}

TEST(Route, IsNotKeptUnlessAskedFor) {
  Options options;
  options.paths = true;
  EXPECT_TRUE(run(pipeline({0, 0, 0}, {1'000, 0, 0}), machine(), options).route.empty());
}

}  // namespace
}  // namespace reprise::simulate
