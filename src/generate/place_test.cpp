#include "generate/place.hpp"

#include <gtest/gtest.h>

namespace reprise::generate {
namespace {

TEST(Place, CountsInMixedRadix) {
  const Place loop = Place::once().within("i0", 20);
  EXPECT_EQ(loop.text(), "i0");
  EXPECT_EQ(loop.within("i1", 3).text(), "(i0 * 3 + i1)");
  EXPECT_EQ(loop.within("i1", 3).within("i2", 2).text(), "((i0 * 3 + i1) * 2 + i2)");
}

TEST(Place, DividesBetweenDigits) {
  const Place inner = Place::once().within("i0", 20).within("i1", 3);
  EXPECT_EQ(inner.remainder(3), "i1");
  EXPECT_EQ(inner.quotient(3), "i0");
  EXPECT_EQ(inner.remainder(60), "(i0 * 3 + i1)");
  EXPECT_EQ(inner.quotient(60), "0");
  EXPECT_EQ(inner.remainder(2), "(i0 * 3 + i1) % 2");
  EXPECT_EQ(inner.remainder(1), "0");
}

TEST(Place, IsUnknownWithinTripsThatVary) {
  EXPECT_TRUE(Place::once().within_varying("i0").is_known());
  EXPECT_FALSE(Place::once().within("i0", 2).within_varying("i1").is_known());
  EXPECT_FALSE(Place::counted().within("i0", 2).is_known());
}

}  // namespace
}  // namespace reprise::generate
