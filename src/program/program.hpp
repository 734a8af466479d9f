// The explained program: a trace as loops, conditions, calls and procedures whose values are
// expressions or, where no expression is worth it, tables. It stands between a trace and
// everything that a person reads; writers (src/write) decide layout and words only.
//
// Variables of expressions, beside those of expr/expr.hpp:
//
//   x y z w    coordinates of the grid, x varies fastest
//   thread     of the rank
//   comm_rank  the caller's rank in the call's communicator or window
//   comm_size  the size of that communicator (of the remote group, if it is an inter-communicator)
//   i0 i1 ..   iterations of the loops around a place within its procedure, the outermost first,
//              from 0
//   index      the position in a list, from 0
//   length     of that list
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "expr/expr.hpp"
#include "trace/program.hpp"

namespace reprise::program {

inline constexpr std::string_view kThread = "thread";
inline constexpr std::string_view kCommRank = "comm_rank";
inline constexpr std::string_view kCommSize = "comm_size";
inline constexpr std::string_view kIndex = "index";
inline constexpr std::string_view kLength = "length";

// "x", "y", "z", "w". REQUIRES: dimension < expr::kMaxDimensions.
std::string_view coordinate(std::size_t dimension);
// "i0" and so on.
std::string loop_index(std::size_t depth);

// Streams in ascending order; shared by all that is done by the same streams.
using Streams = std::vector<std::uint64_t>;
using StreamSet = std::shared_ptr<const Streams>;

// The ranks of MPI_COMM_WORLD in Cartesian order.
struct Grid {
  std::vector<std::int64_t> extents;    // of x, y, z
  std::vector<expr::Expr> coordinates;  // x, y, z as expressions of the rank
};

// A set of streams that has a name, as it is used more than once.
struct Group {
  std::string name;
  StreamSet streams;
};

// Some of the streams that come by a place.
struct Who {
  StreamSet streams;                     // those at this place; of a procedure, at the first place
  std::optional<expr::Expr> condition;   // that tells them from the others that come by
  std::optional<std::size_t> group;      // index into Program::groups
  std::optional<std::size_t> parameter;  // index into Procedure::parameters

  bool is_everyone() const { return condition && condition->is_constant(1); }
};

// A peer at so many steps along each dimension of the grid.
struct Neighbor {
  std::vector<std::int64_t> steps;
  std::vector<bool> wraps;   // each dimension
  bool has_borders = false;  // MPI_PROC_NULL where a dimension that does not wrap ends

  bool operator==(const Neighbor&) const = default;
};

// A table over executions: one value for each, folded. For a list: one for each element, list
// after list.
struct Sequence {
  trace::Series values;
  std::uint64_t length = 0;  // values in one entry, on the stream that has most
  std::size_t scope = 0;     // how many of the loops around the place it goes on across; it begins
                             // anew with every iteration of that many; 0: never
  bool each_time = false;    // of a list: it begins anew with every execution
  trace::Encoding encoding = trace::Encoding::absolute;

  bool operator==(const Sequence&) const = default;
};

// A table over streams: one value for each of the case, in order.
struct ByStream {
  trace::Series values;

  bool operator==(const ByStream&) const = default;
};

// A table over executions whose entries are laws of the ranks. Begins anew as a sequence does, and
// whenever it is through.
struct Alternation {
  std::vector<std::variant<expr::Expr, Neighbor>> laws;
  std::size_t scope = 0;

  bool operator==(const Alternation&) const = default;
};

using Content = std::variant<expr::Expr, Neighbor, Sequence, ByStream, Alternation>;

struct Case {
  Who who;
  Content content;
};

// What a value is on the streams that come by: the first case whose condition holds; the last one
// takes all that are left.
struct Value {
  std::vector<Case> cases;
  std::optional<std::size_t> parameter;  // index into Procedure::parameters; then no cases

  // Everywhere and always the same expression; null otherwise.
  const expr::Expr* expression() const;
  // The number that it is everywhere and always.
  std::optional<std::int64_t> constant() const;
};

bool operator==(const Who& a, const Who& b);
bool operator==(const Value& a, const Value& b);

// A parameter of a call: a scalar, or a list.
struct Argument {
  trace::Column column;
  Value value;                  // of a list: its elements
  std::optional<Value> length;  // of a list
};

struct Node {
  enum class Kind : std::uint8_t {
    call,
    loop,        // the body `trips` times
    condition,   // the body where `trips` is 1 and not 0
    branch,      // the body on the streams of `who`
    otherwise,   // the body on those that the branch before leaves out
    function,    // the body as a function that is met once
    invocation,  // of a procedure
  };

  Kind kind = Kind::call;
  Who who;                          // which of the streams that come by execute the node
  Value trips;                      // of a loop or condition, over the times that it is come by
  std::size_t depth = 0;            // of a loop: how many loops of the procedure are around it
  std::uint32_t call = 0;           // index into Trace::calls, whose times are the computation
                                    // before the call; of a procedure: at the first place
  std::vector<Argument> arguments;  // of a call, as Function::scalars and lists
  std::size_t procedure = 0;        // index into Program::procedures
  std::vector<std::variant<Value, Who>> passed;  // of an invocation, by parameter
  std::vector<std::uint32_t> calls;    // of an invocation: the calls of the trace that are made, in
                                       // the order of the procedure and of those that it invokes
  std::optional<std::uint32_t> frame;  // where it stands: index into Trace::frames
  std::optional<std::uint32_t> entered;  // of a function or invocation: a frame within the callee
  std::vector<Node> body;
};

struct Parameter {
  std::string name;
  std::optional<trace::Column> column;  // of which it is the value; none: trips or a condition
};

struct Procedure {
  std::string name;
  std::optional<std::uint32_t> frame;  // a frame within it
  std::vector<Parameter> parameters;
  std::vector<Node> body;
};

struct Program {
  const trace::Trace* trace = nullptr;  // texts, frames, call paths, times
  std::optional<Grid> grid;
  std::vector<Group> groups;
  std::vector<Procedure> procedures;
  std::optional<std::uint32_t> frame;  // one within the function that the body is of
  std::vector<Node> body;
};

}  // namespace reprise::program
