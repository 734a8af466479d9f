// Laws as expressions of coNCePTuaL: of a task, num_tasks, the grid, declared sizes and the loops
// around.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/expr.hpp"
#include "scalable/scalable_trace.hpp"
#include "scalable/task_expression.hpp"

namespace reprise::scalable {

class TaskLaws {
 public:
  explicit TaskLaws(const ScalableTrace& scalable);

  // The value of a law without its encoding, over rank, ranks, extents ("d0"), sizes and indices of
  // loops ("i0"). `place`: how often the value has been asked for before, nothing if no expression
  // says that. Throws Unwritable.
  expr::Expr value(const extrapolate::Law& law, const std::optional<expr::Expr>& place);
  // The same of a list's elements; "index" is a variable of it.
  expr::Expr element(const extrapolate::Law& law, const expr::Expr& index,
                     const expr::Expr& length);
  // A rank in the world that a law names, or a special value.
  expr::Expr peer(const extrapolate::Law& law, const std::optional<expr::Expr>& place);

  // As text, of a task.
  std::string number(const expr::Expr& e, const std::string& task) const;
  std::string condition(const expr::Expr& e, const std::string& task) const;

  // Extents of grids that are asked for, in order: "LET d0 BE SQRT(num_tasks) WHILE ".
  std::string definitions() const;
  // Tasks are as many as the laws hold for, and sizes likewise: what is asserted, the condition.
  std::vector<std::pair<std::string, std::string>> assertions() const;

  // What the expression comes to on a rank, before any loop has gone round; nothing without a
  // value.
  std::optional<std::int64_t> at(const expr::Expr& e, std::int64_t rank, std::int64_t ranks,
                                 std::size_t input) const;

 private:
  expr::Expr number_of(const extrapolate::NumberLaw& law);
  expr::Expr series(const std::vector<extrapolate::TermLaw>& terms, const expr::Expr& place);
  expr::Expr length_of(const std::vector<extrapolate::TermLaw>& terms);
  expr::Expr extent(std::size_t grid, std::size_t dimension);
  expr::Expr coordinate(std::size_t grid, std::size_t dimension);
  std::string extent_text(std::size_t grid, std::size_t dimension) const;
  std::vector<std::int64_t> listed_ranks() const;
  VariableText text_of(const std::string& task) const;
  std::int64_t least_of(const std::string& name) const;

  const ScalableTrace& scalable_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> extents_;  // by name
  mutable std::map<std::string, std::int64_t> least_extents_;           // that are asked for
};

// Whether ranks differ in it.
bool is_of_task(const expr::Expr& e);
// Whether it depends on indices of loops.
bool is_of_loop(const expr::Expr& e);

// The parameter of a program for a declared size.
std::string task_size_name(const std::string& parameter);

}  // namespace reprise::scalable
