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

TEST(Place, KnowsHowOftenAConditionHeld) {
  const Place place = Place::once().within("i0", 24).every(8);
  EXPECT_EQ(place.text(), "i0 / 8");
  EXPECT_EQ(place.within("i1", 4).text(), "(i0 / 8 * 4 + i1)");
  EXPECT_EQ(place.within("i1", 4).remainder(4), "i1");
  EXPECT_FALSE(Place::counted().every(8).is_known());
}

TEST(Place, IsKnownWithinALoopOfACountedOne) {
  const Place place = Place::counted().within("i1", 4);
  EXPECT_TRUE(place.is_known_within(4));
  EXPECT_FALSE(place.is_known_within(3));
  EXPECT_EQ(place.remainder(4), "i1");
}

}  // namespace
}  // namespace reprise::generate
