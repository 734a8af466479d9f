// The arguments of a call of the explained program as expressions of C, from the table of arguments
// alone, and the variables that they need in front of the call.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trace/calls/functions.hpp"
#include "write/c/calls/arguments.hpp"
#include "write/c/calls/pending_at.hpp"
#include "write/c/values.hpp"

namespace reprise::write::c {

// What all calls of a program are written from. REQUIRES: all outlive it.
struct CallContext {
  const program::Program& program;
  Values& values;
  Names& names;
  bool keeps_window_communicators;  // some call asks for ranks of windows
  PendingAt pending;
};

class CallArguments {
 public:
  // `site`: the number of the call. REQUIRES: all outlive it.
  CallArguments(CallContext& context, const program::Node& call, Frame& frame, Expression site);

  // Writes them all. Throws Unwritable if one has no expression in C.
  void write();
  // Declarations of their variables. Gives them away.
  Block take_declarations() { return std::move(before_); }

  const trace::Function& function() const { return function_; }
  std::span<const Argument> all() const { return arguments_; }
  bool has(ArgumentKind kind) const;
  // What the explained call has for an argument.
  const program::Argument& scalar_argument(const Argument& a) const;
  const program::Argument& list_argument(const Argument& a) const;
  const std::vector<program::Argument>& explained() const { return call_.arguments; }

  // As the application passed it.
  const Expression& text(std::size_t i) const { return texts_[i]; }
  // A count before it is scaled, and how long a list is.
  const Expression& recorded_count(std::size_t i) const { return counts_[i]; }
  const Expression& list_length(std::size_t i) const { return lists_[i].length; }
  // How many blocks of its count a buffer has; null: one.
  Expression blocks(const Argument& a);
  // The number of the window that is made, if it has a name; else null.
  const Expression& made_window() const { return made_window_; }

  // Where values are asked for: in front of the call.
  Place& place() { return place_; }
  Values& values() { return values_; }

 private:
  // The expression, or a variable of the call that has its value.
  Expression named(Expression e, const std::string& type, std::string_view wanted);
  // A table must be asked once for each execution.
  Expression once(const program::Value& v, Expression e, const std::string& type,
                  std::string_view wanted);
  // The same of what is passed to a macro, which takes the commas of an array for its own.
  Expression once_in_macro(const program::Value& v, Expression e, const std::string& type,
                           std::string_view wanted);
  void name_communicator();
  Expression need(std::size_t i);
  Expression scalar(const Argument& a);
  bool is_repeated() const;
  Expression object_of_key(trace::Kind kind, const Expression& key);
  // Counts that change with the messages that are probed for are theirs.
  bool is_of_message(const Argument& a) const;
  static std::string_view scaling(const Argument& a);
  Expression count(std::size_t i);
  Expression datatype(const Argument& a);
  // How long a list is, by its column.
  Expression length_of(const Argument& a);
  Expression list(std::size_t i, const std::string& type);
  // A list that is passed and asked for its sizes as well.
  Expression named_list(std::size_t i, const std::string& type);
  Expression counts(std::size_t i);
  // The length of the list that a length belongs to.
  Expression length(const Argument& a);
  Expression ranges(std::size_t i);
  // The special value that is the first element of a list, if it is one.
  std::optional<std::int64_t> first_of(const Argument& a) const;
  Expression weights(std::size_t i);
  Expression places(std::size_t i);
  Expression text(const Argument& a);
  Expression object_place(const Argument& a);
  // A copy of the handle is freed: what MPI gave out several times is to be freed as often.
  Expression free_copy(const Argument& a, const char* type);
  Expression scratch(const Argument& a);
  static Expression callback(const Argument& a);
  Expression one_request(const Argument& a);
  Expression requests(std::size_t i);
  Expression size_of_group(const char* how);
  // Memory of its own, as large as it has to be.
  Expression memory(const Argument& a);
  // The buffer says whether there is one.
  Expression buffer(const Argument& a);
  Expression base(const Argument& a);
  void check_narrow(const Argument& a) const;
  Expression written(std::size_t i);
  // The count of a message that was probed for is the message's.
  void fit();

  const program::Program& program_;
  Values& values_;
  Names& names_;
  const program::Node& call_;
  const trace::Function& function_;
  std::span<const Argument> arguments_;
  Expression site_;
  bool keeps_window_communicators_;
  PendingAt& pending_;
  Expression made_window_;
  Block before_;
  Place place_;
  std::vector<Expression> texts_, counts_;  // by argument; counts as the trace has them
  std::vector<ListText> lists_;             // by argument
  std::map<int, Expression> lengths_;       // by column
  std::vector<std::pair<Expression, std::string>> variables_;
  int scratches_ = 0;
};

// A name or a number, which may stand several times.
bool is_simple(const Expression& e);
bool is_buffer(const Argument& a);

}  // namespace reprise::write::c
