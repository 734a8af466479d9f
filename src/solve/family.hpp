// Families of laws. A family reduces the values of a goal in one way, so that the remaining values
// depend on fewer leaves. They are a goal in turn, until a constant is left. The shortest resulting
// expression is the law.
//
// A family is a file of families/, a function there, and a line in the table below.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "expr/expr.hpp"
#include "solve/division.hpp"
#include "solve/effort.hpp"
#include "solve/exact.hpp"
#include "solve/table.hpp"
#include "solve/terms.hpp"
#include "solve/vocabulary.hpp"

namespace reprise::solve {

// Values that an expression is wanted for.
struct Goal {
  Rows rows;
  Column values;         // [rows]
  Leaves leaves = 0;     // of those that vary within runs: what the values depend on; 0: on the run
  bool of_runs = false;  // is left of values that differ from run to run alone
  // Values of other runs that are known only to lie between two samples: the complete law is
  // compared with them.
  std::size_t bounded = 0;

  bool is_constant() const;
  bool is_condition() const;  // 0 or 1
};

// Two rows of a goal that differ in one leaf of those that its values depend on. Places in
// Goal::rows.
struct Pair {
  std::uint32_t a = 0, b = 0;
};

// Part of a law: the law of a goal is `form` with the expressions of the remaining goals in place
// of the variables hole(0), hole(1).
struct Reduction {
  expr::Expr form;
  std::uint32_t cost = 0;  // which of the family's forms it is [bits], but for the remaining goals
  unsigned constants = 0;  // that were chosen so that it fits, but for the remaining goals
  std::vector<Goal> rest;  // leaves are not set yet
  Divisions divisions = 0;
  BorderSet borders = 0;  // of shares
};

// "_0", "_1": names that no leaf has.
expr::Expr hole(std::size_t k);

// A goal, as families read it.
class View {
 public:
  View(const Table& table, const Terms& terms, const Vocabulary& vocabulary, const Goal& goal,
       Effort& effort);

  // Counts steps of a family; false if it has to stop.
  bool take(std::size_t steps) const { return effort_->take(steps); }

  const Table& table() const { return *table_; }
  const Terms& terms() const { return *terms_; }
  // Numbers in laws that the program is known to follow: sizes repeat from call to call.
  const std::set<std::int64_t>& numbers() const { return vocabulary_->numbers; }
  // Of these numbers, those that are shared out between ranks.
  const std::set<std::int64_t>& things() const { return vocabulary_->things; }
  // Encoded length of the number of things that are shared out [bits].
  std::uint32_t cost_of_things(std::int64_t n) const {
    const std::set<std::int64_t>& known = vocabulary_->things;
    return cost_of_number(known.contains(n) ? known : numbers(), n);
  }
  // By which it is known to divide.
  Divisions divisions() const { return vocabulary_->divisions; }
  // Those that its shares are known to have.
  BorderSet borders() const { return vocabulary_->borders; }
  // The ways in which its cells are known to move.
  const std::vector<expr::Expr>& moves() const { return vocabulary_->moves; }
  const Goal& goal() const { return *goal_; }
  // Pairs that differ in this leaf alone.
  std::span<const Pair> pairs(std::size_t leaf) const { return pairs_[leaf]; }
  // A column of the table on the rows of the goal.
  Column on_rows(const Column& all) const;
  std::int64_t leaf(std::size_t leaf, std::size_t place) const {
    return table_->leaf(leaf)[goal_->rows[place]];
  }
  // Of a row of the goal, the run and the leaves that its values depend on but for one.
  std::vector<std::int64_t> others(std::size_t leaf, std::size_t place) const;
  // Whether values on the rows of the goal are the same on each pair, so that they do not need the
  // leaf. False without pairs.
  bool is_free_of(std::size_t leaf, const Column& values) const;

 private:
  const Table* table_;
  const Terms* terms_;
  const Vocabulary* vocabulary_;
  const Goal* goal_;
  Effort* effort_;
  std::vector<std::vector<Pair>> pairs_;  // [leaves]
};

using Reductions = std::vector<Reduction>;

// families/
void linear(const View& view, Reductions& out);       // a * t + rest; a * t + b * u + rest
void products(const View& view, Reductions& out);     // t * rest
void powers(const View& view, Reductions& out);       // a * 2^rest
void shares(const View& view, Reductions& out);       // what x-th of d has of n
void quotients(const View& view, Reductions& out);    // n / d
void fractions(const View& view, Reductions& out);    // (p * t + c) / q
void cells(const View& view, Reductions& out);        // sums over the cells of a multi-partition
void remainders(const View& view, Reductions& out);   // (t + rest) % d
void places(const View& view, Reductions& out);       // coordinates of a place in the grid
void cases(const View& view, Reductions& out);        // x == 0 ? rest : rest
void iterations(const View& view, Reductions& out);   // one law for each iteration of a short loop
void piecewise(const View& view, Reductions& out);    // x < rest ? rest : rest
void comparisons(const View& view, Reductions& out);  // t < u, and more of them
void partitions(const View& view, Reductions& out);   // shares of a law, and where they start

struct Family {
  std::string_view name;
  void (*propose)(const View& view, Reductions& out);
  std::uint32_t least = 0;     // no law that it is part of is shorter [bits]
  std::uint32_t usual = 0;     // about the shortest of programs [bits]
  bool has_conditions = true;  // whether what is 0 or 1 may be by it
};
inline constexpr Family kFamilies[] = {
    //
    {"comparisons", comparisons, 4, 6},    {"linear", linear, 5, 9},
    {"products", products, 12, 12, false}, {"powers", powers, 12, 14, false},
    {"remainders", remainders, 13, 17},    {"fractions", fractions, 13, 18},
    {"quotients", quotients, 13, 20},      {"cases", cases, 20, 20},
    {"iterations", iterations, 20, 20},    {"piecewise", piecewise, 18, 22},
    {"shares", shares, 14, 22, false},     {"partitions", partitions, 16, 22, false},
    {"places", places, 22, 30, false},     {"cells", cells, 34, 40, false},
};

}  // namespace reprise::solve
