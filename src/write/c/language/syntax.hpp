// C as a typed syntax tree: the part of the language that generated programs are written in. What
// is in a tree says nothing about layout; print.hpp decides that.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace reprise::write::c {

struct Construct;
// An expression; immutable, so that copying one is cheap.
using Expression = std::shared_ptr<const Construct>;

// Operators with an operand on either side.
enum class Operator : std::uint8_t {
  logical_or,
  logical_and,
  bit_or,
  bit_xor,
  bit_and,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  shift_left,
  shift_right,
  add,
  subtract,
  multiply,
  divide,
  modulo,
};

enum class Prefix : std::uint8_t { logical_not, negate, address, indirection };

struct Name {
  std::string text;
};
struct Number {
  std::int64_t value = 0;
};
struct Real {
  double value = 0;
};
struct Text {
  std::string bytes;
};
struct Unary {
  Prefix prefix{};
  Expression operand;
};
struct Binary {
  Operator op{};
  Expression left, right;
};
struct Conditional {
  Expression condition, yes, no;
};
struct Subscript {
  Expression value, index;
};
struct Call {
  std::string function;  // or a macro
  std::vector<Expression> arguments;
};
struct Entry {
  std::string member;  // empty: told by its place
  Expression value;
};
struct Initializer {  // {1, 2}, {.a = 1}
  std::vector<Entry> entries;
};
struct Compound {  // (int[]){1, 2}
  std::string type;
  std::vector<Expression> elements;
};
struct Cast {
  std::string type;
  Expression value;
};

struct Construct {
  std::variant<Name, Number, Real, Text, Unary, Binary, Conditional, Subscript, Call, Initializer,
               Compound, Cast>
      content;
};

Expression name(std::string text);
Expression number(std::int64_t value);
Expression real(double value);  // with six digits
Expression text(std::string bytes);
Expression unary(Prefix prefix, Expression operand);
Expression binary(Operator op, Expression left, Expression right);
Expression conditional(Expression condition, Expression yes, Expression no);
Expression subscript(Expression value, Expression index);
Expression call(std::string_view function, std::vector<Expression> arguments = {});
Expression initializer(std::vector<Entry> entries);
Expression list(std::vector<Expression> elements);  // an initializer
Expression compound(std::string type, std::vector<Expression> elements);
Expression cast(std::string type, Expression value);
Expression address_of(Expression value);

bool is_same(const Expression& a, const Expression& b);
// The number that it is; none: it is no literal.
std::optional<std::int64_t> literal(const Expression& e);
bool is_name(const Expression& e, std::string_view text);

struct Statement;
using Block = std::vector<Statement>;

struct Evaluate {
  Expression value;
};
struct Assign {
  Expression target, value;
};
struct Declare {            // of a variable
  std::string type, name;   // "const int *", "counts"
  std::string extent = {};  // "[]", of an array
  Expression value = nullptr;
};
struct Row {  // simple statements that belong together
  Block statements;
};
struct For {  // counts from 0 up
  std::string variable;
  Expression trips;
  bool is_once = false;  // the trips are asked for once
  Block body;
  std::string type = "int";  // of the variable
};
struct Repeat {  // do .. while
  Block body;
  Expression condition;
};
struct Branch {
  Expression condition;  // null: else
  Block body;
};
struct If {
  std::vector<Branch> branches;
};
struct Return {
  Expression value;
};
struct Parameter {
  std::string type, name;
};
struct Function {
  std::string type, name;
  std::vector<Parameter> parameters;
  Block body;
  bool is_static = true;
};
struct Enumeration {
  std::vector<Entry> constants;
};
struct Comment {
  std::string text;  // printable
};
struct Blank {};

struct Statement {
  std::variant<Evaluate, Assign, Declare, Row, For, Repeat, If, Return, Function, Enumeration,
               Comment, Blank>
      content;
  std::string comment = {};  // behind it: printable
};

Statement evaluate(Expression value, std::string comment = {});
Statement assign(Expression target, Expression value);
Statement declare(std::string type, std::string name, Expression value);

// What stands for an expression instead; null: it stays, and what is in it is looked at.
using Replacement = std::function<Expression(const Expression&)>;
Expression replaced(const Expression& e, const Replacement& replacement);
// The same of all that a block has.
Block replaced(const Block& block, const Replacement& replacement);

// The names that are read in a block, and those of functions that it calls.
std::set<std::string> names_in(const Block& block);
std::set<std::string> names_in(const Expression& e);

}  // namespace reprise::write::c
