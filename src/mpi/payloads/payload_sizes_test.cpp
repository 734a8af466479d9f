#include "mpi/payloads/payload_sizes.hpp"

#include <gtest/gtest.h>

#include "mpi/test_events.hpp"
#include "trace/values/special.hpp"

namespace reprise::mpi {
namespace {

using trace::Direction;
using trace::Event;
using trace::Payload;

constexpr std::int64_t kChar = 1, kInt = 8, kDouble = 13;  // MPI_CHAR and so on
constexpr std::int64_t kStranger = 200;

const Payload* payload(const Event& e, Direction direction) {
  for (const Payload& p : e.function->payloads) {
    if (p.direction == direction) return &p;
  }
  return nullptr;
}

Bytes block(const Event& e, Direction direction) {
  const TypeSizes types;
  return PayloadSizes(e, types).block(payload(e, direction));
}

std::vector<Bytes> blocks(const Event& e, Direction direction) {
  const TypeSizes types;
  return PayloadSizes(e, types).blocks(payload(e, direction));
}

using Sizes = std::vector<Bytes>;

TEST(PayloadSizes, OneBlock) {
  const Event send = event("MPI_Send", {{"count", 10}, {"datatype", kDouble}});
  EXPECT_EQ(block(send, Direction::sent), Bytes(80));
  EXPECT_EQ(block(send, Direction::received), Bytes(0)) << "it has no such payload";
  EXPECT_EQ(blocks(send, Direction::sent), Sizes());
}

TEST(PayloadSizes, UnknownDatatypes) {
  EXPECT_EQ(block(event("MPI_Send", {{"count", 1}, {"datatype", kStranger}}), Direction::sent),
            Bytes::unknown());
  EXPECT_EQ(block(event("MPI_Send", {{"count", 0}, {"datatype", kStranger}}), Direction::sent),
            Bytes(0));
}

TEST(PayloadSizes, TooManyBytesAreUnknown) {
  EXPECT_EQ(block(event("MPI_Send_c", {{"count", std::int64_t{1} << 61}, {"datatype", kDouble}}),
                  Direction::sent),
            Bytes::unknown());
}

TEST(PayloadSizes, WithoutACountItIsOneElement) {
  EXPECT_EQ(block(event("MPI_Fetch_and_op", {{"datatype", kInt}}), Direction::received), Bytes(4));
}

TEST(PayloadSizes, WithoutADatatypeItIsBytes) {
  EXPECT_EQ(block(event("write", {{"count", 100}, {"moved", 60}}), Direction::written), Bytes(60));
  EXPECT_EQ(block(event("write", {{"moved", -1}}), Direction::written), Bytes(0));
}

TEST(PayloadSizes, AllPartitionsTogether) {
  const Scalars sent{{"partitions", 6}, {"count", 5}, {"datatype", kInt}};
  EXPECT_EQ(block(event("MPI_Psend_init", sent), Direction::sent), Bytes(120));
  const Scalars huge{
      {"partitions", std::int64_t{1} << 40}, {"count", std::int64_t{1} << 40}, {"datatype", kChar}};
  EXPECT_EQ(block(event("MPI_Psend_init", huge), Direction::sent), Bytes::unknown());
}

TEST(PayloadSizes, BuffersThatDoNotCount) {
  const Event gather = event("MPI_Gather", {{"sendcount", 2},
                                            {"sendtype", kInt},
                                            {"recvbuf", trace::kNone},
                                            {"recvcount", 2},
                                            {"recvtype", kInt}});
  EXPECT_EQ(block(gather, Direction::sent), Bytes(8));
  EXPECT_EQ(block(gather, Direction::received), Bytes(0));
}

TEST(PayloadSizes, InPlaceTheOtherBufferTells) {
  const Event gather = event("MPI_Allgather", {{"sendbuf", trace::kInPlace},
                                               {"sendcount", 99},
                                               {"sendtype", kStranger},
                                               {"recvcount", 3},
                                               {"recvtype", kInt}});
  EXPECT_EQ(block(gather, Direction::sent), Bytes(12));
  const Event exchange =
      event("MPI_Alltoallv", {{"sendbuf", trace::kInPlace}, {"recvtype", kDouble}},
            {{"sendcounts", {}}, {"recvcounts", {1, 0, 2}}});
  EXPECT_EQ(blocks(exchange, Direction::sent), (Sizes{Bytes(8), Bytes(0), Bytes(16)}));
}

TEST(PayloadSizes, EachBlockWithItsDatatype) {
  const Event exchange =
      event("MPI_Alltoallw", {}, {{"sendcounts", {1, 2, 3}}, {"sendtypes", {kChar, kDouble}}});
  EXPECT_EQ(blocks(exchange, Direction::sent), (Sizes{Bytes(1), Bytes(16), Bytes::unknown()}))
      << "the list of datatypes ends";
  EXPECT_EQ(block(exchange, Direction::sent), Bytes(0)) << "its blocks are listed";
}

TEST(PayloadSizes, OneBlockOfAList) {
  const TypeSizes types;
  const Event scatter = event("MPI_Scatterv", {{"sendtype", kInt}}, {{"sendcounts", {1, 2}}});
  const PayloadSizes sizes(scatter, types);
  const Payload& sent = *payload(scatter, Direction::sent);
  EXPECT_EQ(sizes.listed(sent, 1), Bytes(8));
  EXPECT_EQ(sizes.listed(sent, 2), Bytes(0)) << "the list ends";
}

// Also of MPI_IN_PLACE: a reduction has one description for both buffers.
TEST(PayloadSizes, WhateverTheBufferIs) {
  const TypeSizes types;
  const Event reduce =
      event("MPI_Allreduce", {{"sendbuf", trace::kInPlace}, {"count", 3}, {"datatype", kDouble}});
  EXPECT_EQ(PayloadSizes(reduce, types).counted(*payload(reduce, Direction::sent)), Bytes(24));
}

}  // namespace
}  // namespace reprise::mpi
