// Comparisons of small expressions, by the rows of a table on which they hold: what conditions are
// made of.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "infer/enumerate.hpp"

namespace reprise::infer {

using RowSet = std::vector<std::uint64_t>;  // bit i of word i / 64

// `a op b` over two entries of a pool.
struct Comparison {
  expr::Op op;
  std::size_t a;
  std::size_t b;
};

struct Atom {
  Comparison comparison;
  unsigned cost;         // of reading it
  RowSet rows;           // on which it holds
  std::uint64_t probes;  // on which it holds
  // One that costs as much and holds on the same rows, but on other probes.
  std::optional<Comparison> rival = {};
};

// Of the comparisons that hold on the same rows the cheapest is kept. Cost: pairs of entries x
// rows.
class Atoms {
 public:
  // Compares expressions of up to three nodes.
  Atoms(const Table& table, const std::vector<std::size_t>& rows);
  // Compares those of five nodes with leaves.
  void add_larger();

  const std::vector<Atom>& list() const { return atoms_; }
  // Null if nothing holds on just these.
  const Atom* find(const RowSet& rows) const;
  const RowSet& all() const { return all_; }
  RowSet complement(const RowSet& rows) const;
  // As it is, or its opposite.
  expr::Expr expression(const Comparison& comparison, bool opposite) const;

 private:
  std::size_t begin(unsigned nodes) const { return nodes < 3 ? 0 : pool_.until(nodes - 2); }
  unsigned cost_of_entry(std::size_t i) const;
  void compare(unsigned left, unsigned right);
  void compare_entries(std::size_t a, std::size_t b);
  void add(Atom atom);

  Pool pool_;
  std::vector<unsigned> costs_;  // of the pool's entries
  RowSet all_;
  std::uint64_t all_probes_;
  std::vector<Atom> atoms_;
  std::map<RowSet, std::size_t> index_;
};

}  // namespace reprise::infer
