// Comparisons of small expressions, by the rows of a table on which they hold: what conditions are
// made of.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/hash.hpp"
#include "infer/enumerate.hpp"

namespace reprise::infer {

inline constexpr std::size_t kMostRows = 192;
using RowSet = std::array<std::uint64_t, kMostRows / 64>;  // bit i of word i / 64

struct HashRows {
  std::size_t operator()(const RowSet& rows) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : rows) hash = combine(hash, word);
    return hash;
  }
};

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

// Of the comparisons that hold on the same rows the cheapest is kept; those that hold on all or on
// none are not. REQUIRES: at most kMostRows rows. Cost: pairs of entries x rows.
class Atoms {
 public:
  // Compares expressions of up to three nodes; the longest only where they are not too many.
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
  void add(const Comparison& comparison, const RowSet& rows, std::uint64_t probes);

  Pool pool_;
  std::vector<unsigned> costs_;  // of the pool's entries
  RowSet all_ = {};
  std::uint64_t all_probes_;
  std::vector<Atom> atoms_;
  std::unordered_map<RowSet, std::size_t, HashRows> index_;
};

}  // namespace reprise::infer
