// Names, files and command lines of a trace that hold what would end a comment or a string: outside
// of comments and strings the generated program is the one of a trace with harmless names.
#include <gtest/gtest.h>

#include <algorithm>

#include "analyze/program_text.hpp"
#include "conceptual/parse.hpp"
#include "conceptual/read/token.hpp"
#include "generate/c_language.hpp"
#include "generate/conceptual_language.hpp"

namespace reprise {
namespace {

const std::string kHostile[] = {"\"; system(\"touch x\"); \"",
                                "*/ int x; /*",
                                "*\\\n/ int x;",
                                "*?\?/\n/ int x;",
                                "a\n} ALL TASKS SYNCHRONIZE",
                                "a\r\n# \n",
                                "\x1b]0;title\x07\x1b[2J",
                                "\xff\xfe",
                                "\xe2\x80\xae",
                                "\\",
                                "%s%n{}",
                                "a\" AND \"b"};

// Two loops, so that functions have percentages of their own.
trace::Trace named(const std::string& name) {
  trace::Trace out = analyze::parse_program(
      "ranks 2\n"
      "MPI_Init @ main a.c:1\n"
      "10:\n"
      "  MPI_Send count=8 datatype=MPI_INT dest=[1 0] tag=5 @ f a.c:9\n"
      "  MPI_Recv count=8 datatype=MPI_INT source=[1 0] tag=5 "
      "@ g a.c:10\n"
      "MPI_Finalize @ main a.c:11\n");
  out.program = name;
  for (std::size_t i = 1; i < out.texts.size(); ++i) out.texts[i] = name + std::to_string(i);
  return out;
}

// C without comments and without what is in strings, after trigraphs and lines' ends have gone
// (C11, 5.1.1.2, phases 1 to 3), and without blanks.
std::string code_of_c(std::string text) {
  for (std::size_t at = 0; (at = text.find("?\?/", at)) != std::string::npos;)
    text.replace(at, 3, "\\");
  for (std::size_t at = 0; (at = text.find("\\\n", at)) != std::string::npos;) text.erase(at, 2);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "/*") == 0) {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
    } else if (text[i] == '"' || text[i] == '\'') {
      const char end = text[i];
      for (++i; i < text.size() && text[i] != end; ++i) i += text[i] == '\\' ? 1 : 0;
      out += "\"\"";
    } else if (text[i] != ' ' && text[i] != '\n') {
      out += text[i];
    }
  }
  return out;
}

std::string tokens_of_conceptual(const std::string& text) {
  std::string out;
  for (const conceptual::Token& t : conceptual::tokens_of(text))
    out += (t.kind == conceptual::Token::Kind::text ? "\"\"" : t.text) + " ";
  return out;
}

bool is_plain(const std::string& text) {
  return text.find_first_of("\x1b\x07\r") == std::string::npos &&
         text.find('\xff') == std::string::npos;
}

TEST(Hostile, NamesAreCommentsAndStringsOfC) {
  const std::string harmless =
      code_of_c(generate::c_language().write(named("a"), {.trace = "t"})->text);
  for (const std::string& name : kHostile) {
    const auto text = generate::c_language().write(named(name), {.trace = name});
    ASSERT_TRUE(text);
    const std::string code = code_of_c(text->text);
    const auto at = std::ranges::mismatch(code, harmless).in1 - code.begin();
    EXPECT_EQ(code, harmless) << code.substr(
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at - 40)), 120);
    EXPECT_TRUE(is_plain(text->text)) << text->text;
  }
}

TEST(Hostile, NamesAreCommentsAndStringsOfConceptual) {
  const auto& language = generate::conceptual_language();
  const std::string harmless =
      tokens_of_conceptual(language.write(named("a"), {.trace = "t"})->text);
  for (const std::string& name : kHostile) {
    const auto text = language.write(named(name), {.trace = name});
    ASSERT_TRUE(text);
    EXPECT_EQ(tokens_of_conceptual(text->text), harmless) << text->text;
    EXPECT_TRUE(is_plain(text->text)) << text->text;
    EXPECT_TRUE(conceptual::parse_program(text->text, "p")) << text->text;
  }
}

}  // namespace
}  // namespace reprise
