#include "generate/rank_laws.hpp"

#include <gtest/gtest.h>

#include "expr/program.hpp"
#include "trace/special.hpp"

namespace reprise::generate {
namespace {

constexpr std::int64_t kRanks = 16;

template <class Truth>
ByRank samples(Truth truth) {
  ByRank out;
  for (std::int64_t r = 0; r < kRanks; ++r) out.emplace_back(r, truth(r));
  return out;
}

void expect_explains(const std::optional<expr::Expr>& law, const ByRank& samples) {
  ASSERT_TRUE(law);
  for (const auto& [rank, value] : samples) {
    const auto found = expr::evaluate(
        *law, std::vector<expr::Value>{
                  {"rank", rank}, {"ranks", kRanks}, {"MPI_PROC_NULL", trace::kProcNull}});
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, value) << "rank " << rank;
  }
}

TEST(RankLaws, AreExact) {
  RankLaws laws(kRanks);
  const auto ring = samples([](std::int64_t r) { return (r + 1) % kRanks; });
  expect_explains(laws.value(ring), ring);
  const auto line = samples([](std::int64_t r) { return r == 0 ? trace::kProcNull : r - 1; });
  expect_explains(laws.value(line), line);
  const auto odd = samples([](std::int64_t r) { return r % 2; });
  expect_explains(laws.condition(odd), odd);
}

TEST(RankLaws, LeaveWhatIsIrregularToTables) {
  RankLaws laws(kRanks);
  // Digits of pi.
  const std::vector<std::int64_t> digits{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  EXPECT_FALSE(
      laws.value(samples([&](std::int64_t r) { return digits[static_cast<std::size_t>(r)]; })));
  EXPECT_FALSE(laws.value(samples([](std::int64_t) { return trace::kInPlace; })));
}

}  // namespace
}  // namespace reprise::generate
