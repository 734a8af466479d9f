// Statements that hold others, and the one that asserts.
#include "conceptual/read/parser.hpp"

namespace reprise::conceptual {

Body Parser::body() { return std::make_unique<Statement>(statement()); }

Statement Parser::sequence() {
  Statement first = statement();
  if (!is_keyword("THEN")) return first;
  Statement out{first.at, Sequence{}, ids_++, {}};
  auto& statements = std::get<Sequence>(out.what).statements;
  statements.push_back(std::move(first));
  while (accept("THEN")) statements.push_back(statement());
  return out;
}

Statement Parser::braces() {
  const Position at = peek().at;
  expect_symbol("{");
  if (accept_symbol("}")) return {at, Sequence{}, ids_++, {}};
  Statement out = sequence();
  expect_symbol("}");
  return out;
}

Statement Parser::statement() {
  const Nested nested(*this);
  if (is_symbol("{")) return braces();
  if (is_keyword("FOR")) return for_statement();
  if (is_keyword("LET")) return let();
  if (is_keyword("IF")) return if_statement();
  if (is_keyword("ASSERT")) return assertion();
  if (is_keyword("TASK") || is_keyword("ALL")) return of_tasks();
  unexpected("a statement");
}

Statement Parser::for_statement() {
  const Position at = peek().at;
  expect("FOR");
  if (accept("EACH")) {
    ForEach out;
    out.name = expect_word("a variable");
    expect("IN");
    out.ranges = ranges();
    out.body = body();
    return {at, std::move(out), ids_++, {}};
  }
  Expr count = expression();
  if (const std::int64_t us = time_unit(); us != 0) {
    ForTime out;
    out.length = std::move(count);
    out.unit_us = us;
    out.synchronize = warmup(out.warmup, [&] {
      out.warmup_unit_us = time_unit();
      if (out.warmup_unit_us == 0) unexpected("a unit of time");
    });
    out.body = body();
    return {at, std::move(out), ids_++, {}};
  }
  ForCount out;
  out.count = std::move(count);
  if (!accept("REPETITION")) unexpected("REPETITIONS or a unit of time");
  out.synchronize = warmup(out.warmup, [&] { expect("REPETITION"); });
  out.body = body();
  return {at, std::move(out), ids_++, {}};
}

// [PLUS length WARMUP unit [AND A SYNCHRONIZATION]]. Whether there is the last.
bool Parser::warmup(std::optional<Expr>& length, const std::function<void()>& unit) {
  if (!accept("PLUS")) return false;
  length = expression();
  expect("WARMUP");
  unit();
  if (!accept("AND")) return false;
  expect("A");
  expect("SYNCHRONIZATION");
  return true;
}

Statement Parser::let() {
  const Position at = peek().at;
  expect("LET");
  Let out;
  do {
    out.bindings.push_back(binding());
  } while (accept("AND"));
  expect("WHILE");
  out.body = body();
  return {at, std::move(out), ids_++, {}};
}

Binding Parser::binding() {
  Binding out;
  out.at = peek().at;
  out.name = expect_word("a variable");
  expect("BE");
  if (accept_all({"A", "RANDOM", "TASK"})) {
    random_task(out);
  } else if (is_keyword("TASK") || is_keyword("ALL")) {
    out.kind = Binding::Kind::tasks;
    out.tasks = source_tasks();
  } else {
    out.value = expression();
  }
  return out;
}

void Parser::random_task(Binding& binding) {
  using Limit = Binding::Limit;
  binding.kind = Binding::Kind::random_task;
  if (accept("OTHER")) {
    expect("THAN");
    binding.limit = Limit::other_than;
    binding.value = expression();
    return;
  }
  if (is_keyword("LESS") || is_keyword("GREATER")) {
    binding.limit = advance().text == "LESS" ? Limit::less_than : Limit::greater_than;
    expect("THAN");
    binding.value = expression();
  } else if (accept("IN")) {
    binding.limit = Limit::within;
    expect_symbol("[");
    binding.value = expression();
    expect_symbol(",");
    binding.high = expression();
    expect_symbol("]");
  } else {
    return;
  }
  if (accept("BUT")) {
    expect("NOT");
    binding.but_not = expression();
  }
}

Statement Parser::if_statement() {
  const Position at = peek().at;
  expect("IF");
  If out;
  out.relation = relation();
  expect("THEN");
  out.then = body();
  if (accept("OTHERWISE")) out.otherwise = body();
  return {at, std::move(out), ids_++, {}};
}

Statement Parser::assertion() {
  const Position at = peek().at;
  expect("ASSERT");
  expect("THAT");
  Assert out;
  out.text = expect_text("what is asserted, as a string");
  expect("WITH");
  out.relation = relation();
  return {at, std::move(out), ids_++, {}};
}

}  // namespace reprise::conceptual
