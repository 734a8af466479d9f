// Tokens one after another, and the names that stand for variables where they are read.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "conceptual/lexer.hpp"

namespace reprise::conceptual {

// Ends parsing; caught in parse_program, so that no error is passed through every function.
struct SyntaxError {
  Error error;
};

class TokenStream {
 public:
  TokenStream(std::vector<Token> tokens, std::string file)
      : tokens_(std::move(tokens)), file_(std::move(file)) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  Token take() {
    Token t = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return t;
  }
  bool is(std::string_view word, std::size_t ahead = 0) const {
    const Token& t = peek(ahead);
    return t.text == word && (t.kind == Token::Kind::word || t.kind == Token::Kind::symbol);
  }
  bool take_if(std::string_view word) {
    if (!is(word)) return false;
    take();
    return true;
  }
  Token expect(std::string_view word) {
    if (is(word)) return take();
    fail("it takes " + std::string(word) + " here");
  }
  std::string expect_text() {
    if (peek().kind != Token::Kind::text) fail("it takes a text in quotes here");
    return take().text;
  }

  [[noreturn]] void fail(const std::string& why) const {
    const std::string found = peek().kind == Token::Kind::end
                                  ? "the program ends too early"
                                  : peek().written + " cannot stand here";
    fail_at(peek().place, found + " (" + why + ")");
  }
  [[noreturn]] void fail_at(Place place, const std::string& problem) const {
    throw SyntaxError{error_at(file_, place, problem)};
  }

 private:
  std::vector<Token> tokens_;
  std::string file_;
  std::size_t at_ = 0;
};

// Variables by name; an inner one hides an outer one of the same name. Names are compared in upper
// case, as the language does.
class Scope {
 public:
  Scope();
  // A new variable: its slot.
  int open(const std::string& name) {
    names_[name].push_back(slots_);
    return slots_++;
  }
  void close(const std::string& name) { names_[name].pop_back(); }
  // -1: there is none.
  int find(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() || found->second.empty() ? -1 : found->second.back();
  }
  int slots() const { return slots_; }

 private:
  std::map<std::string, std::vector<int>> names_;
  int slots_ = kPredefined;
};

// Whether a word means something by itself, and so cannot be a variable.
bool is_reserved(const std::string& word);

// Reads expressions and conditions.
class ExpressionParser {
 public:
  ExpressionParser(TokenStream& tokens, Scope& scope) : tokens_(tokens), scope_(scope) {}

  Expression expression();  // a number
  Expression relation();    // a condition

 private:
  Expression conjunction();
  Expression comparison();
  Expression sum();
  Expression product();
  Expression power();
  Expression primary();
  Expression parenthesised();
  Expression function(Operator op, std::size_t least);
  void deepen();

  TokenStream& tokens_;
  Scope& scope_;
  int depth_ = 0;
};

}  // namespace reprise::conceptual
