// Sets of tasks, and descriptions of messages.
#include "conceptual/read/parser.hpp"

namespace reprise::conceptual {
namespace {

bool unit_of(std::string_view word, Unit& unit) {
  static constexpr std::pair<std::string_view, Unit> kUnits[] = {
      {"BIT", Unit::bit},           {"BYTE", Unit::byte},        {"HALFWORD", Unit::halfword},
      {"WORD", Unit::word},         {"INTEGER", Unit::integer},  {"DOUBLEWORD", Unit::doubleword},
      {"QUADWORD", Unit::quadword}, {"PAGE", Unit::page},        {"KILOBYTE", Unit::kilobyte},
      {"MEGABYTE", Unit::megabyte}, {"GIGABYTE", Unit::gigabyte}};
  for (const auto& [name, value] : kUnits) {
    if (name != word) continue;
    unit = value;
    return true;
  }
  return false;
}

}  // namespace

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
  if (is_symbol("{")) return listed_tasks(out.at);
  out.kind = Tasks::Kind::single;
  out.expr = expression();
  return out;
}

// TASKS {0, 2, ..., 8} means TASKS a SUCH THAT a IS IN {0, 2, ..., 8}, with a variable that no
// program can name.
Tasks Parser::listed_tasks(Position at) {
  Tasks out;
  out.at = at;
  out.kind = Tasks::Kind::such_that;
  out.name.assign(1, 'a');  // gcc 12 warns of an assigned literal
  Expr task;
  task.op = Op::variable;
  task.at = at;
  task.name = out.name;
  out.relation.kind = Relation::Kind::in;
  out.relation.at = at;
  out.relation.operands.push_back(std::move(task));
  out.relation.ranges = ranges();
  return out;
}

bool Parser::unit(Unit& unit) {
  if (peek().kind != Token::Kind::keyword || !unit_of(peek().text, unit)) return false;
  advance();
  return true;
}

Unit Parser::data_type() {
  Unit out = Unit::word;
  const Position at = peek().at;
  if (!unit(out)) unexpected("a unit such as WORDS");
  if (out == Unit::bit || out == Unit::kilobyte || out == Unit::megabyte || out == Unit::gigabyte)
    throw Problem{at,
                  "this unit is not a type of data (types are BYTE to QUADWORD, and PAGE); take "
                  "one of those"};
  return out;
}

bool Parser::alignment(Message& message) {
  if (!accept("ALIGNED") && !accept("MISALIGNED")) return false;
  message.aligned = true;
  return true;
}

void Parser::uniqueness() {
  if (!accept("UNIQUE")) accept("NONUNIQUE");
}

bool Parser::is_unit() const {
  Unit ignored = Unit::byte;
  return peek().kind == Token::Kind::keyword && unit_of(peek().text, ignored);
}

// [size] [alignment], in this order. A size is a number of a unit, or one unit that is SIZED.
void Parser::size_and_alignment(Message& message) {
  if (starts_expression()) {
    Expr size = expression();
    Unit of = Unit::byte;
    if (!unit(of)) unexpected("a unit such as BYTES");
    if (alignment(message)) {
      message.without_effect.push_back(std::move(size));
      return;
    }
    message.size = std::move(size);
    message.unit = of;
    message.sized = true;
  } else if (is_unit()) {
    const Position at = peek().at;
    if (is_keyword("MESSAGE", 1)) {
      throw Problem{at,
                    "a number stands before a unit in place of a count (the count comes first, "
                    "then the size); say A 10 BYTE MESSAGE, or 3 10 BYTE MESSAGES"};
    }
    const Unit of = data_type();
    if (alignment(message)) return;
    if (!accept("SIZED")) unexpected("SIZED or ALIGNED");
    message.size.value = 1;
    message.unit = of;
    message.sized = true;
  }
  alignment_alone(message);
}

void Parser::alignment_alone(Message& message) {
  if (accept("UNALIGNED")) return;
  if (starts_expression()) {
    message.without_effect.push_back(expression());
    Unit of = Unit::byte;
    if (!unit(of)) unexpected("a unit such as BYTES");
  } else if (is_unit()) {
    data_type();
  } else {
    return;
  }
  if (!alignment(message)) unexpected("ALIGNED or MISALIGNED");
}

// The language's compiler rejects an alignment together with a tag.
void Parser::check_alignment(const Message& message, bool has_tag, Position at) const {
  if (message.aligned && has_tag)
    throw Problem{at,
                  "a message is ALIGNED and has a tag (the language's compiler takes one of both); "
                  "leave one out"};
}

Message Parser::message(std::string_view buffer_word) {
  Message out;
  out.count.value = 1;
  out.count.at = out.size.at = peek().at;
  if (!accept("A")) out.count = expression();
  uniqueness();
  size_and_alignment(out);
  if (buffer_word == "INTO" && out.aligned && !out.sized)
    throw Problem{out.size.at,
                  "what is received is ALIGNED and has no size (the language needs one there); say "
                  "A 0 BYTE ... ALIGNED MESSAGE"};
  expect("MESSAGE");
  trailing(out, buffer_word);
  check_alignment(out, out.tag.has_value(), out.size.at);
  return out;
}

Message Parser::reduced(std::string_view buffer_word) {
  Message out;
  out.count.value = 1;
  out.count.at = peek().at;
  if (!accept("A")) out.count = expression();
  reduced_result(out);
  const Position at = peek().at;
  trailing(out, buffer_word);
  if (out.verification)
    throw Problem{at,
                  "what is reduced cannot be sent WITH VERIFICATION (the result is another "
                  "number than those that are sent); leave it out"};
  return out;
}

// [UNIQUE] [alignment] INTEGERS|DOUBLEWORDS. A type may be an alignment: DOUBLEWORD ALIGNED.
void Parser::reduced_result(Message& message) {
  static constexpr const char* kOthers =
      "only INTEGERS and DOUBLEWORDS can be reduced (the language has no other); take one of them";
  uniqueness();
  Position at = peek().at;
  bool is_aligned = accept("UNALIGNED");
  if (!is_aligned && starts_expression()) {
    message.without_effect.push_back(expression());
    Unit of = Unit::byte;
    if (!unit(of)) unexpected("INTEGERS or DOUBLEWORDS");
    if (!alignment(message)) throw Problem{at, kOthers};
    is_aligned = true;
  }
  if (!is_aligned || is_unit()) {
    at = peek().at;
    if (!is_unit()) unexpected("INTEGERS or DOUBLEWORDS");
    message.unit = data_type();
    if (!is_aligned && alignment(message)) {
      at = peek().at;
      message.unit = data_type();
    }
  } else {
    unexpected("INTEGERS or DOUBLEWORDS");
  }
  if (message.unit != Unit::integer && message.unit != Unit::doubleword) throw Problem{at, kOthers};
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
bool Parser::buffer(std::string_view word, Message& message) {
  if (!is_keyword(word)) return false;
  if (is_keyword("THE", 1) && is_keyword("DEFAULT", 2)) {
    at_ += 3;
    expect("BUFFER");
    return true;
  }
  if (is_keyword("TASK", 1) || is_keyword("ALL", 1)) return false;
  advance();
  if (!is_keyword("BUFFER")) {
    message.without_effect.push_back(expression());
    Unit of = Unit::byte;
    if (!unit(of)) unexpected("a unit such as BYTES");
    expect("INTO");
    if (accept_all({"THE", "DEFAULT", "BUFFER"})) return true;
  }
  expect("BUFFER");
  message.without_effect.push_back(expression());
  return true;
}

std::optional<Expr> Parser::tag() {
  if (!accept("USING")) return std::nullopt;
  expect("TAG");
  if (peek().kind == Token::Kind::text)
    throw Problem{peek().at, "a tag is a string (only numbers are executed); take a number"};
  return expression();
}

void Parser::trailing(Message& message, std::string_view buffer_word) {
  touching(message.touching, message.verification);
  message.tag = tag();
  buffer(buffer_word, message);
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
