#include "base/escape.hpp"

#include <gtest/gtest.h>

#include <random>

namespace reprise {
namespace {

// What is in each: quotes, ends and begins of comments, trigraphs, splices, control characters, an
// escape sequence of a terminal, and bytes that are not UTF-8.
const std::string kHostile[] = {"\"; system(\"x\"); \"",
                                "*/ int x; /*",
                                "*\\\n/ int x;",
                                "*\\ / int x;",
                                "*?\?/\n/ int x;",
                                "*?\?/ / ?\?/",
                                "/\\\n*",
                                "a\nALL TASKS SYNCHRONIZE\r\nb",
                                "\x1b]0;title\x07\x1b[2J",
                                "\xff\xfe\x80",
                                "\xe2\x80\xae"
                                "evil",
                                "\\",
                                "end\\",
                                "*",
                                "/",
                                "#",
                                "%s%n{}",
                                "</script><b>&'"};

// A text of the characters that matter.
std::string random_text(std::mt19937& random) {
  static constexpr std::string_view kCharacters = "*/\\?\" \n\r'=(a\x1b\xc3\xa4\xff";
  std::string out(random() % 12, ' ');
  for (char& c : out) c = kCharacters[random() % kCharacters.size()];
  return out;
}

// As phases 1 and 2 of translation leave it (C11, 5.1.1.2): trigraphs replaced, lines spliced; as
// gcc does, also where blanks stand before the line's end.
std::string after_splicing(std::string text) {
  static constexpr std::pair<std::string_view, char> kTrigraphs[] = {
      {"?\?=", '#'}, {"?\?/", '\\'}, {"?\?'", '^'}, {"?\?(", '['}, {"?\?)", ']'},
      {"?\?!", '|'}, {"?\?<", '{'},  {"?\?>", '}'}, {"?\?-", '~'}};
  for (const auto& [from, to] : kTrigraphs) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
      text.replace(at, 3, 1, to);
  }
  for (std::size_t at = 0; (at = text.find('\\', at)) != std::string::npos;) {
    const std::size_t end = text.find_first_not_of(" \t", at + 1);
    if (end != std::string::npos && text[end] == '\n') {
      text.erase(at, end + 1 - at);
    } else {
      ++at;
    }
  }
  return text;
}

TEST(CComment, OrdinaryTextStays) {
  for (const char* text : {"trade stencil1d.c:37", "./a --size 3x4 ?", "2 * 3 / 4", "ma\xc3\x9f"})
    EXPECT_EQ(in_c_comment(text), text);
}

TEST(CComment, SaysWhatStoodThere) {
  EXPECT_EQ(in_c_comment("a*/b"), "a*\\x2fb");
  EXPECT_EQ(in_c_comment("a/*b"), "a/\\x2ab");
  EXPECT_EQ(in_c_comment("?\?/x"), "\\x3f?/x");
}

// Wherever a layout breaks a line at a blank.
void expect_no_end(const std::string& text) {
  const std::string safe = in_c_comment(text);
  for (std::size_t i = 0; i <= safe.size(); ++i) {
    std::string broken = safe;
    if (i < safe.size() && safe[i] != ' ') continue;
    if (i < safe.size()) broken[i] = '\n';
    const std::string seen = after_splicing(broken);
    EXPECT_EQ(seen.find("*/"), std::string::npos) << text << " -> " << broken;
    EXPECT_EQ(seen.find("/*"), std::string::npos) << text << " -> " << broken;
  }
  EXPECT_EQ(safe.find_first_of("\n\r\x1b"), std::string::npos);
}

TEST(CComment, NothingEndsIt) {
  for (const std::string& text : kHostile) expect_no_end(text);
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) expect_no_end(random_text(random));
}

// What a string literal of C comes to.
std::string value_of_c(const std::string& literal) {
  std::string out;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      out += literal[i];
    } else if (literal[i + 1] >= '0' && literal[i + 1] <= '7') {
      out += static_cast<char>(std::stoi(literal.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      out += literal[++i];
    }
  }
  return out;
}

TEST(CString, IsTheText) {
  EXPECT_EQ(c_string("a \"b\" c\\d?"), "\"a \\\"b\\\" c\\\\d\\077\"");
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = random_text(random), literal = c_string(text);
    EXPECT_EQ(value_of_c(literal), text);
    EXPECT_EQ(literal, after_splicing(literal));
  }
}

TEST(ConceptualComment, StaysOnItsLine) {
  for (const std::string& text : kHostile)
    EXPECT_EQ(in_conceptual_comment(text).find_first_of("\n\r\x1b"), std::string::npos);
}

TEST(ConceptualString, HasEscapes) {
  EXPECT_EQ(conceptual_string("a \"b\" c\\d"), "\"a \\\"b\\\" c\\\\d\"");
  EXPECT_EQ(conceptual_string("?\?/"), "\"\\\\x3f?/\"");
  EXPECT_EQ(conceptual_string("a\nb\x1b"), "\"a\\nb\\\\x1b\"");
}

// Quotes and backslashes are escaped, control characters are not there.
void expect_string(const std::string& literal) {
  ASSERT_GE(literal.size(), 2u);
  EXPECT_EQ(literal.front(), '"');
  EXPECT_EQ(literal.back(), '"');
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    EXPECT_GE(static_cast<unsigned char>(literal[i]), 0x20);
    EXPECT_NE(literal[i], '"') << literal;
    if (literal[i] != '\\') continue;
    ++i;
    ASSERT_LT(i + 1, literal.size()) << literal;
  }
}

TEST(Strings, EndWhereTheyEnd) {
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = random_text(random);
    expect_string(conceptual_string(text));
    expect_string(json_string(text));
  }
}

TEST(JsonString, IsAscii) {
  EXPECT_EQ(json_string("a\"\\\n\x1b"), "\"a\\\"\\\\\\n\\u001b\"");
  EXPECT_EQ(json_string("\xc3\xa4\xf0\x9f\x98\x80"), "\"\\u00e4\\ud83d\\ude00\"");
  EXPECT_EQ(json_string("\xff"), "\"\\ufffd\"");
}

TEST(DimemasString, EndsWhereItEnds) { EXPECT_EQ(dimemas_string("a \"b\"\n:1"), "\"a 'b'\\n:1\""); }

TEST(Html, HasNoTags) {
  EXPECT_EQ(in_html("<b a='x'>\"&\"\x1b"), "&lt;b a=&#39;x&#39;&gt;&quot;&amp;&quot;\\x1b");
}

}  // namespace
}  // namespace reprise
