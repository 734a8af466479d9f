// Builders of coNCePTuaL's syntax tree (conceptual/ast.hpp).
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "conceptual/ast.hpp"

namespace reprise::write::conceptual {

namespace ast = reprise::conceptual;

ast::Expr number(std::int64_t value);
ast::Expr variable(std::string_view name);
ast::Expr binary(ast::Op op, ast::Expr a, ast::Expr b);
ast::Expr call(std::string_view function, std::vector<ast::Expr> operands);
ast::Expr conditional(ast::Expr yes, ast::Relation condition, ast::Expr no);

ast::Relation relation(ast::Relation::Kind kind, ast::Expr a, ast::Expr b);
// All of them, or any; what has such parts itself is one with them.
ast::Relation joined(ast::Relation::Kind kind, std::vector<ast::Relation> parts);

ast::Tasks all_tasks(std::string_view name = {});
ast::Tasks task(ast::Expr e);
ast::Tasks tasks_such_that(std::string_view name, ast::Relation condition);
ast::Tasks all_other_tasks();

// {0, ..., num_tasks-1}.
std::vector<ast::Range> every_task();
// Progressions that have just these numbers. REQUIRES: ascending, at least one.
std::vector<ast::Range> ranges_of(const std::vector<std::int64_t>& numbers);

using Statements = std::vector<ast::Statement>;

template <class What>
ast::Statement statement(What what) {
  return {{}, std::move(what), 0, {}, {}};
}
// The one, or a sequence of them. REQUIRES: at least one.
ast::Body body_of(Statements statements);
ast::Statement for_each(std::string_view name, std::vector<ast::Range> ranges, Statements body);
ast::Statement let(std::string_view name, ast::Expr value, Statements body);
ast::Statement if_holds(ast::Relation condition, Statements body);

ast::Message message(ast::Expr bytes);

// Whether a variable stands in a statement.
bool uses(const ast::Statement& s, std::string_view name);

// Whether a statement changes with the index of a loop so that further iterations make no sense:
// in anything but the length of a computation, or in a length that grows or falls without bound.
// Conditions of the first iteration, 0, and of the `last` make sense with any number of them.
bool is_limited_by(const ast::Statement& s, std::string_view index, std::int64_t last);

// Makes conditions on the last iteration compare the index with `to`, an expression in parameters.
void set_last(ast::Statement& s, std::string_view index, std::int64_t last, const ast::Expr& to);

}  // namespace reprise::write::conceptual
