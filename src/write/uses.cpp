#include "write/uses.hpp"

#include <algorithm>

#include "trace/calls/functions.hpp"

namespace reprise::write {

using program::Node;
using program::Value;

bool makes_file(const program::Node& call) {
  for (const program::Argument& a : call.arguments) {
    if (a.column.name != "amode") continue;
    const auto modes =
        trace::enumerations()[static_cast<std::size_t>(a.column.enumeration)].constants;
    const auto create = std::ranges::find(modes, "MPI_MODE_CREATE") - modes.begin();
    const auto mode = a.value.constant();
    return mode && (*mode >> create & 1) != 0;
  }
  return false;
}

const Value* from_outside(const Value* v, const Node& invocation) {
  if (!v || !v->parameter) return v;
  return &std::get<Value>(invocation.passed[*v->parameter]);
}

namespace {

std::optional<Use> use_of(const program::Program& program, const Node& n, std::size_t parameter) {
  if (n.kind == Node::Kind::invocation) {
    for (std::size_t i = 0; i < n.passed.size(); ++i) {
      const auto* v = std::get_if<Value>(&n.passed[i]);
      if (!v || v->parameter != parameter) continue;
      auto inside = find_use(program, program.procedures[n.procedure].body, i);
      if (!inside) continue;
      inside->length = from_outside(inside->length, n);
      inside->communicator = from_outside(inside->communicator, n);
      return inside;
    }
    return std::nullopt;
  }
  for (const program::Argument& a : n.arguments) {
    const bool is_value = a.value.parameter == parameter;
    if (!is_value && !(a.length && a.length->parameter == parameter)) continue;
    Use out{&a, n.call};
    if (a.length) out.role = is_value ? Use::Role::elements : Use::Role::length;
    if (a.length) out.length = &*a.length;
    const int at = trace::function(program.trace->calls[n.call].function).communicator;
    if (at >= 0) {
      const program::Argument& comm = n.arguments[static_cast<std::size_t>(at)];
      out.communicator = &comm.value;
      out.communicator_column = comm.column;
    }
    return out;
  }
  return find_use(program, n.body, parameter);
}

}  // namespace

std::optional<Use> find_use(const program::Program& program, const std::vector<Node>& nodes,
                            std::size_t parameter) {
  for (const Node& n : nodes) {
    if (auto use = use_of(program, n, parameter)) return use;
  }
  return std::nullopt;
}

namespace {

// Whether a value is nothing but objects that there are from the start.
bool is_predefined(const Value& v, std::int64_t first) {
  return std::ranges::all_of(v.cases, [first](const program::Case& c) {
    const auto* e = std::get_if<expr::Expr>(&c.content);
    return e && e->is_constant() && e->value() < first;
  });
}

// `within`: the procedure that the nodes are of; null: the program.
bool may_pass_made(const program::Program& program, const std::vector<Node>& nodes,
                   const program::Procedure* within, std::size_t procedure, std::size_t parameter,
                   std::int64_t first) {
  return std::ranges::any_of(nodes, [&](const Node& n) {
    if (n.kind != Node::Kind::invocation)
      return may_pass_made(program, n.body, within, procedure, parameter, first);
    if (n.procedure != procedure) return false;
    const auto* v = std::get_if<Value>(&n.passed[parameter]);
    if (!v) return false;
    if (v->parameter) return !within || may_be_made(program, *within, *v->parameter, first);
    return !is_predefined(*v, first);
  });
}

}  // namespace

bool may_be_made(const program::Program& program, const program::Procedure& procedure,
                 std::size_t parameter, std::int64_t first) {
  const auto number = static_cast<std::size_t>(&procedure - program.procedures.data());
  if (may_pass_made(program, program.body, nullptr, number, parameter, first)) return true;
  return std::ranges::any_of(program.procedures, [&](const program::Procedure& p) {
    return may_pass_made(program, p.body, &p, number, parameter, first);
  });
}

}  // namespace reprise::write
