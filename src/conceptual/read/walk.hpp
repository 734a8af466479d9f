// Visits every variable in an expression, a relation, or what both are part of.
#pragma once

#include "conceptual/ast.hpp"

namespace reprise::conceptual {

template <class Visit>
void for_each_variable(Relation& relation, const Visit& visit);

template <class Visit>
void for_each_variable(Expr& expr, const Visit& visit) {
  if (expr.op == Op::variable) visit(expr);
  for (Expr& e : expr.operands) for_each_variable(e, visit);
  if (expr.condition) for_each_variable(*expr.condition, visit);
}

template <class Visit>
void for_each_variable(Range& range, const Visit& visit) {
  for (Expr& e : range.items) for_each_variable(e, visit);
  if (range.last) for_each_variable(*range.last, visit);
}

template <class Visit>
void for_each_variable(Relation& relation, const Visit& visit) {
  for (Expr& e : relation.operands) for_each_variable(e, visit);
  for (Range& r : relation.ranges) for_each_variable(r, visit);
  for (Relation& r : relation.parts) for_each_variable(r, visit);
}

template <class Visit>
void for_each_variable(Tasks& tasks, const Visit& visit) {
  if (tasks.kind == Tasks::Kind::single) for_each_variable(tasks.expr, visit);
  if (tasks.kind == Tasks::Kind::such_that) for_each_variable(tasks.relation, visit);
}

template <class Visit>
void for_each_variable(Message& message, const Visit& visit) {
  for_each_variable(message.count, visit);
  for_each_variable(message.size, visit);
  if (message.tag) for_each_variable(*message.tag, visit);
}

// An own copy: conditions are shared between copies of an expression.
void separate(Expr& expr);
void separate(Relation& relation);

}  // namespace reprise::conceptual
