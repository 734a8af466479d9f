// The shortest expression that explains a table, found by trying them all, from the leaves up.
//
// Expressions that agree on every row are one (observational equivalence, as in enumerative program
// synthesis: Udupa et al. 2013, TRANSIT), so that a few ten thousand stand for all with up to five
// nodes. Larger ones are not kept: one operand with up to three nodes is tried against all, and for
// + - ^, which have an inverse, the missing operand is looked up. The search sees some rows only;
// what it finds is held against all, and a row that contradicts joins the search
// (counterexample-guided). The result depends on the table alone, never on time.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "infer/samples.hpp"

namespace reprise::infer {

// Expressions of one, three and five nodes over the names of a table and the constants 1 and 2, by
// their values on chosen rows and on the probes. Operators: + - * / % ^ &, and << >> where the
// table has further parameters.
class Pool {
 public:
  struct Entry {
    expr::Op op;  // constant: 1 or 2 in `a`; variable: its slot in `a`
    std::uint8_t nodes;
    std::uint32_t a;
    std::uint32_t b;
  };

  // `largest` is the most nodes of an entry: 1, 3 or 5. `with_zero` adds the constant 0.
  Pool(const Table& table, const std::vector<std::size_t>& rows, unsigned largest,
       bool with_zero = false);

  std::size_t size() const { return entries_.size(); }
  // The entries with at most so many nodes are the first `until(nodes)`.
  std::size_t until(unsigned nodes) const { return until_[nodes]; }
  const Entry& entry(std::size_t i) const { return entries_[i]; }
  // [chosen rows, then probes]
  const std::int64_t* values(std::size_t i) const { return values_.data() + i * rows_.size(); }
  // The chosen rows, and the probes.
  std::size_t width() const { return known_; }
  std::size_t probes() const { return rows_.size() - known_; }
  const std::vector<expr::Op>& operators() const { return operators_; }
  expr::Expr expression(std::size_t i) const;
  // Whether programs combine these: bits of ranks and extents mean something only where all numbers
  // of ranks are powers of two, others only with a number or an index.
  bool is_plausible(expr::Op op, std::size_t a, std::size_t b) const;
  // The entries with these values on the chosen rows; null for none.
  const std::vector<std::uint32_t>* find(const std::int64_t* values) const;

 private:
  bool is_free_of_ranks(std::size_t i) const;
  bool is_of_rank_alone(std::size_t i) const;
  void grow(unsigned nodes);
  bool apply_to_rows(expr::Op op, const std::int64_t* x, const std::int64_t* y);
  void combine(std::uint32_t a, std::uint32_t b, unsigned nodes);
  void add(Entry entry, const std::int64_t* values);

  const Table& table_;
  std::vector<const std::int64_t*> rows_;  // the slots of the chosen rows and the probes
  std::size_t known_;
  bool powers_of_two_ = true;  // are all numbers of ranks
  std::vector<expr::Op> operators_;
  std::vector<Entry> entries_;
  std::vector<std::int64_t> values_;  // [entries x rows]
  std::unordered_set<std::uint64_t> seen_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_known_;
  std::vector<std::size_t> until_;
  std::vector<std::int64_t> scratch_;
};

// Rows that tell the worlds and the ranks apart, at most `limit` of them.
std::vector<std::size_t> choose_rows(const Table& table, std::size_t limit);

// All shortest expressions, in the order of the search, at most `limit`: those that agree on every
// sample and on every probe count as one. None if there is none with up to `largest` nodes. Cost:
// some 10 ms with up to five nodes, up to a second beyond.
std::vector<expr::Expr> enumerate(const Table& table, unsigned largest = 11, std::size_t limit = 8);

}  // namespace reprise::infer
