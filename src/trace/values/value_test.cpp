#include "trace/values/value.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::trace {
namespace {

TEST(Encoding, EveryRankComesBack) {
  for (const Encoding e : {Encoding::absolute, Encoding::relative, Encoding::exclusive_or}) {
    for (std::int64_t size = 0; size < 9; ++size) {
      // On an inter-communicator the rank is one of the local group, the size that of the remote.
      for (std::int64_t rank = 0; rank < 9; ++rank) {
        for (const std::int64_t v : {kNone, kProcNull, kAnySource, kRoot, std::int64_t{-7}}) {
          EXPECT_EQ(encode_rank(e, v, {rank, size}), v);
          EXPECT_EQ(decode_rank(e, v, {rank, size}), v);
        }
        // Beyond the size: the remote leader of MPI_Intercomm_create is a rank elsewhere.
        for (std::int64_t v = 0; v < 20; ++v) {
          EXPECT_EQ(decode_rank(e, encode_rank(e, v, {rank, size}), {rank, size}), v)
              << "rank " << rank << " of " << size;
        }
      }
    }
  }
}

TEST(Encoding, ExtremesDoNotOverflow) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const Encoding e : {Encoding::relative, Encoding::exclusive_or}) {
    decode_rank(e, kMost - 1, {kMost, kMost});
    encode_rank(e, kMost - 1, {-kMost, kMost});
  }
  EXPECT_EQ(
      decode_rank(Encoding::relative, encode_rank(Encoding::relative, 7, {5, kMost}), {5, kMost}),
      7);
  type_name(-kMost);
  op_name(-kMost);
}

TEST(Value, AnEmptySeriesIsRefused) {
  const std::vector<std::uint8_t> encoded[] = {{0, 0}, {2, 0}, {3, 2, 0, 0, 0}};
  for (const auto& bytes : encoded) {
    ByteReader in(bytes.data(), bytes.size());
    (void)Value::decode(in);
    EXPECT_TRUE(in.failed());
  }
}

}  // namespace
}  // namespace reprise::trace
