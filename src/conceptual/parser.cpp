#include "conceptual/parser.hpp"

#include <map>
#include <set>

#include "conceptual/token_stream.hpp"

namespace reprise::conceptual {

bool is_reserved(const std::string& word) {
  static const std::set<std::string> all{
      "A",        "ALL",       "AND",          "AS",        "ASSERT",     "ASYNCHRONOUSLY",
      "AWAIT",    "BE",        "BYTE",         "COMES",     "COMPLETION", "COMPUTE",
      "COUNTERS", "DEFAULT",   "EACH",         "EVEN",      "FOR",        "FROM",
      "IF",       "IN",        "IS",           "IT",        "LANGUAGE",   "LET",
      "LOG",      "MESSAGE",   "MOD",          "MULTICAST", "MY",         "ODD",
      "OTHER",    "OTHERWISE", "OUTPUT",       "RECEIVE",   "REDUCE",     "REPETITIONS",
      "REQUIRE",  "RESET",     "SEND",         "SLEEP",     "SUCH",       "SYNCHRONIZE",
      "TAG",      "TASK",      "THAT",         "THE",       "THEIR",      "THEN",
      "TIME",     "TO",        "UNSUSPECTING", "USING",     "VERSION",    "WHILE",
      "WHO",      "WITH",      "XOR",          "DIVIDES",   "NOT",        "RESULT",
      "EXECUTE",  "BACKEND"};
  return all.contains(word);
}

namespace {

// [bytes]; in upper case and in the singular.
const std::map<std::string, std::int64_t>& size_units() {
  static const std::map<std::string, std::int64_t> all{
      {"BYTE", 1},           {"HALFWORD", 2},      {"WORD", 4},    {"INTEGER", 4},
      {"DOUBLEWORD", 8},     {"QUADWORD", 16},     {"PAGE", 4096}, {"KILOBYTE", 1 << 10},
      {"MEGABYTE", 1 << 20}, {"GIGABYTE", 1 << 30}};
  return all;
}

// [us]
const std::map<std::string, std::int64_t>& time_units() {
  static const std::map<std::string, std::int64_t> all{
      {"MICROSECOND", 1}, {"MILLISECOND", 1000}, {"SECOND", 1000000}, {"MINUTE", 60000000}};
  return all;
}

std::string singular(const std::string& word) {
  return word.ends_with("S") ? word.substr(0, word.size() - 1) : word;
}

class Parser {
 public:
  Parser(std::vector<Token> tokens, const std::string& file)
      : tokens_(std::move(tokens), file), expressions_(tokens_, scope_) {}

  Program run() {
    while (tokens_.peek().kind != Token::Kind::end) {
      top_level();
      tokens_.expect(".");
    }
    out_.slots = scope_.slots();
    return std::move(out_);
  }

 private:
  void top_level() {
    if (tokens_.take_if("REQUIRE")) {
      tokens_.expect("LANGUAGE");
      tokens_.expect("VERSION");
      const Token version = tokens_.peek();
      const std::string text = tokens_.expect_text();
      if (text != "1.5" && text != "1.4") {
        tokens_.fail_at(version.place, "version " + text +
                                           " of the language is not known (it is "
                                           "1.5 that is understood); say \"1.5\"");
      }
    } else if (tokens_.is("IS", 1) && tokens_.peek(2).kind == Token::Kind::text) {
      parameter();
    } else {
      out_.statements.push_back(sequence());
    }
  }

  void parameter() {
    Parameter p;
    const Token name = variable_name();
    p.name = name.written;
    tokens_.expect("IS");
    p.description = tokens_.expect_text();
    tokens_.expect("AND");
    tokens_.expect("COMES");
    tokens_.expect("FROM");
    p.long_option = tokens_.expect_text();
    if (tokens_.take_if("OR")) p.short_option = tokens_.expect_text();
    tokens_.expect("WITH");
    tokens_.expect("DEFAULT");
    p.preset = expressions_.expression();
    p.slot = scope_.open(name.text);
    out_.parameters.push_back(std::move(p));
  }

  Token variable_name() {
    const Token t = tokens_.peek();
    if (t.kind != Token::Kind::word) tokens_.fail("it takes a name here");
    if (is_reserved(t.text)) tokens_.fail("it is a word of the language; choose another name");
    return tokens_.take();
  }

  // Statements joined by THEN.
  Statement sequence() {
    Statement out;
    out.place = tokens_.peek().place;
    do out.body.push_back(statement());
    while (tokens_.take_if("THEN"));
    return out.body.size() == 1 ? Statement(std::move(out.body.front())) : out;
  }

  Statement statement() {
    if (++depth_ > kMaxNesting) tokens_.fail("statements nest too deeply");
    Statement out = nested();
    --depth_;
    return out;
  }

  Statement nested() {
    if (tokens_.take_if("{")) {
      Statement out = sequence();
      tokens_.expect("}");
      return out;
    }
    if (tokens_.is("FOR")) return loop();
    if (tokens_.is("LET")) return let();
    if (tokens_.is("IF")) return choice();
    if (tokens_.is("ASSERT")) return assertion();
    return action();
  }

  Statement at(Statement::Kind kind) {
    Statement out;
    out.kind = kind;
    out.place = tokens_.take().place;
    return out;
  }

  Statement loop() {
    Statement out = at(Statement::Kind::repeat);
    if (!tokens_.take_if("EACH")) {
      out.expression = expressions_.expression();
      tokens_.expect("REPETITIONS");
      out.body.push_back(statement());
      return out;
    }
    out.kind = Statement::Kind::for_each;
    const Token name = variable_name();
    tokens_.expect("IN");
    do out.ranges.push_back(range());
    while (tokens_.take_if(","));
    out.variables.push_back(scope_.open(name.text));
    out.body.push_back(statement());
    scope_.close(name.text);
    return out;
  }

  Range range() {
    Range out;
    tokens_.expect("{");
    do {
      if (tokens_.take_if("...")) {
        tokens_.expect(",");
        out.goes_on = true;
        out.last = expressions_.expression();
        break;
      }
      out.listed.push_back(expressions_.expression());
    } while (tokens_.take_if(","));
    const Token end = tokens_.expect("}");
    if (out.listed.empty()) tokens_.fail_at(end.place, "a range has no beginning; say {0, ..., 9}");
    return out;
  }

  Statement let() {
    Statement out = at(Statement::Kind::let);
    std::vector<std::string> names;
    do {
      const Token name = variable_name();
      tokens_.expect("BE");
      out.expressions.push_back(expressions_.expression());
      out.variables.push_back(scope_.open(name.text));
      names.push_back(name.text);
    } while (tokens_.take_if("AND"));
    tokens_.expect("WHILE");
    out.body.push_back(statement());
    for (const std::string& n : names) scope_.close(n);
    return out;
  }

  Statement choice() {
    Statement out = at(Statement::Kind::if_else);
    out.expression = expressions_.relation();
    tokens_.expect("THEN");
    out.body.push_back(statement());
    if (tokens_.take_if("OTHERWISE")) out.body.push_back(statement());
    return out;
  }

  Statement assertion() {
    Statement out = at(Statement::Kind::assert_that);
    tokens_.expect("THAT");
    out.text = tokens_.expect_text();
    tokens_.expect("WITH");
    out.expression = expressions_.relation();
    return out;
  }

  // Opens the variable of the tasks, if they have one; `closing` is its name then.
  Tasks tasks(std::string& closing) {
    Tasks out;
    if (tokens_.take_if("ALL")) {
      if (tokens_.take_if("OTHER")) out.which = Tasks::Which::all_others;
      tokens_.expect("TASK");
      const Token& next = tokens_.peek();
      if (out.which == Tasks::Which::all && next.kind == Token::Kind::word && !is_verb(next.text)) {
        closing = variable_name().text;
        out.variable = scope_.open(closing);
      }
      return out;
    }
    tokens_.expect("TASK");
    if (tokens_.is("SUCH", 1)) {
      out.which = Tasks::Which::such_that;
      closing = variable_name().text;
      tokens_.expect("SUCH");
      tokens_.expect("THAT");
      out.variable = scope_.open(closing);
      out.expression = expressions_.relation();
      return out;
    }
    out.which = Tasks::Which::one;
    out.expression = expressions_.expression();
    return out;
  }

  static bool is_verb(const std::string& w) {
    static const std::set<std::string> verbs{"ASYNCHRONOUSLY", "SEND",      "RECEIVE", "AWAIT",
                                             "SYNCHRONIZE",    "MULTICAST", "REDUCE",  "COMPUTE",
                                             "SLEEP",          "RESET",     "LOG",     "OUTPUT",
                                             "BACKEND",        "WHO",       "THEN"};
    return verbs.contains(w);
  }

  // The tasks with whom others act.
  void take_others(Statement& out) {
    std::string closing;
    const Place place = tokens_.peek().place;
    out.has_others = true;
    out.others = tasks(closing);
    if (!closing.empty()) scope_.close(closing);
    if (out.others.which == Tasks::Which::all) {
      tokens_.fail_at(place,
                      "ALL TASKS cannot be whom others act with (the language has no such "
                      "target); say ALL OTHER TASKS, or TASKS t SUCH THAT t >= 0");
    }
  }

  Statement action() {
    Statement out;
    out.place = tokens_.peek().place;
    std::string closing;
    out.tasks = tasks(closing);
    out.asynchronous = tokens_.take_if("ASYNCHRONOUSLY");
    const Token verb = tokens_.peek();
    act(out);
    const bool may_be_late =
        out.kind == Statement::Kind::send || out.kind == Statement::Kind::receive;
    if (out.asynchronous && !may_be_late) {
      tokens_.fail_at(verb.place, verb.written +
                                      " cannot be asynchronous (only sending and "
                                      "receiving can); leave the word out");
    }
    if (!closing.empty()) scope_.close(closing);
    return out;
  }

  void act(Statement& out) {
    using Kind = Statement::Kind;
    if (tokens_.take_if("SEND")) return send(out);
    if (tokens_.take_if("MULTICAST")) {
      out.kind = Kind::multicast;
      message(out.message);
      tokens_.expect("TO");
      return take_others(out);
    }
    if (tokens_.take_if("RECEIVE")) {
      out.kind = Kind::receive;
      message(out.message);
      tokens_.expect("FROM");
      return take_others(out);
    }
    if (tokens_.take_if("AWAIT")) {
      out.kind = Kind::await_all;
      tokens_.expect("COMPLETION");
    } else if (tokens_.take_if("SYNCHRONIZE")) {
      out.kind = Kind::synchronize;
    } else if (tokens_.take_if("REDUCE")) {
      reduce(out);
    } else if (tokens_.is("COMPUTE") || tokens_.is("SLEEP")) {
      compute(out);
    } else if (tokens_.take_if("RESET")) {
      out.kind = Kind::reset;
      tokens_.expect("THEIR");
      tokens_.expect("COUNTERS");
    } else if (tokens_.take_if("LOG")) {
      log(out);
    } else if (tokens_.take_if("OUTPUT")) {
      output(out);
    } else if (tokens_.is("BACKEND")) {
      tokens_.fail("it stands before C for the original compiler, which is not run here");
    } else {
      tokens_.fail(
          "it takes what the tasks do: SEND, RECEIVE, AWAIT COMPLETION, SYNCHRONIZE, "
          "MULTICAST, REDUCE, COMPUTE, SLEEP, RESET, LOG or OUTPUT");
    }
  }

  void send(Statement& out) {
    out.kind = Statement::Kind::send;
    message(out.message);
    tokens_.expect("TO");
    out.unsuspecting = tokens_.take_if("UNSUSPECTING");
    take_others(out);
    out.others_asynchronous = out.asynchronous;
    if (!tokens_.take_if("WHO")) return;
    tokens_.expect("RECEIVE");
    tokens_.expect("IT");
    out.others_asynchronous = tokens_.take_if("ASYNCHRONOUSLY");
    if (!out.others_asynchronous) tokens_.expect("SYNCHRONOUSLY");
  }

  // A 8 BYTE MESSAGE; 3 2 INTEGER MESSAGES USING TAG 4.
  void message(Message& out) {
    if (tokens_.take_if("A")) {
      out.count.value = 1;
    } else {
      out.count = expressions_.expression();
    }
    if (!tokens_.is("MESSAGE")) {
      out.size = expressions_.expression();
      out.unit = unit(size_units(), "a unit of size, such as BYTE");
    }
    tokens_.expect("MESSAGE");
    if (tokens_.take_if("USING")) {
      tokens_.expect("TAG");
      out.tag = expressions_.expression();
    }
  }

  std::int64_t unit(const std::map<std::string, std::int64_t>& units, const char* what) {
    const auto found = units.find(singular(tokens_.peek().text));
    if (found == units.end()) tokens_.fail(std::string("it takes ") + what + " here");
    tokens_.take();
    return found->second;
  }

  void reduce(Statement& out) {
    out.kind = Statement::Kind::reduce;
    if (tokens_.take_if("A")) {
      out.message.size.value = 1;
    } else {
      out.message.size = expressions_.expression();
    }
    out.message.unit = unit(size_units(), "INTEGERS or DOUBLEWORDS");
    if (tokens_.take_if("TO")) take_others(out);
  }

  void compute(Statement& out) {
    out.kind = tokens_.take().text == "SLEEP" ? Statement::Kind::sleep : Statement::Kind::compute;
    tokens_.expect("FOR");
    Expression time = expressions_.expression();
    Expression factor;
    factor.value = unit(time_units(), "a unit of time, such as MICROSECONDS");
    factor.real = static_cast<double>(factor.value);
    out.expression.op = Operator::multiply;
    out.expression.place = time.place;
    out.expression.counters = time.counters;
    out.expression.operands = {std::move(time), std::move(factor)};
  }

  void log(Statement& out) {
    out.kind = Statement::Kind::log;
    do {
      tokens_.take_if("THE");
      Column c;
      c.value = expressions_.expression();
      tokens_.expect("AS");
      c.name = tokens_.expect_text();
      out.columns.push_back(std::move(c));
    } while (tokens_.take_if("AND"));
  }

  void output(Statement& out) {
    out.kind = Statement::Kind::output;
    do {
      Column c;
      if (tokens_.peek().kind == Token::Kind::text) {
        c.name = tokens_.take().text;
      } else {
        c.value = expressions_.expression();
      }
      out.columns.push_back(std::move(c));
    } while (tokens_.take_if("AND"));
  }

  TokenStream tokens_;
  Scope scope_;
  ExpressionParser expressions_;
  Program out_;
  int depth_ = 0;
};

}  // namespace

Result<Program> parse_program(std::string_view text, const std::string& file) {
  auto tokens = read_tokens(text, file);
  if (!tokens) return tokens.error();
  try {
    return Parser(std::move(*tokens), file).run();
  } catch (const SyntaxError& e) {
    return e.error;
  }
}

}  // namespace reprise::conceptual
