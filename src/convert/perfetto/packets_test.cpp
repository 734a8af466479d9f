#include "convert/perfetto/packets.hpp"

#include <gtest/gtest.h>

namespace reprise::convert::perfetto {
namespace {

// The examples of https://protobuf.dev/programming-guides/encoding.
TEST(Packets, EncodesFieldsAsProtocolBuffersDo) {
  Message number, text, outer;
  number.number(1, 150);
  EXPECT_EQ(number.bytes(), "\x08\x96\x01");
  text.text(2, "testing");
  EXPECT_EQ(text.bytes(), "\x12\x07testing");
  outer.message(3, number);
  EXPECT_EQ(outer.bytes(), "\x1a\x03\x08\x96\x01");
}

TEST(Packets, FixedNumbersHaveTheirLeastByteFirst) {
  Message fixed;
  fixed.fixed(47, 0x0102030405060708);
  EXPECT_EQ(fixed.bytes(), "\xf9\x02\x08\x07\x06\x05\x04\x03\x02\x01");
}

}  // namespace
}  // namespace reprise::convert::perfetto
