// The nodes of the explained program as statements.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "program/condition.hpp"
#include "trace/places.hpp"
#include "write/conceptual/acts.hpp"
#include "write/conceptual/tasks.hpp"
#include "write/conceptual/values.hpp"

namespace reprise::write::conceptual {

class BodyWriter {
 public:
  // `given`: the trace that the tasks were made from. REQUIRES: all outlive it.
  BodyWriter(const program::Program& program, const TaskTrace& tasks, const trace::Trace& given,
             Parameters& parameters);

  Statements run();

  bool has_calls() const { return acts_.has_calls(); }

 private:
  // Where nodes stand.
  struct Context {
    Around around = {};
    program::StreamSet streams = {};          // that come by
    std::vector<expr::Expr> conditions = {};  // on ranks beside that: in some iterations alone
    bool is_in_step = true;                   // those that come by at all pass alike
  };

  void nodes(const std::vector<program::Node>& all, const Context& c, Statements& out);
  void node(const program::Node& n, const Context& c, Statements& out);
  Statements within(const program::Node& n, const Context& c);
  void loop(const program::Node& n, const Context& c, Statements& out);
  void condition(const program::Node& n, const Context& c, Statements& out);
  void call(const program::Node& n, const Context& c, Statements& out);
  void compute(const program::Node& n, const Step& step, const Context& c, Statements& out);
  void operation(const program::Node& n, const Step& step, const Context& c, Statements& out);
  std::vector<std::int64_t> leaders(const expr::Expr& leader, const Doers& who) const;

  Doers doers(const Context& c);
  expr::Expr condition_of(const program::StreamSet& streams);
  std::set<std::string> find_functions() const;
  std::string function_of(std::uint32_t call) const;

  const program::Program& program_;
  const TaskTrace& tasks_;
  const trace::Trace& given_;
  trace::Places places_;
  program::Streams everyone_;
  program::Space space_;
  program::Conditions conditions_{space_};
  std::map<program::StreamSet, expr::Expr> known_;
  std::optional<std::uint32_t> last_call_;  // that the last statement is of
  std::set<std::string> functions_;         // that have a percentage
  Names names_;
  Values values_{program_, names_};
  Parameters& parameters_;
  Acts acts_{names_, parameters_};
};

}  // namespace reprise::write::conceptual
