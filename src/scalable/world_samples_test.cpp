#include "scalable/world_samples.hpp"

#include <gtest/gtest.h>

namespace reprise::scalable {
namespace {

using expr::Expr;
using expr::Op;

WorldSamples samples(std::int64_t most) {
  program::Program program;
  program.domain = program::Domain{{{}, 2, most}, {}};
  return WorldSamples(program);
}

const Expr kRankOf = Expr::variable(expr::kRank);
const Expr kOfRanks = Expr::variable(expr::kRanks);

Expr below(const Expr& e, std::int64_t limit) { return Expr::make(Op::less, e, Expr(limit)); }

// On no number of ranks that is tried does it exclude a rank, but on larger ones.
TEST(WorldSamples, KeepConditionsThatOnlyLargerWorldsTell) {
  const WorldSamples worlds = samples(1 << 20);
  const Expr some = below(kRankOf, 1024), halves = below(kRankOf / Expr(2), 600);
  EXPECT_EQ(worlds.shortest(some, worlds.all()), some);
  EXPECT_EQ(worlds.shortest(halves, worlds.all()), halves);
  EXPECT_FALSE(worlds.knows(some));
  const Expr is_first = Expr::make(Op::equal, kRankOf, Expr(0));
  const auto first = worlds.among(worlds.all(), is_first);
  ASSERT_TRUE(first);
  EXPECT_EQ(worlds.shortest(below(kRankOf, 5), *first), Expr(1));
}

TEST(WorldSamples, DropConditionsThatAlwaysHold) {
  const Expr always = below(kRankOf - kOfRanks, 0);
  EXPECT_EQ(samples(1 << 20).shortest(always, samples(1 << 20).all()), Expr(1));
  const WorldSamples small = samples(64);
  EXPECT_EQ(small.shortest(below(kRankOf / Expr(2), 40), small.all()), Expr(1));
}

}  // namespace
}  // namespace reprise::scalable
