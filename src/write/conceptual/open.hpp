// What programs of any number of ranks have besides: for which numbers they are, the extents of
// grids there, and computation that follows from the number.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/program.hpp"
#include "write/conceptual/language/syntax.hpp"

namespace reprise::write::conceptual {

class OpenNumbers {
 public:
  // REQUIRES: the program outlives it, and has a domain.
  explicit OpenNumbers(const program::Program& program);

  // What a variable is at least where the program runs.
  std::int64_t least(const std::string& variable) const;
  // The names of all extents, and what they are on a number of ranks; nothing where there is no
  // such grid.
  std::vector<std::string> extents() const;
  std::optional<std::vector<std::int64_t>> extents_on(std::int64_t ranks) const;

  // The statements with the extents that they use: LET nx BE SQRT(num_tasks) WHILE ... Throws
  // Unwritable.
  Statements defined(Statements body);
  // That tasks are as many as the laws hold for, and sizes likewise.
  Statements assertions() const;

 private:
  struct Extent {
    const program::Grid* grid;
    std::size_t dimension;
    std::string name;
  };
  std::vector<std::int64_t> listed_ranks() const;
  std::optional<ast::Expr> formula(const Extent& e) const;
  ast::Expr rest(const Extent& e) const;
  ast::Expr listed(const Extent& e) const;

  const program::Program& program_;
  std::vector<Extent> extents_;
  bool are_listed_ = false;  // some extents that are used
  mutable std::map<std::string, std::int64_t> least_;
};

// What is computed before a call [ns]; nothing: nothing is.
std::optional<ast::Expr> duration_of(const program::Program& program, std::uint32_t call);
// The same, if it is a number.
std::optional<std::int64_t> constant_duration_of(const program::Program& program,
                                                 std::uint32_t call);

}  // namespace reprise::write::conceptual
