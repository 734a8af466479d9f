// The expressions that occur in programs: leaves, their neighbors, sums, products and quotients of
// two, by their values on the rows of a table.
#pragma once

#include <vector>

#include "expr/expr.hpp"
#include "solve/table.hpp"
#include "solve/vocabulary.hpp"

namespace reprise::solve {

struct Term {
  expr::Expr expression;
  Column values;      // on the rows of the table
  Leaves leaves = 0;  // of those that vary within runs: what is in it
  std::uint32_t cost = 0;
};

class Terms {
 public:
  Terms(const Table& table, const Vocabulary& vocabulary);

  // Distinct on the table, the shortest first. Those that are the same on all rows are left out.
  const std::vector<Term>& all() const { return all_; }
  // Those that differ from run to run alone.
  const std::vector<Term>& of_runs() const { return of_runs_; }
  // Known conditions of the program, as far as the table determines them.
  const std::vector<Term>& conditions() const { return conditions_; }

 private:
  std::vector<Term> all_;
  std::vector<Term> of_runs_;
  std::vector<Term> conditions_;
};

}  // namespace reprise::solve
