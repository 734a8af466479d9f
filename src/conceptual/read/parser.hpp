// A parser by recursive descent: a method for each rule of the language's grammar. Its methods are
// in several files, by what they read.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conceptual/ast.hpp"
#include "conceptual/read/token.hpp"

namespace reprise::conceptual {

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  // The whole program; names are not looked up yet. Throws Problem.
  Program program();

 private:
  // One level of nesting, for as long as it lives.
  class Nested {
   public:
    explicit Nested(Parser& parser);
    ~Nested() { --parser_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Parser& parser_;
  };

  // Words (parser.cpp).
  const Token& peek(std::size_t ahead = 0) const;
  const Token& advance();
  bool is_keyword(std::string_view word, std::size_t ahead = 0) const;
  bool is_symbol(std::string_view symbol, std::size_t ahead = 0) const;
  bool accept(std::string_view keyword);
  bool accept_symbol(std::string_view symbol);
  bool accept_all(std::initializer_list<std::string_view> keywords);
  void expect(std::string_view keyword);
  void expect_symbol(std::string_view symbol);
  std::string expect_word(std::string_view what);
  std::string expect_text(std::string_view what);
  [[noreturn]] void unexpected(std::string_view wanted) const;
  void warn(Position at, const std::string& text);

  // The program and its declarations (parser.cpp).
  bool declaration(Program& program);
  void version();
  Parameter parameter();
  void options(Parameter& parameter);

  // Numbers, relations and ranges (parse_expression.cpp).
  Expr expression();
  Expr sum();
  Expr product();
  Expr unary();
  Expr power();
  Expr primary();
  Expr call();
  void mesh_arguments(Expr& call);
  void warn_of_minus();
  Expr binary(Op op, Position at, Expr a, Expr b);
  bool starts_expression() const;
  Relation relation();
  Relation conjunction();
  Relation primary_relation();
  Relation comparison();
  bool is_parenthesised_relation() const;
  std::vector<Range> ranges();
  std::vector<Range> interval();
  Range range();

  // Tasks and messages (parse_message.cpp).
  Tasks source_tasks();
  Tasks target_tasks();
  Tasks tasks_behind_task();
  Tasks listed_tasks(Position at);
  Message message(std::string_view buffer_word);
  Message reduced(std::string_view buffer_word);
  void reduced_result(Message& message);
  void uniqueness();
  void size_and_alignment(Message& message);
  void alignment_alone(Message& message);
  bool alignment(Message& message);
  void check_alignment(const Message& message, bool has_tag, Position at) const;
  bool unit(Unit& unit);
  bool is_unit() const;
  Unit data_type();
  void trailing(Message& message, std::string_view buffer_word);
  bool touching(bool& touching, bool& verification);
  std::optional<Expr> tag();
  bool buffer(std::string_view word, Message& message);
  std::int64_t time_unit();

  // Statements.
  Statement statement();  // parse_statement.cpp
  Body body();
  Statement sequence();
  Statement braces();
  Statement for_statement();
  bool warmup(std::optional<Expr>& length, const std::function<void()>& unit);
  Statement let();
  Binding binding();
  void random_task(Binding& binding);
  Statement if_statement();
  Statement assertion();
  Statement of_tasks();  // parse_simple.cpp
  Statement send(Tasks source, Position at, bool asynchronously);
  void received(Send& send);
  Statement receive(Tasks target, Position at, bool asynchronously);
  Statement multicast(Tasks source, Position at);
  Statement reduce(Tasks source, Position at);
  Statement delay(Tasks source, Position at, Delay::How how);
  Statement output(Tasks source, Position at);
  Statement log(Tasks source, Position at);
  Statement touch(Tasks source, Position at);
  Statement assign(Tasks source, Position at);
  Statement backend(Tasks source, Position at);
  Statement counters(Tasks source, Position at, Counters::Action action);
  Column column();
  Aggregate aggregate();
  Item item();
  Item text_item();

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::string> warnings_;
  std::size_t ids_ = 0, columns_ = 0;
};

}  // namespace reprise::conceptual
