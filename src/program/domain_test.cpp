#include "program/domain.hpp"

#include <gtest/gtest.h>

namespace reprise::program {
namespace {

using Shape = NumberClass::Shape;

TEST(NumberClass, KnowsItsNumbers) {
  const NumberClass square{Shape::square, 1}, cube{Shape::cube, 1}, oblong{Shape::oblong, 1};
  const NumberClass twice{Shape::twice_square, 1}, power{Shape::power_of_two, 1};
  // By the definitions, each number up to 2000.
  for (std::int64_t n = 1; n <= 2000; ++n) {
    bool is_square = false, is_cube = false, is_oblong = false, is_twice = false, is_power = false;
    for (std::int64_t k = 1; k <= 2000; ++k) {
      is_square |= k * k == n;
      is_cube |= k * k * k == n;
      is_oblong |= k * (k + 1) == n;
      is_twice |= 2 * k * k == n;
      is_power |= k < 20 && std::int64_t{1} << (k - 1) == n;
    }
    EXPECT_EQ(square.contains(n), is_square) << n;
    EXPECT_EQ(cube.contains(n), is_cube) << n;
    EXPECT_EQ(oblong.contains(n), is_oblong) << n;
    EXPECT_EQ(twice.contains(n), is_twice) << n;
    EXPECT_EQ(power.contains(n), is_power) << n;
  }
  EXPECT_FALSE(square.contains(0));
  EXPECT_FALSE(square.contains(-4));
}

TEST(NumberClass, FindsTheNext) {
  EXPECT_EQ((NumberClass{Shape::square, 1}.next(17, 100)), 25);
  EXPECT_EQ((NumberClass{Shape::any, 4}.next(17, 100)), 20);
  EXPECT_EQ((NumberClass{Shape::power_of_two, 1}.next(65, 100)), std::nullopt);
}

TEST(Classes, HaveAllNumbersAndGetNarrower) {
  const std::vector<std::int64_t> squares{4, 9, 16};
  EXPECT_EQ(classes_of(squares), (std::vector<NumberClass>{{Shape::any, 1}, {Shape::square, 1}}));
  const std::vector<std::int64_t> powers{8, 16, 32};
  EXPECT_EQ(classes_of(powers).back(), (NumberClass{Shape::power_of_two, 1}));
  const std::vector<std::int64_t> even{6, 8, 10};
  EXPECT_EQ(classes_of(even), (std::vector<NumberClass>{{Shape::any, 1}, {Shape::any, 2}}));
  const std::vector<std::int64_t> oblong{6, 12, 20};
  EXPECT_EQ(classes_of(oblong).back(), (NumberClass{Shape::oblong, 2}));
}

TEST(Range, SaysWhatItIs) {
  EXPECT_EQ((Range{{Shape::square, 1}, 4, 1024}.describe()), "square numbers from 4 to 1024");
  EXPECT_EQ((Range{{Shape::any, 6}, 6, 600}.describe()), "multiples of 6 from 6 to 600");
  EXPECT_EQ((Range{{Shape::any, 128}, 128, 128}.describe()), "128 alone");
}

}  // namespace
}  // namespace reprise::program
