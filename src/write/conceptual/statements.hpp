// What tasks do, as statements. It is the same to a statement whether what it is of comes from
// recorded values or from laws: all are expressions of the rank.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "expr/expr.hpp"
#include "write/conceptual/calls/operations.hpp"
#include "write/conceptual/language/names.hpp"
#include "write/conceptual/language/syntax.hpp"
#include "write/conceptual/parameters.hpp"
#include "write/conceptual/times/draws.hpp"

namespace reprise::write::conceptual {

// Who does something: a condition on the rank, which is 1 for all.
struct Doers {
  expr::Expr condition = expr::Expr(1);
  // Their ranks, if they are the same in all executions and that is all of the condition.
  std::vector<std::uint64_t> ranks = {};
};

// An operation of the tasks for which the condition holds.
struct TaskOperation {
  Verb verb{};
  Doers who = {};
  expr::Expr peer = {}, bytes = {}, tag = {};
  // Of a collective of some: the lowest member of the group, and those that are it if that is the
  // same in all executions. None: all tasks are one group.
  std::optional<expr::Expr> leader = {};
  std::vector<std::int64_t> leaders = {};
  // The rank of a member in the group. If there is one, `leader` is another number that the members
  // of a group have in common, and no others.
  std::optional<expr::Expr> place = {};
  // The bytes from task `rank` to task `index`.
  std::optional<expr::Expr> element = {};
  std::string called = {};  // "Gather": it is called as MPI has it
};

// Fractions of a microsecond at which executions round it: those of one call, and of one call and
// the next, are the golden section apart, which spreads any number of them evenly.
inline constexpr std::int64_t kFractions = 100000, kHalf = kFractions / 2, kGolden = 61803;

// What tasks compute in an execution. The language counts microseconds; where rounding each
// execution to them would lose too much, each rounds at another fraction, so that the sum of many
// is right.
struct Computation {
  Doers who = {};
  expr::Expr length = {};  // [unit]
  std::int64_t unit = 1;   // [ns]: 1 or 1000
  std::optional<expr::Expr> execution =
      {};                               // number of the execution, from 0; none: all round alike
  std::int64_t first_fraction = kHalf;  // at which the first execution rounds [kFractions]
  std::optional<Draw> draw = {};        // of the length; REQUIRES: `execution`
  std::optional<std::string> function = {};  // that has a percentage of its own
  std::optional<ast::Expr> duration = {};    // what the variable kDuration is [unit]
};

inline constexpr std::string_view kDuration = "ns";

// The statements with the names that expressions in them have: LET ... WHILE.
Statements defined(const Names& names, const std::vector<expr::Expr>& all, Statements body);

class StatementWriter {
 public:
  StatementWriter(Names& names, Parameters& parameters) : names_(names), parameters_(parameters) {}

  void compute(const Computation& c, Statements& out);
  // REQUIRES, of a collective: those of which the condition holds come here equally often. Throws
  // Unwritable for a count that no call of MPI takes.
  void add(const TaskOperation& a, Statements& out);

  // Whether something was called as MPI has it.
  bool has_calls() const { return has_calls_; }
  bool rounds() const { return rounds_; }
  // Whether a statement has all tasks as receivers, which cannot be written as ALL TASKS.
  bool all_receive() const { return all_receive_; }

 private:
  struct Group;
  // All tasks as receivers.
  ast::Tasks every_receiver(std::string_view name);
  using Make = std::function<ast::Statement(ast::Tasks source)>;

  expr::Expr for_task(const expr::Expr& e, std::string_view task);
  Statements defined(const std::vector<expr::Expr>& all, Statements body) const {
    return conceptual::defined(names_, all, std::move(body));
  }
  Statements guarded(const expr::Expr& condition, ast::Statement s) const;
  void own(const Doers& who, const std::vector<expr::Expr>& all, bool is_each, bool is_target,
           const Make& make, Statements& out);
  void message(const TaskOperation& a, Statements& out);
  void collective(const TaskOperation& a, Statements& out);
  void group(const TaskOperation& a, const Group& g, Statements& out);
  void each(const TaskOperation& a, const Group& g, Statements& out);
  void exchange(const TaskOperation& a, const Group& g, Statements& out);
  void call(const TaskOperation& a, const Group& g, Statements& out);
  void exchanged_sizes(const TaskOperation& a, const Group& g, Statements& out);

  Names& names_;
  Parameters& parameters_;
  bool has_calls_ = false;
  bool rounds_ = false;
  bool all_receive_ = false;
};

}  // namespace reprise::write::conceptual
