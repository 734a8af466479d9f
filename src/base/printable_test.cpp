#include "base/printable.hpp"

#include <gtest/gtest.h>

namespace reprise {
namespace {

TEST(Printable, OrdinaryTextStays) {
  for (const char* text : {"", "stencil.c:37", "-O \"a\\n\" 'b'", "ma\xc3\x9f", "\xe2\x82\xac 5",
                           "\xf0\x9f\x98\x80", "caf\xc3\xa9"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ControlCharactersAreEscaped) {
  EXPECT_EQ(printable("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable(std::string_view("a\0b\x7f", 4)), "a\\x00b\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b"
            "31m")
      << "an 8-bit control sequence";
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae") << "right-to-left override";
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\xe2\\x80\\xa8") << "line separator";
}

TEST(Printable, BytesThatAreNotUtf8AreEscaped) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b"
            "31m");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b") << "longer than need be";
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82") << "cut short";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80") << "behind U+10FFFF";
}

TEST(Printable, LinesStayIfTheyAreWanted) {
  EXPECT_EQ(printable_lines("a\nb\x1b[2J\r\n"), "a\nb\\x1b[2J\\r\n");
}

TEST(Printable, TwiceIsOnce) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string once = printable(std::string{'a', static_cast<char>(byte), 'b'});
    EXPECT_EQ(printable(once), once);
  }
}

TEST(BrokenLines, AreBrokenAtSpacesAndNowhereElse) {
  EXPECT_EQ(broken_lines({"# ", "#   "}, "a b"), "# a b\n");
  EXPECT_EQ(broken_lines({"# ", "#   "}, ""), "# \n");
  const std::string word(70, 'w'), long_word(130, 'l');
  EXPECT_EQ(broken_lines({"# ", "#   "}, word + " " + word + " " + long_word + " x"),
            "# " + word + "\n#   " + word + "\n#   " + long_word + "\n#   x\n");
}

TEST(BrokenLines, AreAsWideAsThereIsRoom) {
  const std::string fits(118, 'f');
  EXPECT_EQ(broken_lines({"# ", "# "}, fits + " " + fits), "# " + fits + "\n# " + fits + "\n");
}

}  // namespace
}  // namespace reprise
