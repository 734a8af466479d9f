#include <array>

#include "conceptual/parser.hpp"
#include "conceptual/token_stream.hpp"

namespace reprise::conceptual {
namespace {

Expression make(Operator op, Place place, std::vector<Expression> operands) {
  Expression out;
  out.op = op;
  out.place = place;
  out.operands = std::move(operands);
  for (const Expression& o : out.operands) out.counters = out.counters || o.counters;
  return out;
}

struct Word {
  std::string_view word;
  Operator op;
};

constexpr std::array<Word, 5> kSums{{{"+", Operator::add},
                                     {"-", Operator::subtract},
                                     {"|", Operator::bit_or},
                                     {"^", Operator::bit_xor},
                                     {"XOR", Operator::bit_xor}}};
constexpr std::array<Word, 6> kProducts{{{"*", Operator::multiply},
                                         {"/", Operator::divide},
                                         {"MOD", Operator::modulo},
                                         {"<<", Operator::shift_left},
                                         {">>", Operator::shift_right},
                                         {"&", Operator::bit_and}}};
constexpr std::array<Word, 7> kComparisons{{{"<", Operator::less},
                                            {"<=", Operator::less_equal},
                                            {">", Operator::greater},
                                            {">=", Operator::greater_equal},
                                            {"=", Operator::equal},
                                            {"<>", Operator::not_equal},
                                            {"DIVIDES", Operator::divides}}};

template <std::size_t N>
const Word* find_word(const std::array<Word, N>& words, const TokenStream& tokens) {
  for (const Word& w : words) {
    if (tokens.is(w.word)) return &w;
  }
  return nullptr;
}

}  // namespace

Scope::Scope() {
  names_["NUM_TASKS"] = {kNumTasks};
  names_["ELAPSED_USECS"] = {kElapsed};
  names_["BYTES_SENT"] = {kBytesSent};
  names_["BYTES_RECEIVED"] = {kBytesReceived};
  names_["MSGS_SENT"] = {kMessagesSent};
  names_["MSGS_RECEIVED"] = {kMessagesReceived};
  names_["TOTAL_BYTES"] = {kTotalBytes};
  names_["TOTAL_MSGS"] = {kTotalMessages};
}

void ExpressionParser::deepen() {
  if (++depth_ > kMaxNesting) tokens_.fail("an expression nests too deeply; split it with LET");
}

Expression ExpressionParser::expression() { return sum(); }

Expression ExpressionParser::relation() {
  Expression out = conjunction();
  while (tokens_.is("\\/")) {
    const Place place = tokens_.take().place;
    out = make(Operator::logical_or, place, {std::move(out), conjunction()});
  }
  return out;
}

Expression ExpressionParser::conjunction() {
  Expression out = comparison();
  while (tokens_.is("/\\")) {
    const Place place = tokens_.take().place;
    out = make(Operator::logical_and, place, {std::move(out), comparison()});
  }
  return out;
}

Expression ExpressionParser::comparison() {
  Expression out = sum();
  if (const Word* w = find_word(kComparisons, tokens_)) {
    const Place place = tokens_.take().place;
    return make(w->op, place, {std::move(out), sum()});
  }
  if (!tokens_.is("IS")) return out;
  const Place place = tokens_.take().place;
  if (tokens_.take_if("EVEN")) return make(Operator::is_even, place, {std::move(out)});
  if (tokens_.take_if("ODD")) return make(Operator::is_odd, place, {std::move(out)});
  tokens_.expect("IN");
  tokens_.expect("[");
  Expression low = sum();
  tokens_.expect(",");
  Expression high = sum();
  tokens_.expect("]");
  return make(Operator::is_in, place, {std::move(out), std::move(low), std::move(high)});
}

Expression ExpressionParser::sum() {
  Expression out = product();
  while (const Word* w = find_word(kSums, tokens_)) {
    const Place place = tokens_.take().place;
    out = make(w->op, place, {std::move(out), product()});
  }
  return out;
}

Expression ExpressionParser::product() {
  Expression out = power();
  while (const Word* w = find_word(kProducts, tokens_)) {
    const Place place = tokens_.take().place;
    out = make(w->op, place, {std::move(out), power()});
  }
  return out;
}

Expression ExpressionParser::power() {
  deepen();
  Expression out;
  const Place place = tokens_.peek().place;
  if (tokens_.take_if("-")) {
    out = make(Operator::negate, place, {power()});
  } else if (tokens_.take_if("+")) {
    out = power();
  } else if (tokens_.take_if("~") || tokens_.take_if("NOT")) {
    out = make(Operator::invert, place, {power()});
  } else {
    out = primary();
    if (tokens_.take_if("**")) out = make(Operator::power, place, {std::move(out), power()});
  }
  --depth_;
  return out;
}

Expression ExpressionParser::parenthesised() {
  tokens_.expect("(");
  Expression out = relation();
  if (tokens_.is("IF")) {
    const Place place = tokens_.take().place;
    Expression condition = relation();
    tokens_.expect("OTHERWISE");
    Expression no = relation();
    out = make(Operator::conditional, place, {std::move(condition), std::move(out), std::move(no)});
  }
  tokens_.expect(")");
  return out;
}

Expression ExpressionParser::function(Operator op, std::size_t least) {
  const Token name = tokens_.take();
  tokens_.expect("(");
  std::vector<Expression> arguments{relation()};
  while (tokens_.take_if(",")) arguments.push_back(relation());
  tokens_.expect(")");
  const bool any = op == Operator::minimum || op == Operator::maximum;
  if (arguments.size() < least || (!any && arguments.size() > least)) {
    tokens_.fail_at(name.place, name.written + " takes " + std::to_string(least) +
                                    " number(s), not " + std::to_string(arguments.size()));
  }
  return make(op, name.place, std::move(arguments));
}

Expression ExpressionParser::primary() {
  const Token& t = tokens_.peek();
  if (t.kind == Token::Kind::number) {
    Expression out;
    out.value = t.value;
    out.real = t.real;
    out.place = t.place;
    tokens_.take();
    return out;
  }
  if (tokens_.is("(")) return parenthesised();
  if (tokens_.is("(", 1)) {
    if (tokens_.is("MIN")) return function(Operator::minimum, 1);
    if (tokens_.is("MAX")) return function(Operator::maximum, 1);
    if (tokens_.is("ABS")) return function(Operator::absolute, 1);
    if (tokens_.is("SQRT")) return function(Operator::square_root, 1);
    if (tokens_.is("BITS")) return function(Operator::bits, 1);
  }
  if (t.kind != Token::Kind::word || is_reserved(t.text)) {
    tokens_.fail("it takes a number, a variable or a parenthesis here");
  }
  const int slot = scope_.find(t.text);
  if (slot < 0) {
    tokens_.fail_at(t.place, t.written +
                                 " is not known here (it is no variable of a loop, LET or "
                                 "parameter around it); declare it");
  }
  Expression out;
  out.op = Operator::variable;
  out.value = slot;
  out.counters = slot > kNumTasks && slot < kPredefined;
  out.place = t.place;
  tokens_.take();
  return out;
}

}  // namespace reprise::conceptual
