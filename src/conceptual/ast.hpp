// A coNCePTuaL program as a tree, after the grammar of the language's manual (version 1.5). The
// parser builds it; `resolve` gives every variable a slot, after which names no longer matter.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "conceptual/problem.hpp"

namespace reprise::conceptual {

// Index of a variable in an Environment.
using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = ~Slot{0};

enum class Op {
  number,
  variable,
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
  complement,
  conditional,  // operands: if it holds, and otherwise
  real,         // REAL(...)
  call,         // of a function by name
};

struct Relation;

struct Expr {
  Op op = Op::number;
  Position at;
  std::int64_t value = 0;  // of a number
  std::string name;        // of a variable or function
  Slot slot = kNoSlot;     // of a variable
  std::vector<Expr> operands;
  std::size_t dimensions = 0;  // of a MESH_ function: the operands that are extents, the first
  std::vector<bool> wraps;     // by dimension
  std::shared_ptr<Relation> condition;
};

struct Range {
  Position at;
  std::vector<Expr> items;
  std::optional<Expr> last;  // behind the ellipsis
};

struct Relation {
  enum class Kind {
    equal,
    less,
    greater,
    at_most,
    at_least,
    unequal,
    divides,
    even,
    odd,
    in,
    not_in,
    both,
    either
  };
  Kind kind = Kind::equal;
  Position at;
  std::vector<Expr> operands;
  std::vector<Range> ranges;    // of in and not_in
  std::vector<Relation> parts;  // of both and either: two or more
};

// Which tasks do something, or have it done to them.
struct Tasks {
  enum class Kind { all, single, such_that, all_others, group };
  Kind kind = Kind::all;
  Position at;
  std::string name;  // of the variable that is the task, or of the group; may be empty for all
  Slot slot = kNoSlot;
  Expr expr;               // of single
  Relation relation;       // of such_that
  bool by_source = false;  // of targets: they are functions of the source
};

enum class Unit {
  bit,
  byte,
  halfword,
  word,
  integer,
  doubleword,
  quadword,
  page,
  kilobyte,
  megabyte,
  gigabyte
};

struct Message {
  Expr count;  // how many
  Expr size;   // of each, in units; of REDUCES, how many elements are in `count`
  Unit unit = Unit::byte;
  std::optional<Expr> tag;
  bool touching = false;
  bool verification = false;
  bool sized = false, aligned = false;  // whether a size, and an alignment, is given
  std::vector<Expr> without_effect;     // alignments, and places in buffers
};

struct Send {
  Tasks source, target;
  Message message;
  bool asynchronously = false;
  bool unsuspecting = false;             // nobody receives by this statement
  bool received_asynchronously = false;  // WHO RECEIVES IT ...
  bool received_touching = false, received_verification = false;
  std::optional<Expr> received_tag;  // none: that of the message
};

struct Receive {
  Tasks target, source;
  Message message;
  bool asynchronously = false;
  bool target_first = false;  // the sources are functions of the target, not the other way round
};

struct Await {
  Tasks source;
};
struct Synchronize {
  Tasks source;
};

struct Multicast {
  Tasks source, target;
  Message message;
};

struct Reduce {
  Tasks source;
  Message message;              // its unit is integer or doubleword
  std::optional<Tasks> target;  // none: those who reduce
};

struct Delay {
  enum class How { spin, sleep };
  Tasks source;
  Expr length;
  std::int64_t unit_us = 1;  // [us]
  How how = How::spin;
};

// A number, or a text, or what the log's comments say under a name.
struct Item {
  enum class Kind { number, text, comment };
  Kind kind = Kind::text;
  Position at;
  Expr number;
  std::string text;
};

struct Output {
  Tasks source;
  std::vector<Item> items;
};

enum class Aggregate {
  all_data,
  only_value,
  mean,
  harmonic_mean,
  geometric_mean,
  median,
  standard_deviation,
  variance,
  sum,
  minimum,
  maximum,
  final_value,
  histogram
};

struct Column {
  Aggregate aggregate = Aggregate::all_data;
  Expr expr;
  Item title;
  std::size_t id = 0;  // among all columns of the program
};

struct Log {
  Tasks source;
  std::vector<Column> columns;
};
struct ComputeAggregates {
  Tasks source;
};

struct Counters {
  enum class Action { reset, store, restore };
  Tasks source;
  Action action = Action::reset;
};

struct Assert {
  std::string text;
  Relation relation;
};

struct Touch {
  Tasks source;
  std::optional<Expr> touches;  // how many; none: by the region's size
  Expr size;                    // of the region, in units
  Unit unit = Unit::byte;
  Unit element = Unit::word;
  std::optional<Expr> times;
  std::optional<Expr> stride;  // in `stride_unit`
  Unit stride_unit = Unit::word;
  bool random = false;
};

struct Assign {
  Tasks source;
  std::optional<Expr> processor;  // none: a random one
};

struct Backend {
  Tasks source;
  std::vector<Item> items;
};

struct Statement;
using Body = std::unique_ptr<Statement>;

struct Sequence {
  std::vector<Statement> statements;
};

struct ForCount {
  Expr count;
  std::optional<Expr> warmup;
  bool synchronize = false;  // after warming up
  Body body;
};

struct ForEach {
  std::string name;
  Slot slot = kNoSlot;
  std::vector<Range> ranges;
  Body body;
};

struct ForTime {
  Expr length;
  std::int64_t unit_us = 1;  // [us]
  std::optional<Expr> warmup;
  std::int64_t warmup_unit_us = 1;  // [us]
  bool synchronize = false;         // after warming up
  Body body;
};

struct Binding {
  enum class Kind { value, tasks, random_task };
  enum class Limit { none, other_than, less_than, greater_than, within };
  Kind kind = Kind::value;
  Position at;
  std::string name;
  Slot slot = kNoSlot;
  Expr value;  // or the first limit of a random task
  Tasks tasks;
  Limit limit = Limit::none;
  std::optional<Expr> high;  // of within
  std::optional<Expr> but_not;
};

struct Let {
  std::vector<Binding> bindings;
  Body body;
};

struct If {
  Relation relation;
  Body then, otherwise;
};

struct Statement {
  Position at;
  std::variant<Sequence, ForCount, ForEach, ForTime, Let, If, Send, Receive, Await, Synchronize,
               Multicast, Reduce, Delay, Output, Log, ComputeAggregates, Counters, Assert, Touch,
               Assign, Backend>
      what;
  std::size_t id = 0;            // among all statements of the program
  std::vector<Slot> depends_on;  // variables from outside that a communication is a function of
  std::string comment = {};      // a line in front of it; the parser drops comments
};

// IDENT IS "help" AND COMES FROM "--long" OR "-s" WITH DEFAULT e.
struct Parameter {
  Position at;
  std::string name, help, long_option, short_option;
  Expr value;
  Slot slot = kNoSlot;
};

struct Program {
  std::string file;
  std::string source;
  std::vector<Parameter> parameters;
  std::vector<Statement> statements;  // of the top level: each is a table of the log
  std::vector<std::string> warnings;
  std::size_t slots = 0, ids = 0, columns = 0;
};

}  // namespace reprise::conceptual
