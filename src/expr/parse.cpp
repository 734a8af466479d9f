#include "expr/parse.hpp"

#include <cctype>
#include <limits>
#include <optional>

namespace reprise::expr {
namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Expr> whole() {
    Expr e = expression();
    skip_space();
    if (!problem_ && at_ < text_.size()) fail("unexpected '" + std::string(1, text_[at_]) + "'");
    if (problem_) return *problem_;
    return e;
  }

 private:
  void fail(const std::string& why) {
    if (problem_) return;
    std::size_t line = 1;
    std::size_t column = 1;
    for (const char c : text_.substr(0, at_)) {
      column = c == '\n' ? 1 : column + 1;
      line += c == '\n';
    }
    problem_ = Error{std::to_string(line) + ":" + std::to_string(column) + ": " + why};
  }

  void skip_space() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else {
        return;
      }
    }
  }

  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  void expect(char c) {
    if (problem_) return;
    if (peek() != c) return fail("expected '" + std::string(1, c) + "'");
    ++at_;
  }

  Expr made(Op op, std::span<const Expr> operands) {
    std::uint64_t nodes = 1;
    std::uint32_t depth = 0;
    for (const Expr& e : operands) {
      nodes += e.nodes();
      depth = std::max(depth, e.depth());
    }
    if (depth + 1 > kMaxDepth) fail("the expression is nested too deeply");
    if (nodes > kMaxNodes) fail("the expression is too long");
    return problem_ ? Expr() : Expr::make(op, operands);
  }

  // The infix operator that stands here, longest first.
  std::optional<Op> infix() {
    skip_space();
    std::optional<Op> found;
    for (std::uint8_t i = 0; i < kOps; ++i) {
      const OpTraits& t = traits(static_cast<Op>(i));
      if (t.form == Form::infix && text_.substr(at_).starts_with(t.symbol) &&
          (!found || t.symbol.size() > traits(*found).symbol.size())) {
        found = static_cast<Op>(i);
      }
    }
    return found;
  }

  // Each level of nesting passes here.
  Expr expression() {
    if (++nesting_ > kMaxDepth) fail("the expression is nested too deeply");
    if (problem_) return {};
    Expr e = binary(kTernaryPrecedence + 1);
    if (!problem_ && peek() == '?') {
      ++at_;
      const Expr yes = expression();
      expect(':');
      const Expr no = expression();
      e = made(Op::conditional, std::array{e, yes, no});
    }
    --nesting_;
    return e;
  }

  Expr binary(std::uint8_t lowest) {
    Expr left = prefix();
    while (!problem_) {
      const std::optional<Op> op = infix();
      if (!op || traits(*op).precedence < lowest) break;
      at_ += traits(*op).symbol.size();
      const Expr right = binary(traits(*op).precedence + 1);
      left = made(*op, std::array{left, right});
    }
    return left;
  }

  Expr prefix() {
    if (++nesting_ > kMaxDepth) fail("the expression is nested too deeply");
    if (problem_) return {};
    const char c = peek();
    Expr e;
    if (c == '-' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) {
      ++at_;
      e = integer(true);
    } else if (c == '-' || c == '!') {
      ++at_;
      const Expr operand = prefix();
      e = made(c == '-' ? Op::negate : Op::logical_not, std::array{operand});
    } else {
      e = primary();
    }
    --nesting_;
    return e;
  }

  Expr primary() {
    const char c = peek();
    if (is_digit(c)) return integer(false);
    if (begins_name(c)) return named();
    if (c != '(') {
      fail(c == '\0' ? "the expression ends early" : "unexpected '" + std::string(1, c) + "'");
      return {};
    }
    ++at_;
    Expr e = expression();
    expect(')');
    return e;
  }

  Expr integer(bool negative) {
    const std::uint64_t limit =
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1 : 0);
    std::uint64_t v = 0;
    const std::size_t begin = at_;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
      if (v > (limit - digit) / 10) {
        at_ = begin;
        fail("the number does not fit into 64 bits");
        return {};
      }
      v = 10 * v + digit;
    }
    if (at_ < text_.size() && begins_name(text_[at_])) fail("a number ends in a letter");
    return static_cast<std::int64_t>(negative ? 0 - v : v);
  }

  Expr named() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (begins_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (peek() != '(') return Expr::variable(name);
    for (std::uint8_t i = 0; i < kOps; ++i) {
      const Op op = static_cast<Op>(i);
      if (traits(op).form == Form::function && traits(op).symbol == name) return call(op);
    }
    at_ = begin;
    fail("there is no function '" + std::string(name) + "'");
    return {};
  }

  Expr call(Op op) {
    std::vector<Expr> operands;
    expect('(');
    for (std::uint8_t i = 0; i < traits(op).operands && !problem_; ++i) {
      if (i > 0) expect(',');
      operands.push_back(expression());
    }
    expect(')');
    if (op == Op::sum && !problem_ && !operands[0].is_variable()) {
      fail("the first argument of a sum is the name of its index");
    }
    return problem_ ? Expr() : made(op, operands);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t nesting_ = 0;
  std::optional<Error> problem_;
};

}  // namespace

Result<Expr> parse(std::string_view text) { return Parser(text).whole(); }

}  // namespace reprise::expr
