// Numbers, relations and ranges. Precedence from the highest: unary and **, the multiplicative with
// shifts and &, the additive with | and XOR, conditionals.
#include <algorithm>

#include "conceptual/read/keywords.hpp"
#include "conceptual/read/parser.hpp"

namespace reprise::conceptual {
namespace {

// Left-associative operators are read in a loop, but the tree of such a chain is as deep as the
// chain is long.
constexpr int kMaxChain = 1000;

void check_chain(int length, Position at) {
  if (length > kMaxChain) {
    throw Problem{at, "the expression is too long (more than " + std::to_string(kMaxChain) +
                          " operators in a row are not read); split it with LET"};
  }
}

}  // namespace

Expr Parser::binary(Op op, Position at, Expr a, Expr b) {
  Expr out;
  out.op = op;
  out.at = at;
  out.operands.push_back(std::move(a));
  out.operands.push_back(std::move(b));
  return out;
}

Expr Parser::expression() {
  const Nested nested(*this);
  Expr out = sum();
  const Position at = peek().at;
  if (!accept("IF")) return out;
  auto condition = std::make_shared<Relation>(relation());
  expect("OTHERWISE");
  out = binary(Op::conditional, at, std::move(out), expression());
  out.condition = std::move(condition);
  return out;
}

Expr Parser::sum() {
  Expr out = product();
  for (int n = 0;; check_chain(++n, peek().at)) {
    const Position at = peek().at;
    if (accept_symbol("+")) {
      out = binary(Op::add, at, std::move(out), product());
    } else if (accept_symbol("-")) {
      out = binary(Op::subtract, at, std::move(out), product());
    } else if (accept_symbol("|")) {
      out = binary(Op::bit_or, at, std::move(out), product());
    } else if (accept("XOR")) {
      out = binary(Op::bit_xor, at, std::move(out), product());
    } else {
      return out;
    }
  }
}

Expr Parser::product() {
  Expr out = unary();
  for (int n = 0;; check_chain(++n, peek().at)) {
    const Position at = peek().at;
    // A star that nothing follows means that the mesh wraps around.
    const bool star = is_symbol("*") && !is_symbol(",", 1) && !is_symbol(")", 1);
    if (star && accept_symbol("*")) {
      out = binary(Op::multiply, at, std::move(out), unary());
    } else if (accept_symbol("/")) {
      out = binary(Op::divide, at, std::move(out), unary());
    } else if (accept("MOD")) {
      out = binary(Op::modulo, at, std::move(out), unary());
    } else if (accept_symbol("<<")) {
      out = binary(Op::shift_left, at, std::move(out), unary());
    } else if (accept_symbol(">>")) {
      out = binary(Op::shift_right, at, std::move(out), unary());
    } else if (accept_symbol("&")) {
      out = binary(Op::bit_and, at, std::move(out), unary());
    } else {
      return out;
    }
  }
}

Expr Parser::unary() {
  const Nested nested(*this);
  Expr out;
  out.at = peek().at;
  if (accept_symbol("+")) return unary();
  if (accept_symbol("-")) {
    out.op = Op::negate;
  } else if (accept("NOT")) {
    out.op = Op::complement;
  } else {
    return power();
  }
  out.operands.push_back(unary());
  return out;
}

Expr Parser::power() {
  Expr out = primary();
  const Position at = peek().at;
  return accept_symbol("**") ? binary(Op::power, at, std::move(out), unary()) : out;
}

Expr Parser::primary() {
  Expr out;
  out.at = peek().at;
  if (peek().kind == Token::Kind::number) {
    out.value = advance().value;
    return out;
  }
  if (peek().kind == Token::Kind::word) {
    out.op = Op::variable;
    out.name = advance().text;
    return out;
  }
  if (accept_symbol("(")) {
    out = expression();
    expect_symbol(")");
    return out;
  }
  if (is_keyword("REAL") && is_symbol("(", 1)) {
    if (peek().after_hyphen) warn_of_minus();
    advance();
    advance();
    out.op = Op::real;
    out.operands.push_back(expression());
    expect_symbol(")");
    return out;
  }
  if (peek().kind == Token::Kind::keyword && is_function(peek().spelled) && is_symbol("(", 1))
    return call();
  if (peek().kind == Token::Kind::keyword &&
      (is_other_function(peek().spelled) || (is_keyword("MY") && is_keyword("TASK", 1))))
    throw Problem{out.at, peek().spelled +
                              " is not executed (its value is one of the machine or of a file); "
                              "see docs/run.md for what is"};
  unexpected("a number");
}

void Parser::warn_of_minus() {
  warn(peek().at, "the minus before " + peek().spelled +
                      " is none (the language reads a hyphen before a keyword as a blank); put "
                      "parentheses around what it stands before");
}

Expr Parser::call() {
  Expr out;
  out.op = Op::call;
  out.at = peek().at;
  if (peek().after_hyphen) warn_of_minus();
  out.name = advance().spelled;
  expect_symbol("(");
  if (out.name.starts_with("MESH_")) {
    mesh_arguments(out);
  } else {
    do {
      out.operands.push_back(expression());
    } while (accept_symbol(","));
  }
  expect_symbol(")");
  return out;
}

// MESH_NEIGHBOR((4*, 3), task, (+1, 0)), MESH_COORDINATE((4, 3), task, 0),
// MESH_DISTANCE((4, 3), task, task).
void Parser::mesh_arguments(Expr& call) {
  expect_symbol("(");
  do {
    call.operands.push_back(expression());
    call.wraps.push_back(accept_symbol("*"));
  } while (accept_symbol(","));
  expect_symbol(")");
  call.dimensions = call.operands.size();
  expect_symbol(",");
  call.operands.push_back(expression());
  expect_symbol(",");
  if (call.name != "MESH_NEIGHBOR") {
    call.operands.push_back(expression());
    return;
  }
  const Position at = peek().at;
  expect_symbol("(");
  std::size_t offsets = 0;
  do {
    call.operands.push_back(expression());
    ++offsets;
  } while (accept_symbol(","));
  expect_symbol(")");
  if (offsets != call.dimensions)
    throw Problem{at, "there are not as many offsets as dimensions (" + std::to_string(offsets) +
                          " and " + std::to_string(call.dimensions) + "); give one for each"};
}

bool Parser::starts_expression() const {
  const Token& token = peek();
  switch (token.kind) {
    case Token::Kind::number:
    case Token::Kind::word: return true;
    case Token::Kind::symbol: return token.text == "(" || token.text == "-" || token.text == "+";
    case Token::Kind::keyword:
      return token.text == "NOT" ||
             ((token.text == "REAL" || is_function(token.spelled)) && is_symbol("(", 1));
    default: return false;
  }
}

Relation Parser::relation() {
  const Nested nested(*this);
  Relation first = conjunction();
  if (!is_symbol("\\/")) return first;
  Relation out;
  out.kind = Relation::Kind::either;
  out.at = first.at;
  out.parts.push_back(std::move(first));
  while (accept_symbol("\\/")) out.parts.push_back(conjunction());
  return out;
}

Relation Parser::conjunction() {
  Relation first = primary_relation();
  if (!is_symbol("/\\")) return first;
  Relation out;
  out.kind = Relation::Kind::both;
  out.at = first.at;
  out.parts.push_back(std::move(first));
  while (accept_symbol("/\\")) out.parts.push_back(primary_relation());
  return out;
}

// An opening parenthesis may begin a relation or an expression. The word behind the closing one
// tells which.
bool Parser::is_parenthesised_relation() const {
  if (!is_symbol("(") || peek().partner == 0) return false;
  const Token& behind = tokens_[peek().partner + 1];
  static constexpr std::string_view kGoesOn[] = {"+",  "-", "*", "/", "|",  "&",  "<<", ">>",
                                                 "**", "=", "<", ">", "<=", ">=", "<>"};
  if (behind.kind == Token::Kind::symbol)
    return std::find(std::begin(kGoesOn), std::end(kGoesOn), behind.text) == std::end(kGoesOn);
  if (behind.kind != Token::Kind::keyword) return true;
  // Tasks that are described by a relation may be ASSIGNED behind it.
  if (behind.text == "IS") return tokens_[peek().partner + 2].text == "ASSIGNED";
  return behind.text != "MOD" && behind.text != "XOR" && behind.text != "DIVIDES" &&
         behind.text != "IF";
}

Relation Parser::primary_relation() {
  const Nested nested(*this);
  if (!is_parenthesised_relation()) return comparison();
  expect_symbol("(");
  Relation out = relation();
  expect_symbol(")");
  return out;
}

Relation Parser::comparison() {
  using Kind = Relation::Kind;
  Relation out;
  out.operands.push_back(expression());
  out.at = peek().at;
  if (accept("IS")) {
    const bool inverted = accept("NOT");
    if (accept("IN")) {
      out.kind = inverted ? Kind::not_in : Kind::in;
      out.ranges = is_symbol("[") ? interval() : ranges();
      return out;
    }
    if (inverted) unexpected("IN");
    if (!is_keyword("EVEN") && !is_keyword("ODD")) unexpected("EVEN, ODD, IN or NOT IN");
    out.kind = advance().text == "EVEN" ? Kind::even : Kind::odd;
    return out;
  }
  static constexpr std::pair<std::string_view, Kind> kSigns[] = {
      {"=", Kind::equal},    {"<", Kind::less},      {">", Kind::greater},
      {"<=", Kind::at_most}, {">=", Kind::at_least}, {"<>", Kind::unequal}};
  if (accept("DIVIDES")) {
    out.kind = Kind::divides;
    out.operands.push_back(expression());
    return out;
  }
  for (const auto& [sign, kind] : kSigns) {
    if (!accept_symbol(sign)) continue;
    out.kind = kind;
    out.operands.push_back(expression());
    return out;
  }
  unexpected("a relation such as = or IS EVEN");
}

std::vector<Range> Parser::ranges() {
  std::vector<Range> out;
  do {
    out.push_back(range());
  } while (is_symbol(",") && is_symbol("{", 1) && accept_symbol(","));
  return out;
}

// [low, high], an older form of {low, ..., high}.
std::vector<Range> Parser::interval() {
  Range out;
  out.at = peek().at;
  expect_symbol("[");
  out.items.push_back(expression());
  expect_symbol(",");
  out.last = expression();
  expect_symbol("]");
  return {out};
}

Range Parser::range() {
  Range out;
  out.at = peek().at;
  expect_symbol("{");
  out.items.push_back(expression());
  if (is_keyword("FOR"))
    throw Problem{peek().at,
                  "a set is made of others (such sets are not executed); list its numbers"};
  while (accept_symbol(",")) {
    if (accept_symbol("...")) {
      expect_symbol(",");
      out.last = expression();
      break;
    }
    out.items.push_back(expression());
  }
  expect_symbol("}");
  return out;
}

}  // namespace reprise::conceptual
