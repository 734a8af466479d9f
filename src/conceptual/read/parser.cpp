#include "conceptual/read/parser.hpp"

#include <algorithm>
#include <cctype>

#include "conceptual/parse.hpp"

namespace reprise::conceptual {

Parser::Nested::Nested(Parser& parser) : parser_(parser) {
  if (parser.depth_ >= kMaxNesting) {
    throw Problem{parser.peek().at, "the program is nested too deeply (more than " +
                                        std::to_string(kMaxNesting) +
                                        " levels are not read); split it with LET"};
  }
  ++parser.depth_;
}

const Token& Parser::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

const Token& Parser::advance() {
  const Token& token = tokens_[at_];
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Parser::is_keyword(std::string_view word, std::size_t ahead) const {
  return peek(ahead).kind == Token::Kind::keyword && peek(ahead).text == word;
}

bool Parser::is_symbol(std::string_view symbol, std::size_t ahead) const {
  return peek(ahead).kind == Token::Kind::symbol && peek(ahead).text == symbol;
}

bool Parser::accept(std::string_view keyword) {
  if (!is_keyword(keyword)) return false;
  advance();
  return true;
}

bool Parser::accept_symbol(std::string_view symbol) {
  if (!is_symbol(symbol)) return false;
  advance();
  return true;
}

bool Parser::accept_all(std::initializer_list<std::string_view> keywords) {
  std::size_t ahead = 0;
  for (const std::string_view word : keywords) {
    if (!is_keyword(word, ahead++)) return false;
  }
  at_ += keywords.size();
  return true;
}

void Parser::expect(std::string_view keyword) {
  if (!accept(keyword)) unexpected(keyword);
}

void Parser::expect_symbol(std::string_view symbol) {
  if (!accept_symbol(symbol)) unexpected(symbol);
}

std::string Parser::expect_word(std::string_view what) {
  if (peek().kind == Token::Kind::keyword) {
    throw Problem{peek().at, peek().spelled + " cannot be " + std::string(what) +
                                 " (it is a reserved word); rename it"};
  }
  if (peek().kind != Token::Kind::word) unexpected(what);
  return advance().text;
}

std::string Parser::expect_text(std::string_view what) {
  if (peek().kind != Token::Kind::text) unexpected(what);
  return advance().text;
}

void Parser::unexpected(std::string_view wanted) const {
  const Token& token = peek();
  std::string found = token.text;
  if (token.kind == Token::Kind::keyword) found = token.spelled;
  if (token.kind == Token::Kind::text) found = "a string";
  if (token.kind == Token::Kind::number) found = std::to_string(token.value);
  if (token.after_hyphen && is_symbol("(", 1))
    throw Problem{token.at, "a minus before " + found +
                                " is none (the language reads a hyphen before a keyword as a "
                                "blank); put parentheses around what is subtracted"};
  throw Problem{token.at, found + " is not understood here (" + std::string(wanted) +
                              " should follow); see docs/run.md for what is read"};
}

void Parser::warn(Position at, const std::string& text) {
  warnings_.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + text);
}

// A program without statements is valid.
Program Parser::program() {
  Program out;
  while (declaration(out)) accept_symbol(".");
  while (peek().kind != Token::Kind::end) {
    if (declaration(out)) {
      throw Problem{out.parameters.empty() ? peek().at : out.parameters.back().at,
                    "a declaration follows a statement (declarations come first); move it up"};
    }
    out.statements.push_back(sequence());
    accept_symbol(".");
  }
  out.warnings = std::move(warnings_);
  out.ids = ids_;
  out.columns = columns_;
  return out;
}

bool Parser::declaration(Program& program) {
  if (is_keyword("REQUIRE")) {
    version();
    return true;
  }
  if (is_keyword("THE") && is_keyword("BACKEND", 1) && is_keyword("DECLARES", 2)) {
    // Kept as a statement, where check_executable finds it.
    const Position at = peek().at;
    for (int i = 0; i < 3; ++i) advance();
    expect_text("source code in a string");
    program.statements.push_back({at, Backend{}, ids_++, {}});
    return true;
  }
  if (peek().kind == Token::Kind::word && is_keyword("IS", 1)) {
    program.parameters.push_back(parameter());
    return true;
  }
  return false;
}

void Parser::version() {
  expect("REQUIRE");
  expect("LANGUAGE");
  expect("VERSION");
  const Position at = peek().at;
  const std::string version = expect_text("the language's version as a string");
  if (version != "1.5") {
    warn(at, "the program asks for version " + version +
                 " of the language (this is 1.5); check what it does");
  }
}

// "--reps" OR "-r": both, in this order.
void Parser::options(Parameter& parameter) {
  const Position at = peek().at;
  parameter.long_option = expect_text("an option such as \"--reps\"");
  if (!accept("OR"))
    throw Problem{peek().at, parameter.name +
                                 " has no option of one letter (the language asks for both); say "
                                 "COMES FROM \"" +
                                 parameter.long_option + "\" OR \"-x\""};
  parameter.short_option = expect_text("an option such as \"-r\"");
  const std::string_view word = parameter.long_option, letter = parameter.short_option;
  const auto is_of_word = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  const bool is_word =
      word.starts_with("--") && word.size() > 2 && std::ranges::all_of(word, is_of_word);
  const bool is_letter =
      letter.size() == 2 && letter[0] == '-' &&
      ((letter[1] >= 'a' && letter[1] <= 'z') || (letter[1] >= '0' && letter[1] <= '9'));
  if (is_word && is_letter) return;
  throw Problem{at, "the options of " + parameter.name +
                        " are not understood (the first is one such as \"--reps\", of letters, "
                        "digits, - and _, the second one such as \"-r\", of a small letter or a "
                        "digit); change them"};
}

Parameter Parser::parameter() {
  Parameter out;
  out.at = peek().at;
  out.name = expect_word("a parameter");
  expect("IS");
  out.help = expect_text("what the parameter is, as a string");
  expect("AND");
  expect("COMES");
  expect("FROM");
  options(out);
  expect("WITH");
  expect("DEFAULT");
  out.value = expression();
  return out;
}

}  // namespace reprise::conceptual
