// Values of the explained program as C expressions.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "expr/program.hpp"
#include "program/program.hpp"
#include "write/c/data/shared_tables.hpp"
#include "write/c/data/tables.hpp"
#include "write/c/language/expressions.hpp"
#include "write/c/laws.hpp"
#include "write/c/objects.hpp"
#include "write/significant.hpp"

namespace reprise::write::c {

// A loop around a place.
struct LoopPlace {
  std::string index;
  std::int64_t most = 0;     // trips
  std::string type = "int";  // of the index
  std::string trips = {};    // the variable that has them
  Block restarts = {};       // of tables that begin anew with each of its iterations
  std::optional<std::int64_t> same_trips = {};  // the trip count, if it is a constant
  // Of the conditions around the place, those on iterations directly in this loop.
  std::size_t conditions = 0;
};

// A procedure that is written, or the body of the program.
struct Frame {
  const program::Procedure* procedure = nullptr;
  std::vector<Parameter> parameters = {};  // in C
  std::vector<bool> are_keys = {};      // of parameters that are objects: whether keys are passed
  std::vector<std::int64_t> most = {};  // what parameters that are trip counts are at most
  std::vector<LoopPlace> loops = {};
  Block restarts = {};  // of tables that begin anew with each invocation
};

// Of a number that is no parameter of a call.
inline const trace::Column kNumber{"", trace::Kind::integer, -1};

// Where a value is asked for.
struct Place {
  Frame& frame;
  Block* before = nullptr;              // statements in front
  const program::Node* call = nullptr;  // in whose communicator ranks are; null: none
  Expression communicator = nullptr;    // of the call, if it is known
  Expression window = nullptr;          // the key of its window, if that is known
  Expression distance = nullptr;        // how many times as far away neighbors are; null: once
};

// A list: an array, and how long it is.
struct ListText {
  Expression array, length;
};

class Values {
 public:
  // REQUIRES: all outlive it.
  Values(const program::Program& program, Tables& tables, Objects& objects, Laws& laws,
         Names& names)
      : program_(program), tables_(tables), objects_(objects), laws_(laws), names_(names) {}

  Expression scalar(const program::Value& v, const trace::Column& column, const Place& place);
  // The number of an object in the array of its kind.
  Expression key(const program::Value& v, const trace::Column& column, const Place& place);
  // Where an object is, or is to be.
  Expression object_place(const program::Value& v, const trace::Column& column, const Place& place);
  Expression condition(const program::Value& v, const Place& place);
  Expression condition(const program::Who& who, const Place& place);
  // All elements, as an array of this type.
  Expression list(const trace::Column& column, const program::Value& elements,
                  const program::Value& lengths, const Expression& length, const std::string& type,
                  const Place& place);
  // The same in one case.
  Expression elements(const program::Case& c, const trace::Column& column, const Expression& length,
                      const std::string& type, const Place& place);
  // How many elements there are.
  Expression length(const program::Value& v, const Place& place);
  // A text. `length` is called if the text differs from execution to execution; the program may
  // evaluate its result twice.
  Expression text(const trace::Column& column, const program::Value& characters,
                  const program::Value& lengths, const std::function<Expression()>& length,
                  const Place& place);
  // What a number is at most, as far as expressions and tables tell.
  std::int64_t most(const program::Value& v, const Place& place);
  // The communicator of the call; that of its window.
  Expression communicator(const Place& place);
  // As Significant has it.
  const program::Value& significant(const program::Value& v, std::int64_t left_out = trace::kNone) {
    return significant_.of(v, left_out);
  }
  // What the value is in each case, which is asked for under its condition.
  using ContentOf = std::function<Expression(const program::Case&)>;
  Expression cases(const program::Value& v, const Place& place, const ContentOf& content);

  // Whether ranks of windows are asked for, so that their communicators must be kept.
  bool needs_window_communicators() const { return needs_window_communicators_; }

 private:
  Expression content(const program::Case& c, const trace::Column& column, const Place& place,
                     bool is_key);
  Expression expression(const expr::Expr& e, const trace::Column& column, const Place& place,
                        bool is_key);
  Expression variable(const std::string& name, const Place& place);
  ExpressionNames numbers(const Place& place);
  // What it is at most.
  std::int64_t most(const std::string& variable, const Place& place) const;
  Expression one_by_one(const expr::Expr& e, const trace::Column& column, const Expression& length,
                        const std::string& type, const Place& place);
  Expression element(const trace::Column& column, trace::Encoding encoding, std::int64_t v) const;
  Expression object_or(const trace::Column& column, std::int64_t v, bool is_key) const;
  // `is_plain`: no number stands for itself in every encoding.
  Expression decoded(trace::Encoding encoding, Expression value, const Place& place,
                     bool is_plain = false);
  // The place in their array of objects that the index of a loop chooses, if it is a line.
  std::optional<Expression> line_of_keys(const program::Sequence& s, const trace::Column& column,
                                         const Place& place, bool is_key);
  // A number of a short table, by the index of a loop.
  Expression chosen(const program::Sequence& s, const trace::Column& column, const Place& place,
                    bool is_key);
  // One of the values, by the index of a loop.
  static Expression choice(const program::ByLoop& by, const std::string& type,
                           std::vector<Expression> all, const Place& place);
  // The entry whose turn it is, as an expression in the indices of the loops around; none if they
  // do not determine it. The table begins anew with each iteration of the outermost `scope` loops,
  // and after its last entry.
  std::optional<Expression> turn_of(std::size_t scope, std::size_t entries, const Place& place);
  static const std::string& index_of(std::size_t loop, const Place& place);
  // Which entry of a table it is.
  static Expression entry_of(const program::ByLoop& by, const Place& place);
  Expression pattern(const program::Pattern& p, const trace::Column& column, const Place& place);
  // By rank and iteration of a loop, as a matrix; null unless several cases are lists that one loop
  // goes through.
  Expression matrix(const program::Value& v, const trace::Column& column, const Place& place);
  std::optional<SharedTable> shared(
      const program::Value& v, const Place& place,
      const std::function<bool(const program::Case&)>& is_whole = {}) const;
  Expression table(const SharedTable& shared, const program::Value& v, const trace::Column& column,
                   const Place& place);
  Expression shared_number(const SharedTable& shared, const program::Value& v,
                           const trace::Column& column, const Place& place, bool is_key);
  // Numbers of a list from its table. `how`: "take" goes on from call to call, "first" does not.
  Expression taken(const std::string& how, trace::Encoding encoding, Expression table,
                   const trace::Column& column, const Expression& length, const std::string& type,
                   const Place& place);
  // `out` for all that are not apart.
  Expression beside(const SharedTable& shared, Expression out, const Place& place,
                    const ContentOf& content);
  Expression alternation(const program::Alternation& a, const trace::Column& column,
                         const Place& place, bool is_key);
  // `scope`: as Sequence has it.
  void add_restart(const Expression& table, std::size_t scope, const Place& place);
  Expression table(const program::Sequence& s, const trace::Column& column, const Place& place);

  const program::Program& program_;
  Tables& tables_;
  Objects& objects_;
  Laws& laws_;
  Names& names_;
  Significant significant_;
  bool needs_window_communicators_ = false;
};

}  // namespace reprise::write::c
