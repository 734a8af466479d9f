// Numbers of ranks that a program is tried on: what its expressions are there, for every rank.
//
// Two expressions over ranks that agree on all of them are taken for one; the numbers are taken
// from the whole range that the laws hold for, as far as they can be gone through.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "expr/expr.hpp"
#include "program/program.hpp"

namespace reprise::scalable {

class WorldSamples {
 public:
  // `program`: its domain and grids are looked at.
  explicit WorldSamples(const program::Program& program);

  // Whether an expression is of ranks alone: neither of loops, lists, communicators nor sizes of
  // the problem. One whose constants are beyond the worlds is not known either.
  bool knows(const expr::Expr& e) const;

  // Of each world the ranks of which a condition is true; nothing where it has no value.
  struct Selected {
    std::vector<std::vector<std::int64_t>> ranks;  // [worlds x ranks]
  };
  Selected all() const;
  // REQUIRES: knows(condition).
  std::optional<Selected> among(const Selected& some, const expr::Expr& condition) const;

  // The step in the grid of all ranks that the value is on these ranks; nothing if it is none, or
  // no shorter.
  std::optional<program::Neighbor> neighbor(const expr::Expr& value, const Selected& on) const;
  // The condition, or a shorter one of coordinates that holds on the same of these ranks.
  expr::Expr shortest(const expr::Expr& condition, const Selected& on) const;

 private:
  struct World {
    std::int64_t ranks = 0;
    std::vector<std::int64_t> extents;            // of the grid
    bool is_wide = false;                         // it has ranks between all borders
    std::vector<std::vector<std::int64_t>> rows;  // [ranks x names]
  };
  std::optional<std::vector<bool>> truth(const expr::Expr& condition, const Selected& on) const;
  // Whether a condition that holds on all of these ranks, or is as another one there, is so on more
  // ranks than the worlds have too.
  bool tells_beyond(const expr::Expr& condition, const Selected& on) const;
  void add(std::int64_t ranks, const program::Program& program);

  std::vector<std::string> names_, of_rank_;  // variables; those in which ranks differ
  std::vector<World> worlds_;
  std::int64_t most_ranks_ = 0;  // that the laws hold for
  std::size_t dimensions_ = 0;
  std::vector<expr::Expr> predicates_;  // that coordinates suggest
};

}  // namespace reprise::scalable
