// Values of the explained program as Python expressions.
#pragma once

#include <map>

#include "program/program.hpp"
#include "trace/values/special.hpp"
#include "write/python/expressions.hpp"
#include "write/python/tables.hpp"
#include "write/significant.hpp"

namespace reprise::write::python {

// A loop around a place.
struct LoopPlace {
  std::string index;
  Block restarts = {};  // of tables that begin anew with each of its iterations
};

// A procedure that is written, or the body of the program.
struct Frame {
  const program::Procedure* procedure = nullptr;
  std::vector<std::string> parameters = {};  // their names in Python
  std::vector<bool> are_keys = {};  // of parameters that are objects: whether keys are passed
  std::vector<LoopPlace> loops = {};
  Block restarts = {};  // of tables that begin anew with each invocation
};

// Where a value is asked for.
struct Place {
  Frame& frame;
  const program::Node* call = nullptr;  // in whose communicator ranks are; null: none
  Frame* call_frame = nullptr;          // of the call, if that is not in the frame
  Expression communicator = nullptr;    // of the call, if it is known
  Expression window = nullptr;          // the key of its window, if that is known
  Expression distance = nullptr;        // how many times as far away neighbors are; null: once
};

class Values {
 public:
  // REQUIRES: all outlive it.
  Values(const program::Program& program, Tables& tables, Parts& parts)
      : program_(program), tables_(tables), parts_(parts) {}

  Expression scalar(const program::Value& v, const trace::Column& column, const Place& place);
  // The key of an object that a call makes.
  Expression key(const program::Value& v, const trace::Column& column, const Place& place);
  // Whether a number is not 0.
  Expression condition(const program::Value& v, const Place& place);
  Expression condition(const program::Who& who, const Place& place);
  // All elements, as a list of Python.
  Expression list(const trace::Column& column, const program::Value& elements,
                  const program::Value& length, const Place& place);
  // The ages of requests, for the runtime part.
  Expression ages(const trace::Column& column, const program::Value& elements,
                  const program::Value& length, const Place& place);
  // The bytes of a text.
  Expression text(const trace::Column& column, const program::Value& characters,
                  const program::Value& lengths, const Place& place);

  // A communicator, or that of a window.
  Expression object(const program::Value& v, const trace::Column& column, const Place& place);
  // The communicator of the call; that of its window.
  Expression communicator(const Place& place);
  // As Significant has it.
  const program::Value& significant(const program::Value& v, std::int64_t left_out = trace::kNone) {
    return significant_.of(v, left_out);
  }

  // Whether ranks of windows are asked for, so that their communicators must be kept.
  bool needs_window_communicators() const { return needs_window_communicators_; }

 private:
  using ContentOf = std::function<Expression(const program::Case&)>;

  Expression cases(const program::Value& v, const Place& place, const ContentOf& content);
  Expression content(const program::Case& c, const trace::Column& column, const Place& place,
                     bool is_key);
  Expression expression(const expr::Expr& e, const trace::Column& column, const Place& place,
                        bool is_key);
  Expression variable(const std::string& name, const Place& place);
  Expression elements(const program::Case& c, const trace::Column& column,
                      const program::Value& lengths, const Expression& length, const Place& place);
  Expression element(const trace::Column& column, const program::Sequence& s, std::int64_t v) const;
  // `is_plain`: no number stands for itself in every encoding.
  Expression decoded(trace::Encoding encoding, const Expression& value, const Place& place,
                     bool is_plain = false);
  // A number of a short table, by the index of a loop.
  Expression chosen(const program::Sequence& s, const trace::Column& column, const Place& place,
                    bool is_key);
  static const std::string& index_of(std::size_t loop, const Place& place);
  // Which entry of a table it is.
  static Expression entry_of(const program::ByLoop& by, const Place& place);
  std::string pattern(const program::Pattern& p, const trace::Column& column, const Place& place);
  static bool are_tables(const program::Value& v);
  Expression tables(const program::Value& v, const trace::Column& column, const Place& place,
                    bool is_key);
  Expression alternation(const program::Alternation& a, const trace::Column& column,
                         const Place& place, bool is_key);
  // `scope`: as Sequence has it.
  void add_restart(const std::string& table, std::size_t scope, const Place& place);
  std::string table(const program::Sequence& s, const trace::Column& column, const Place& place);

  const program::Program& program_;
  Tables& tables_;
  Parts& parts_;
  Significant significant_;
  bool needs_window_communicators_ = false;
};

}  // namespace reprise::write::python
