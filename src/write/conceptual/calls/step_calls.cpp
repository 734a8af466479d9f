#include "write/conceptual/calls/step_calls.hpp"

#include <map>
#include <optional>

#include "trace/calls/functions.hpp"
#include "write/conceptual/calls/collectives.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::conceptual {

using expr::Expr;
using program::Node;

namespace {

// Functions that less is computed in have no percentage of their own [parts of all].
constexpr double kLeastShare = 0.05;

// Another number for each iteration of the loops around, ascending; none outside of loops.
std::optional<Expr> numbered(const Around& around) {
  std::optional<Expr> out;
  for (const Node* n : around) {
    if (n->kind != Node::Kind::loop || n->most <= 1) continue;
    const Expr index = Expr::variable(program::loop_index(n->depth));
    out = out ? *out * Expr(n->most) + index : index;
  }
  return out;
}

}  // namespace

StepCalls::StepCalls(const TaskTrace& tasks, const trace::Trace& given, Values& values)
    : tasks_(tasks), given_(given), places_(given), values_(values), functions_(find_functions()) {}

std::uint32_t StepCalls::call_of(const Node& call) const { return tasks_.steps[call.call].call; }

std::optional<Computation> StepCalls::computation(const Node& call, const Around& around) {
  const Step& step = tasks_.steps[call.call];
  if (!step.is_compute) return std::nullopt;
  Computation out{.length = values_.number(*step.value(call, Term::length), around),
                  .unit = step.unit};
  if (step.first_fraction) {
    out.first_fraction = *step.first_fraction;
    if (step.draw) out.execution = counted(around);
    if (out.execution) {
      out.draw = step.draw;
    } else {
      out.execution = numbered(around);
    }
  }
  const std::string function = function_of(step.call);
  if (functions_.contains(function)) out.function = function;
  return out;
}

// How often a task has been here before, if an expression tells.
std::optional<Expr> StepCalls::counted(const Around& around) const {
  try {
    return values_.executions_before(around);
  } catch (const Unwritable&) {
    return std::nullopt;
  }
}

std::vector<TaskOperation> StepCalls::operations(const Node& call, const Around& around) {
  const Step& step = tasks_.steps[call.call];
  if (step.is_compute) return {};
  TaskOperation out{.verb = step.verb};
  const auto value = [&](Term term) -> std::optional<Expr> {
    const program::Value* v = step.value(call, term);
    return v ? std::optional(values_.number(*v, around)) : std::nullopt;
  };
  if (const auto peer = value(Term::peer)) out.peer = *peer;
  if (const auto bytes = value(Term::bytes)) out.bytes = *bytes;
  if (const auto tag = value(Term::tag)) out.tag = *tag;
  if (is_collective(step.verb) && !step.is_world) out.leader = value(Term::leader);
  if (const program::Value* v = step.value(call, Term::elements))
    out.element = values_.element(*v, around, Expr::variable(program::kIndex));
  const trace::Function& function = trace::function(given_.calls[step.call].function);
  if (is_collective(step.verb) && tasks_.operations.called.contains(std::string(function.name)))
    out.called = collective_of(function, Substitutes::none)->name;
  return {std::move(out)};
}

// The function that a call stands in; empty: not known.
std::string StepCalls::function_of(std::uint32_t call) const {
  const std::uint32_t callpath = given_.calls[call].callpath;
  const auto& path = given_.callpaths[callpath];
  return path.empty() ? "" : places_.function(path[places_.index(callpath)]);
}

// Those that most is computed in, if there are several.
std::set<std::string> StepCalls::find_functions() const {
  std::map<std::string, double> sums;
  double all = 0;
  std::set<std::uint32_t> computing;
  for (const Step& s : tasks_.steps) {
    if (s.is_compute) computing.insert(s.call);
  }
  for (const std::uint32_t c : computing) {
    double& sum = sums[function_of(c)];
    for (const trace::Path& p : given_.times[c].paths) {
      const auto of_path = static_cast<double>(p.compute.total().sum);
      sum += of_path;
      all += of_path;
    }
  }
  std::set<std::string> out;
  for (const auto& [function, sum] : sums) {
    if (!function.empty() && sum >= kLeastShare * all) out.insert(function);
  }
  return out.size() > 1 ? out : std::set<std::string>();
}

}  // namespace reprise::write::conceptual
