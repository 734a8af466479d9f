// Who takes part, and what is sent.
#include "conceptual/parser.hpp"

namespace reprise::conceptual {

Tasks Parser::source_tasks() {
  Tasks out;
  out.at = peek().at;
  if (!accept("ALL")) return tasks_behind_task();
  if (is_keyword("OTHER"))
    throw Problem{peek().at,
                  "ALL OTHER TASKS cannot act (they are other than those that do); say "
                  "TASKS t SUCH THAT ..."};
  expect("TASK");
  if (peek().kind == Token::Kind::word) out.name = advance().text;
  return out;
}

Tasks Parser::target_tasks() {
  Tasks out;
  out.at = peek().at;
  if (!accept("ALL")) return tasks_behind_task();
  if (!accept("OTHER"))
    throw Problem{peek().at,
                  "ALL TASKS cannot be a target (the language has ALL OTHER TASKS "
                  "there); say TASKS t SUCH THAT t >= 0 for all"};
  expect("TASK");
  out.kind = Tasks::Kind::all_others;
  return out;
}

Tasks Parser::tasks_behind_task() {
  Tasks out;
  out.at = peek().at;
  if (!is_keyword("TASK")) unexpected("ALL TASKS or TASK");
  advance();
  if (accept("GROUP")) {
    out.kind = Tasks::Kind::group;
    out.name = expect_word("a group of tasks");
    return out;
  }
  if (peek().kind == Token::Kind::word && is_keyword("SUCH", 1)) {
    out.kind = Tasks::Kind::such_that;
    out.name = advance().text;
    expect("SUCH");
    expect("THAT");
    out.relation = relation();
    return out;
  }
  out.kind = Tasks::Kind::single;
  out.expr = expression();
  return out;
}

bool Parser::unit(Unit& unit) {
  static constexpr std::pair<std::string_view, Unit> kUnits[] = {
      {"BIT", Unit::bit},           {"BYTE", Unit::byte},        {"HALFWORD", Unit::halfword},
      {"WORD", Unit::word},         {"INTEGER", Unit::integer},  {"DOUBLEWORD", Unit::doubleword},
      {"QUADWORD", Unit::quadword}, {"PAGE", Unit::page},        {"KILOBYTE", Unit::kilobyte},
      {"MEGABYTE", Unit::megabyte}, {"GIGABYTE", Unit::gigabyte}};
  for (const auto& [name, value] : kUnits) {
    if (!accept(name)) continue;
    unit = value;
    return true;
  }
  return false;
}

Unit Parser::data_type() {
  Unit out = Unit::word;
  const Position at = peek().at;
  if (!unit(out)) unexpected("a unit such as WORDS");
  if (out == Unit::bit || out == Unit::kilobyte || out == Unit::megabyte || out == Unit::gigabyte)
    throw Problem{at,
                  "this unit is no type of data (types are BYTE to QUADWORD, and PAGE); take "
                  "one of those"};
  return out;
}

bool Parser::alignment() { return accept("ALIGNED") || accept("MISALIGNED"); }

// [UNIQUE] [size unit] [[size] unit ALIGNED]. False: that was all there is of it.
bool Parser::size_or_alignment(Message& message) {
  if (accept("UNIQUE") || accept("NONUNIQUE") || accept("UNALIGNED")) return true;
  if (starts_expression()) {
    Expr size = expression();
    Unit of = Unit::byte;
    if (!unit(of)) unexpected("a unit such as BYTES");
    if (alignment()) return true;
    message.size = std::move(size);
    message.unit = of;
    return true;
  }
  Unit of = Unit::byte;
  const Position at = peek().at;
  if (!unit(of)) return false;
  if (alignment()) return true;
  if (!accept("SIZED")) {
    throw Problem{at,
                  "a number stands before a unit in place of a count (the count comes first, "
                  "then the size); say A 10 BYTE MESSAGE, or 3 10 BYTE MESSAGES"};
  }
  message.size.value = 1;
  message.unit = of;
  return true;
}

Message Parser::message(std::string_view buffer_word) {
  Message out;
  out.count.value = 1;
  out.count.at = out.size.at = peek().at;
  if (!accept("A")) out.count = expression();
  while (size_or_alignment(out)) {
  }
  expect("MESSAGE");
  trailing(out, buffer_word);
  return out;
}

Message Parser::reduced(std::string_view buffer_word) {
  Message out;
  out.count.value = 1;
  out.count.at = peek().at;
  if (!accept("A")) out.count = expression();
  reduced_result(out);
  trailing(out, buffer_word);
  return out;
}

// [UNIQUE] [alignment] INTEGERS|DOUBLEWORDS. A type may be an alignment: DOUBLEWORD ALIGNED.
void Parser::reduced_result(Message& message) {
  for (;;) {
    if (accept("UNIQUE") || accept("NONUNIQUE") || accept("UNALIGNED")) continue;
    const Position at = peek().at;
    const bool sized = starts_expression();
    if (sized) expression();
    Unit of = Unit::byte;
    if (!unit(of)) unexpected("INTEGERS or DOUBLEWORDS");
    if (alignment()) continue;
    if (sized || (of != Unit::integer && of != Unit::doubleword))
      throw Problem{at,
                    "only INTEGERS and DOUBLEWORDS can be reduced (the language has no other); "
                    "take one of them"};
    message.unit = of;
    return;
  }
}

bool Parser::touching(bool& touching, bool& verification) {
  const bool with = is_keyword("WITH");
  if (!with && !is_keyword("WITHOUT")) return false;
  if (is_keyword("VERIFICATION", 1)) {
    advance();
    advance();
    verification = with;
    touching = false;
    return true;
  }
  if (!is_keyword("DATA", 1)) return false;
  advance();
  advance();
  expect("TOUCHING");
  touching = with;
  verification = false;
  return true;
}

// FROM|INTO [offset unit INTO] BUFFER n, or THE DEFAULT BUFFER. FROM may also begin who sends.
bool Parser::buffer(std::string_view word) {
  if (!is_keyword(word)) return false;
  if (is_keyword("THE", 1) && is_keyword("DEFAULT", 2)) {
    at_ += 3;
    expect("BUFFER");
    return true;
  }
  if (is_keyword("TASK", 1) || is_keyword("ALL", 1)) return false;
  advance();
  if (!is_keyword("BUFFER")) {
    expression();
    Unit of = Unit::byte;
    if (!unit(of)) unexpected("a unit such as BYTES");
    expect("INTO");
    if (accept_all({"THE", "DEFAULT", "BUFFER"})) return true;
  }
  expect("BUFFER");
  expression();
  return true;
}

void Parser::trailing(Message& message, std::string_view buffer_word) {
  for (;;) {
    if (touching(message.touching, message.verification) || buffer(buffer_word)) continue;
    if (!accept("USING")) return;
    if (accept("TAG")) {
      if (peek().kind == Token::Kind::text)
        throw Problem{peek().at, "a tag is a string (only numbers are executed); take a number"};
      message.tag = expression();
    } else {
      unexpected("TAG");
    }
  }
}

std::int64_t Parser::time_unit() {
  static constexpr std::pair<std::string_view, std::int64_t> kUnits[] = {
      {"MICROSECOND", 1},   {"MILLISECOND", 1000}, {"SECOND", 1000000},
      {"MINUTE", 60000000}, {"HOUR", 3600000000},  {"DAY", 86400000000}};
  for (const auto& [name, us] : kUnits) {
    if (accept(name)) return us;
  }
  return 0;
}

}  // namespace reprise::conceptual
