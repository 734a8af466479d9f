// The nodes of the explained program as statements.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/conditions/condition.hpp"
#include "trace/calls/places.hpp"
#include "write/conceptual/calls/calls.hpp"
#include "write/conceptual/statements.hpp"
#include "write/conceptual/values.hpp"

namespace reprise::write::conceptual {

class BodyWriter {
 public:
  // `given`: the trace that the program is of, with its calls of MPI. REQUIRES: all outlive it.
  BodyWriter(const program::Program& program, const trace::Trace& given, Calls& calls, Names& names,
             Values& values, Parameters& parameters);

  Statements run();

  bool has_calls() const { return statements_.has_calls(); }
  // Whether executions of a computation are rounded to different microseconds.
  bool rounds() const { return statements_.rounds(); }
  // Whether all tasks receive.
  bool all_receive() const { return statements_.all_receive(); }

 private:
  // Where nodes stand.
  struct Context {
    Around around = {};
    program::StreamSet streams = {};  // that come by; null where the number of ranks is open
    // On ranks: beside that.
    std::vector<expr::Expr> conditions = {};
    bool is_in_step = true;  // those that come by at all pass alike
    // Indices of surrounding loops to which surrounding conditions leave one value.
    std::vector<expr::Binding> known = {};
  };

  void nodes(const std::vector<program::Node>& all, const Context& c, Statements& out);
  void node(const program::Node& n, const Context& c, Statements& out);
  Statements within(const program::Node& n, const Context& c);
  void loop(const program::Node& n, const Context& c, Statements& out);
  void condition(const program::Node& n, const Context& c, Statements& out);
  void call(const program::Node& n, const Context& c, Statements& out);
  void operation(TaskOperation a, const Context& c, Statements& out);
  void check_together(const TaskOperation& a, const Context& c) const;
  bool is_of_rank(const expr::Expr& e) const;
  std::vector<std::int64_t> leaders(const expr::Expr& leader, const Doers& who) const;

  // What is found about how often a rank comes to a node.
  template <class Find>
  expr::Expr how_often(const program::Node& n, const Find& find) const;
  std::string text_of_first(const program::Node& n) const;
  expr::Expr here(const expr::Expr& e, const Context& c);
  Doers doers(const Context& c);
  expr::Expr condition_of(const program::StreamSet& streams);

  const program::Program& program_;
  const trace::Trace& given_;
  trace::Places places_;
  program::Streams everyone_;
  program::Space space_;
  program::Conditions conditions_{space_};
  std::map<program::StreamSet, expr::Expr> known_;
  std::optional<std::uint32_t> last_call_;  // that the last statement is of
  Calls& calls_;
  Names& names_;
  Values& values_;
  Parameters& parameters_;
  StatementWriter statements_{names_, parameters_};
};

}  // namespace reprise::write::conceptual
