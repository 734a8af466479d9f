// A coNCePTuaL program as a tree. Source of the language: S. Pakin, "The design and implementation
// of a domain-specific language for network performance testing", IEEE TPDS 18(10), 2007, and the
// manual of its version 1.5. docs/conceptual.md says how much of it is understood here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reprise::conceptual {

// Where something begins; both count from 1.
struct Place {
  int line = 1, column = 1;
};

enum class Operator : std::uint8_t {
  number,
  variable,  // `value` is its slot
  add,
  subtract,
  multiply,
  divide,
  modulo,
  power,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  negate,
  invert,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  divides,
  is_even,
  is_odd,
  is_in,  // value, lowest, highest
  logical_and,
  logical_or,
  logical_not,
  conditional,  // condition, yes, no
  minimum,
  maximum,
  absolute,
  square_root,
  bits,  // of the shortest binary number
};

struct Expression {
  Operator op = Operator::number;
  std::int64_t value = 0;
  double real = 0;        // the same, or what stands in the text
  bool counters = false;  // it looks at time, or at messages that were sent or received
  std::vector<Expression> operands;
  Place place;
};

// Tasks are what MPI calls ranks.
struct Tasks {
  enum class Which : std::uint8_t { all, all_others, one, such_that } which = Which::all;
  int variable = -1;      // slot of the task's number; -1: it has no name
  Expression expression;  // which one, or a condition
};

struct Message {
  Expression count;       // of messages
  Expression size;        // of each [units]
  std::int64_t unit = 1;  // [bytes]
  Expression tag;
};

// {first, second, ..., last}, or all that are listed.
struct Range {
  std::vector<Expression> listed;
  bool goes_on = false;  // to `last`
  Expression last;
};

struct Column {
  std::string name;
  Expression value;
};

struct Statement {
  enum class Kind : std::uint8_t {
    sequence,
    repeat,    // expression
    for_each,  // variable, ranges
    let,       // variables, expressions
    if_else,   // expression; body[0], and body[1] if there is one
    send,
    receive,
    await_all,
    synchronize,
    multicast,
    reduce,
    compute,  // expression [us]
    sleep,    // expression [us]
    reset,
    log,          // columns
    output,       // columns: a text, or a value if the text is empty
    assert_that,  // text, expression
  } kind = Kind::sequence;

  Place place;
  Tasks tasks, others;  // who acts, and with whom
  bool has_others = false;
  bool asynchronous = false;         // what `tasks` do
  bool others_asynchronous = false;  // what `others` do
  bool unsuspecting = false;         // `others` do nothing by themselves
  Message message;
  Expression expression;
  std::vector<int> variables;  // slots
  std::vector<Expression> expressions;
  std::vector<Range> ranges;
  std::vector<Column> columns;
  std::string text;
  std::vector<Statement> body;
};

// A parameter of the command line.
struct Parameter {
  std::string name, description, long_option, short_option;
  Expression preset;
  int slot = 0;
};

// Variables that the language has by itself, by their slots.
enum Predefined : int {
  kNumTasks,
  kElapsed,
  kBytesSent,
  kBytesReceived,
  kMessagesSent,
  kMessagesReceived,
  kTotalBytes,
  kTotalMessages,
  kPredefined
};

struct Program {
  std::vector<Parameter> parameters;
  std::vector<Statement> statements;
  int slots = kPredefined;  // variables in all
};

}  // namespace reprise::conceptual
