// What programs of any number of ranks have besides: for which numbers they are, sizes of the
// problem, the grids that ranks form there, how deep recursions of splits go, and computation that
// follows from the number of ranks.
#pragma once

#include <functional>
#include <map>

#include "program/program.hpp"
#include "write/c/data/times.hpp"
#include "write/c/language/expressions.hpp"
#include "write/c/objects.hpp"
#include "write/curve_factors.hpp"
#include "write/names.hpp"
#include "write/variables.hpp"

namespace reprise::write::c {

class Laws {
 public:
  // REQUIRES: all outlive it. Takes the names of the grids' variables and of the sizes.
  Laws(const program::Program& program, Objects& objects, Names& names);

  bool is_open() const { return program_.domain.has_value(); }

  // What ranks, places in a grid, extents and sizes are at most. REQUIRES: the number is open.
  std::int64_t most(const Variable& v) const;

  Expression size(std::size_t which) const { return name(sizes_[which]); }
  // A coordinate or an extent; `communicator` of those who form the grid, if they are not all.
  Expression on_grid(const Variable& v, const std::function<Expression()>& communicator);
  // How often this rank, or rank 0, splits what it has made. Throws Unwritable.
  Expression depth(std::size_t recursion, bool of_rank_0);

  // Of the numbers of ranks and of sizes: what `benchmark` says of itself.
  Block domain() const;
  std::vector<Entry> members() const;
  // Functions that were asked for, of grids and recursions.
  Block functions() const;
  // Variables of grids of all ranks, and how they get their values. `used`: names that the program
  // has.
  Block variables(const std::set<std::string>& used) const;
  Block assignments(const std::set<std::string>& used) const;
  // What is computed before each call. `sites`: the calls of the trace by site.
  TimeRows computation(const std::vector<std::uint32_t>& sites, Names& names) const;

 private:
  ExpressionNames of_all() const;
  // Over a rank of a communicator with so many.
  ExpressionNames of_communicator(Expression rank, Expression size);
  const program::Grid* used_grid(std::size_t index, const std::set<std::string>& used) const;
  Block grid_functions(const program::Grid& grid) const;
  Expression curve(const std::vector<CurveFactors>& terms) const;

  const program::Program& program_;
  Objects& objects_;
  std::vector<std::string> sizes_;
  std::vector<const program::Grid*> local_grids_;  // that were asked for
  std::vector<std::string> descents_;              // functions, by recursion
  std::map<std::pair<std::size_t, bool>, std::string> depths_;
  Names& names_;
  Block recursion_functions_;
};

}  // namespace reprise::write::c
