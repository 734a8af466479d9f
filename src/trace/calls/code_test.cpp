#include "trace/calls/code.hpp"

#include <gtest/gtest.h>

namespace reprise::trace {
namespace {

constexpr std::uint32_t kNoLoop = CodeFunction::kNoLoop;

TEST(Code, IsReadAsItWasWritten) {
  const Code code{{{false, {}, {kNoLoop}, {}},
                   {true, {kNoLoop, 0, 0, 2}, {0, 3, kNoLoop}, {{0, 2}, {1, 2}}},
                   {true, {kNoLoop, 0, kNoLoop}, {1, 2}, {}, {0, 40, 3}}},
                  {{{{1, 0}, {2, 1}}}, {{{1, 0}, {2, 0}}, {{1, 1}, {2, 0}}}, {}}};
  ByteWriter out;
  encode_code(out, code);
  ByteReader in(out.bytes().data(), out.bytes().size());
  EXPECT_EQ(decode_code(in), code);
  EXPECT_FALSE(in.failed());
}

// With one loop, 0 and 1 are loops around it, and 2 and 3 the same with a number of iterations.
TEST(Code, LoopsAroundAreChecked) {
  for (const auto& [parent, is_right] : {std::pair(0, true), {1, false}, {2, true}, {3, false}}) {
    ByteWriter out;
    for (const int value : {1, 1 << 1 | 1, parent}) out.varint(static_cast<std::uint64_t>(value));
    if (parent > 1) out.varint(7);
    for (int i = 0; i < 3; ++i) out.varint(0);
    ByteReader in(out.bytes().data(), out.bytes().size());
    const Code code = decode_code(in);
    EXPECT_EQ(!in.failed(), is_right) << parent;
    if (parent != 2) continue;
    EXPECT_EQ(code.functions[0].trips, std::vector<std::uint64_t>{7});
  }
}

}  // namespace
}  // namespace reprise::trace
