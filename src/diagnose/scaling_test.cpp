#include "diagnose/scaling.hpp"

#include <gtest/gtest.h>

namespace reprise::diagnose {
namespace {

ScalingPoint point(std::uint64_t ranks, double load_balance, double serialization, double transfer,
                   simulate::Picoseconds computation) {
  ScalingPoint out;
  out.ranks = ranks;
  out.time = 1;
  out.computation = computation;
  out.efficiency = {.parallel = load_balance * serialization * transfer,
                    .load_balance = load_balance,
                    .communication = serialization * transfer,
                    .serialization = serialization,
                    .transfer = transfer};
  return out;
}

TEST(Scaling, NamesTheFactorThatFallsMost) {
  const Scaling s = scaling_of({point(64, 0.9, 0.95, 0.5, 125), point(4, 1, 1, 1, 100)});
  ASSERT_EQ(s.points.size(), 2u);
  EXPECT_EQ(s.points[0].ranks, 4u);
  EXPECT_EQ(s.worst, Factor::transfer);
  EXPECT_DOUBLE_EQ(s.ratio, 0.5);
  EXPECT_DOUBLE_EQ(s.points[1].computation_scalability, 0.8);
  EXPECT_DOUBLE_EQ(s.points[1].global, 0.9 * 0.95 * 0.5 * 0.8);
}

TEST(Scaling, CountsComputationThatGrowsWithTheRanks) {
  const Scaling s = scaling_of({point(4, 1, 1, 1, 100), point(16, 0.9, 1, 1, 200)});
  EXPECT_EQ(s.worst, Factor::computation_scalability);
  EXPECT_DOUBLE_EQ(s.ratio, 0.5);
}

}  // namespace
}  // namespace reprise::diagnose
