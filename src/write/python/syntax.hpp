// Python as a typed syntax tree: the part of the language that generated programs are written in.
// What is in a tree says nothing about layout; print.hpp decides that.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace reprise::write::python {

struct Construct;
// An expression; immutable, so that copying one is cheap.
using Expression = std::shared_ptr<const Construct>;

// Operators with an operand on either side. Comparisons are not chained.
enum class Operator : std::uint8_t {
  logical_or,
  logical_and,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  in,
  is,
  is_not,
  bit_or,
  bit_xor,
  bit_and,
  shift_left,
  shift_right,
  add,
  subtract,
  multiply,
  divide,  // floor division
  modulo,
};

enum class Prefix : std::uint8_t { logical_not, negate };

struct Name {
  std::string text;
};
struct Number {
  std::int64_t value = 0;
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
  Expression yes, condition, no;
};
struct Attribute {
  Expression value;
  std::string name;
};
struct Subscript {
  Expression value, index;
};
struct Argument {
  std::string keyword;  // empty: told by its place
  Expression value;
};
struct Invocation {
  Expression callee;
  std::vector<Argument> arguments;
};
struct List {
  std::vector<Expression> elements;
};
struct Tuple {
  std::vector<Expression> elements;
};
struct Entry {
  Expression key, value;
};
struct Dict {
  std::vector<Entry> entries;
};
struct Comprehension {  // [element for variable in iterable]
  Expression element;
  std::string variable;
  Expression iterable;
};

struct Construct {
  std::variant<Name, Number, Text, Unary, Binary, Conditional, Attribute, Subscript, Invocation,
               List, Tuple, Dict, Comprehension>
      content;
};

Expression name(std::string text);
Expression number(std::int64_t value);
Expression text(std::string bytes);
Expression unary(Prefix prefix, Expression operand);
Expression binary(Operator op, Expression left, Expression right);
Expression conditional(Expression yes, Expression condition, Expression no);
Expression attribute(Expression value, std::string name);
Expression subscript(Expression value, Expression index);
Expression call(Expression callee, std::vector<Argument> arguments);
Expression call(std::string_view function, std::vector<Expression> arguments = {});
Expression list(std::vector<Expression> elements);
Expression tuple(std::vector<Expression> elements);
Expression dict(std::vector<Entry> entries);
Expression comprehension(Expression element, std::string variable, Expression iterable);
// MPI.NAME
Expression constant_of_mpi(std::string name);

bool operator==(const Construct& a, const Construct& b);
bool is_same(const Expression& a, const Expression& b);
// The number that it is; none: it is no literal.
std::optional<std::int64_t> literal(const Expression& e);

struct Statement;
using Block = std::vector<Statement>;

struct Evaluate {
  Expression value;
};
struct Assign {
  std::vector<Expression> targets;
  Expression value;
};
struct For {
  std::string variable;
  Expression iterable;
  Block body;
};
struct Branch {
  Expression condition;  // null: else
  Block body;
};
struct If {
  std::vector<Branch> branches;
};
struct Function {
  std::string name;
  std::vector<std::string> parameters;
  Block body;
};
struct Global {
  std::vector<std::string> names;
};
struct Comment {
  std::string text;  // one line, printable
};
struct Blank {};

struct Statement {
  std::variant<Evaluate, Assign, For, If, Function, Global, Comment, Blank> content;
  std::string comment = {};  // behind it: one line, printable
};

Statement evaluate(Expression value, std::string comment = {});
Statement assign(Expression target, Expression value, std::string comment = {});

// The names that are read in a block, those that functions in it define aside.
std::set<std::string> names_in(const Block& block);
std::set<std::string> names_in(const Expression& e);

}  // namespace reprise::write::python
