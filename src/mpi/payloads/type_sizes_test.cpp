#include "mpi/payloads/type_sizes.hpp"

#include <gtest/gtest.h>

#include "mpi/test_events.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::mpi {
namespace {

constexpr TypeId kDouble{13};
constexpr TypeId kMade{trace::kFirstMadeType};

trace::Event contiguous(TypeId made, std::int64_t size) {
  return event("MPI_Type_contiguous", {{"newtype", number_of(made)}, {"newtype_size", size}});
}

TEST(TypeSizes, PredefinedOnesAreKnown) {
  const TypeSizes sizes;
  EXPECT_EQ(sizes.of(kDouble), Bytes(8));
  EXPECT_EQ(sizes.of(10, kDouble), Bytes(80));
  EXPECT_EQ(sizes.of(TypeId{trace::kFirstMadeType - 1}), Bytes::unknown());
}

TEST(TypeSizes, NothingButWhatWasMade) {
  TypeSizes sizes;
  EXPECT_EQ(sizes.of(kMade), Bytes::unknown());
  EXPECT_EQ(sizes.of(2, kMade), Bytes::unknown());
  EXPECT_TRUE(sizes.learn(contiguous(kMade, 24)));
  EXPECT_EQ(sizes.of(2, kMade), Bytes(48));
}

TEST(TypeSizes, NamesAreGivenAgain) {
  TypeSizes sizes;
  sizes.learn(contiguous(kMade, 24));
  EXPECT_TRUE(sizes.learn(contiguous(kMade, 24)));
  EXPECT_FALSE(sizes.learn(contiguous(kMade, 40)));
  EXPECT_EQ(sizes.of(kMade), Bytes(40));
}

TEST(TypeSizes, ASizeThatWasNotRecordedIsUnknown) {
  TypeSizes sizes;
  sizes.learn(contiguous(kMade, trace::kNone));
  EXPECT_EQ(sizes.of(kMade), Bytes::unknown());
  EXPECT_EQ(sizes.of(0, kMade), Bytes(0)) << "no elements of whatever it is";
}

TEST(TypeSizes, NullHandlesNameNoDatatype) {
  TypeSizes sizes;
  EXPECT_TRUE(sizes.learn(contiguous(TypeId{trace::kNull}, 24)));
  EXPECT_TRUE(sizes.learn(contiguous(TypeId{trace::kNull}, 40)));
  EXPECT_EQ(sizes.of(TypeId{trace::kNull}), Bytes::unknown());
}

TEST(TypeSizes, PredefinedSizesStay) {
  TypeSizes sizes;
  sizes.learn(contiguous(kDouble, 1));
  EXPECT_EQ(sizes.of(kDouble), Bytes(8));
}

TEST(TypeSizes, CountsThatDoNotCountAreNothing) {
  const TypeSizes sizes;
  EXPECT_EQ(sizes.of(trace::kNone, kDouble), Bytes(0));
  EXPECT_EQ(sizes.of(-4, kDouble), Bytes(0));
  EXPECT_EQ(sizes.of(std::int64_t{1} << 60, kDouble), Bytes::unknown());
}

}  // namespace
}  // namespace reprise::mpi
