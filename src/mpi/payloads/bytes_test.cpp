#include "mpi/payloads/bytes.hpp"

#include <gtest/gtest.h>

#include "trace/values/special.hpp"

namespace reprise::mpi {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST(Bytes, SpecialValuesAreUnknown) {
  EXPECT_FALSE(Bytes(-1).is_known());
  EXPECT_FALSE(Bytes(trace::kNone).is_known());
  EXPECT_EQ(Bytes(trace::kNone), Bytes::unknown());
  EXPECT_EQ(Bytes(0).count(), 0);
  EXPECT_EQ(Bytes::unknown().value_or(7), 7);
}

TEST(Bytes, ProductsDoNotWrap) {
  EXPECT_EQ(Bytes(kMost) * 1, Bytes(kMost));
  EXPECT_EQ(Bytes(kMost / 2) * 2, Bytes(kMost - 1));
  EXPECT_EQ(Bytes(kMost / 2 + 1) * 2, Bytes::unknown());
  EXPECT_EQ(Bytes(std::int64_t{1} << 32) * (std::int64_t{1} << 32), Bytes::unknown())
      << "2^64, which is 0 where it wraps";
  EXPECT_EQ(Bytes(0) * kMost, Bytes(0));
}

TEST(Bytes, SumsDoNotWrap) {
  EXPECT_EQ(Bytes(kMost - 1) + Bytes(1), Bytes(kMost));
  EXPECT_EQ(Bytes(kMost) + Bytes(1), Bytes::unknown());
  Bytes sum(3);
  sum += Bytes(4);
  EXPECT_EQ(sum, Bytes(7));
  sum += Bytes::unknown();
  EXPECT_EQ(sum, Bytes::unknown());
}

TEST(Bytes, NoneOfSomethingUnknownIsNone) {
  EXPECT_EQ(Bytes::unknown() * 0, Bytes(0));
  EXPECT_EQ(Bytes::unknown() * -5, Bytes(0));
  EXPECT_EQ(Bytes::unknown() * 1, Bytes::unknown());
}

}  // namespace
}  // namespace reprise::mpi
