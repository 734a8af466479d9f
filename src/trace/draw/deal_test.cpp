#include "trace/draw/deal.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

namespace reprise::trace {
namespace {

TEST(Deal, GivesEachOfEqualRanksOneInARow) {
  Deal deal({0, 7, 7, 0, 7});
  for (int n = 0; n < 20; ++n) {
    const std::set<std::int64_t> three = {deal.next(), deal.next(), deal.next()};
    EXPECT_EQ(three, (std::set<std::int64_t>{1, 2, 4}));
  }
}

TEST(Deal, GivesARankItsShareOfAllAndOfAnyPart) {
  const std::vector<std::int64_t> loads = {19, 1, 17, 0, 16};
  Deal deal(loads);
  std::array<std::int64_t, 5> dealt{};
  for (int n = 1; n <= 10 * 53; ++n) {
    ++dealt[static_cast<std::size_t>(deal.next())];
    for (std::size_t r = 0; r < loads.size(); ++r) {
      EXPECT_LT(std::abs(static_cast<double>(dealt[r]) - static_cast<double>(n * loads[r]) / 53), 1)
          << r << " after " << n;
    }
  }
  for (std::size_t r = 0; r < loads.size(); ++r) EXPECT_EQ(dealt[r], 10 * loads[r]);
}

}  // namespace
}  // namespace reprise::trace
