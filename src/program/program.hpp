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
//
// A program is of one number of ranks, that of its trace, or of all that its domain has. Only the
// latter has these variables as well:
//
//   nx ny nz nw  extents of the grid
//   t0 t1 ..   trip counts of the loops around a place, as i0 and so on
//   new_rank   the caller's rank in the communicator or window that the call makes
//   new_size   the size of that
//   depth0 ..  how often the rank splits what it has made (Program::recursions)
//   first0 ..  how often rank 0 does
//
// and every other name is a declared size of the problem. It has no sets of streams, so that each
// Who has a condition, and no tables over streams.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "expr/expr.hpp"
#include "fit/curves.hpp"
#include "infer/grid.hpp"
#include "program/domain.hpp"
#include "trace/draw/drawn_exchange.hpp"
#include "trace/program.hpp"

namespace reprise::program {

inline constexpr std::string_view kThread = "thread";
inline constexpr std::string_view kCommRank = "comm_rank";
inline constexpr std::string_view kCommSize = "comm_size";
inline constexpr std::string_view kIndex = "index";
inline constexpr std::string_view kLength = "length";
inline constexpr std::string_view kNewRank = "new_rank";
inline constexpr std::string_view kNewSize = "new_size";

// "x", "y", "z", "w". REQUIRES: dimension < expr::kMaxDimensions.
std::string_view coordinate(std::size_t dimension);
// "nx", "ny", "nz", "nw". REQUIRES: as before.
std::string_view extent(std::size_t dimension);
// "i0" and so on.
std::string loop_index(std::size_t depth);
// "t0" and so on.
std::string loop_trips(std::size_t depth);

// Streams in ascending order; shared by all that is done by the same streams.
using Streams = std::vector<std::uint64_t>;
using StreamSet = std::shared_ptr<const Streams>;

// The ranks of MPI_COMM_WORLD in Cartesian order.
struct Grid {
  // Of x, y, z: numbers; where the number of ranks is open, expressions of `ranks`, or the
  // variables nx, ny, nz if there is none and only the rule tells.
  std::vector<expr::Expr> extents;
  // x, y, z as expressions of the rank, and of nx, ny, nz if those are no numbers.
  std::vector<expr::Expr> coordinates;
  std::optional<infer::GridRule> rule = {};  // which yields the extents; none: they are numbers
  std::string prefix = {};                   // of its variables: "b_" for b_x and b_nx
  bool of_communicator = false;  // of the ranks of the call's communicator: comm_rank in place of
                                 // rank, comm_size of ranks

  std::size_t dimensions() const { return extents.size(); }
};

// A set of streams that has a name, as it is used more than once.
struct Group {
  std::string name;
  StreamSet streams;
  std::optional<expr::Expr> condition = {};  // that tells them, if one does
};

// Some of the streams that execute a place.
struct Who {
  StreamSet streams;                     // those at this place; of a procedure, at the first place;
                                         // null where the number of ranks is open
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

// A loop whose index selects the entry of a table: the first entry belongs to iteration `first`,
// and each entry to so many iterations.
struct ByLoop {
  std::size_t loop = 0;
  std::int64_t first = 0;
  std::int64_t per = 1;
  // Streams skip iterations, so that the number of the execution does not determine the entry.
  bool is_partial = false;

  bool operator==(const ByLoop&) const = default;
};

// A table over executions: one value for each, folded. For a list: one for each element, list
// after list.
struct Sequence {
  trace::Series values;
  std::uint64_t length = 0;  // values in one entry, on the stream that has most; 0: without an end
  std::size_t scope = 0;     // how many of the loops around the place it goes on across; it begins
                             // anew with every iteration of that many; 0: never
  bool each_time = false;    // of a list: it begins anew with every execution
  trace::Encoding encoding = trace::Encoding::absolute;
  std::optional<ByLoop> by_loop = {};  // if there is one

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
  std::optional<ByLoop> by_loop = {};  // if there is one

  bool operator==(const Alternation&) const = default;
};

// A term of a table over executions, as trace::Term has it, whose numbers are expressions. A count
// that is the constant 0: without end.
struct PatternTerm {
  expr::Expr value, step, count;
  std::vector<PatternTerm> body;

  bool operator==(const PatternTerm&) const = default;
};

// A table over executions whose numbers, and how many there are, follow from the number of ranks.
// It never begins anew.
struct Pattern {
  std::vector<PatternTerm> terms;
  trace::Encoding encoding = trace::Encoding::absolute;

  bool operator==(const Pattern&) const = default;
};

// Trip counts that depend on data: drawn from a distribution, whose mean comes first and then its
// quantiles, evenly from 0 to 1, each as a curve over the number of ranks and the declared sizes.
struct Drawn {
  std::vector<fit::Curve> quantiles;

  bool operator==(const Drawn&) const;
};

using Content = std::variant<expr::Expr, Neighbor, Sequence, ByStream, Alternation, Pattern, Drawn>;

struct Case {
  Who who;
  Content content;
};

// A value on the streams that execute a place: the first case whose condition holds; the last case
// is for all remaining streams.
struct Value {
  std::vector<Case> cases;
  std::optional<std::size_t> parameter;  // index into Procedure::parameters; then no cases
  // Index into Procedure::parameters: neighbors are so many times as far away.
  std::optional<std::size_t> distance = {};

  // The expression if it is the same for all streams and executions; null otherwise.
  const expr::Expr* expression() const;
  // The number if it is the same for all streams and executions.
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
    exchange,    // messages that are drawn
  };

  Kind kind = Kind::call;
  Who who;                // which of the streams that come by execute the node
  Value trips;            // of a loop or condition, over the times that it is come by
  std::size_t depth = 0;  // of a loop: how many loops of the procedure are around it
  // Of a loop or condition whose trips differ between executions, if asked for (build.hpp): the
  // trips of all executions before.
  std::optional<Value> before;
  std::int64_t most = 0;            // of a loop or condition: the trips of any execution, at most
  std::uint32_t call = 0;           // index into Trace::calls, whose times are the computation
                                    // before the call; of a procedure: at the first place; of an
                                    // exchange: the first of its calls
  std::size_t exchange = 0;         // index into Program::exchanges
  std::vector<Argument> arguments;  // of a call, as Function::scalars and lists
  std::size_t procedure = 0;        // index into Program::procedures
  std::vector<std::variant<Value, Who>> passed;  // of an invocation, by parameter
  std::vector<std::uint32_t> calls;    // of an invocation: the calls of the trace that are made, in
                                       // the order of the procedure and of those that it invokes;
                                       // of an exchange: its calls
  std::optional<std::uint32_t> frame;  // where it stands: index into Trace::frames
  std::optional<std::uint32_t> entered;  // of a function or invocation: a frame within the callee
  // Of a function or invocation: one frame in each function between the place and the callee, the
  // outermost first. Each does nothing but call the next one.
  std::vector<std::uint32_t> between;
  std::vector<Node> body;
};

struct Parameter {
  std::string name;
  std::optional<trace::Column> column;  // of which it is the value; none: trips or a condition
  bool is_text_length = false;          // the length of texts, and nothing else
};

struct Procedure {
  std::string name;
  std::optional<std::uint32_t> frame;  // a frame within it
  std::vector<Parameter> parameters;
  std::vector<Node> body;
};

// Splits of communicators that were made by the same call, until a condition no longer holds: how
// often, each rank's depth0, and first0 of rank 0.
struct Recursion {
  std::uint32_t call = 0;  // index into Trace::calls
  expr::Expr first;        // the communicator that is split first
  expr::Expr goes_on;      // 1 where a rank splits a communicator, by comm_rank and comm_size
};

struct Program {
  const trace::Trace* trace = nullptr;  // texts, frames, call paths, times
  // For which numbers of ranks and sizes of the problem; none: for the ranks of the trace.
  std::optional<Domain> domain;
  std::vector<std::string> sizes;  // names, in the order of the domain's parameters
  std::vector<Recursion> recursions;
  // By call: the computation before it [ns], over ranks and sizes, where the number of ranks is
  // open.
  std::vector<std::optional<fit::Curve>> computation;
  std::optional<Grid> grid;
  std::vector<Grid> other_grids;  // whose variables have prefixes
  std::vector<Group> groups;
  std::vector<Procedure> procedures;
  std::vector<trace::DrawnExchange> exchanges;
  std::optional<std::uint32_t> frame;  // one within the function that the body is of
  // One in each function around that one, the outermost first. Each does nothing but call the next.
  std::vector<std::uint32_t> around;
  std::vector<Node> body;
};

}  // namespace reprise::program
