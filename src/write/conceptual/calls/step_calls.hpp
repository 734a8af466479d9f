// The calls of a trace of tasks (tasks.hpp): each is a computation or an operation.
#pragma once

#include <set>
#include <string>

#include "trace/calls/places.hpp"
#include "write/conceptual/calls/calls.hpp"
#include "write/conceptual/tasks.hpp"

namespace reprise::write::conceptual {

class StepCalls : public Calls {
 public:
  // `given`: the trace that the tasks were made from. REQUIRES: all outlive it.
  StepCalls(const TaskTrace& tasks, const trace::Trace& given, Values& values);

  std::uint32_t call_of(const program::Node& call) const override;
  std::optional<Computation> computation(const program::Node& call, const Around& around) override;
  std::vector<TaskOperation> operations(const program::Node& call, const Around& around) override;

 private:
  std::optional<expr::Expr> counted(const Around& around) const;
  std::set<std::string> find_functions() const;
  std::string function_of(std::uint32_t call) const;

  const TaskTrace& tasks_;
  const trace::Trace& given_;
  trace::Places places_;
  Values& values_;
  std::set<std::string> functions_;  // that have a percentage
};

}  // namespace reprise::write::conceptual
