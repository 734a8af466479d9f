// The ranks of a trace as conditions and laws use them: the numbers that distinguish streams.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "program/program.hpp"

namespace reprise::program {

// A number of each stream, and the expression of it.
struct Leaf {
  expr::Expr expression;
  std::function<std::int64_t(std::uint64_t stream)> of;
};

// How many streams a trace has.
struct StreamCount {
  std::uint64_t ranks = 1;
  std::uint64_t threads = 1;  // of a rank
};

class Space {
 public:
  // `extents`: of the grid that the ranks form, the product of which they are; empty: none.
  // `with_divisors`: with remainders and quotients of the rank.
  explicit Space(StreamCount streams, std::vector<std::int64_t> extents = {},
                 bool with_divisors = true);

  std::uint64_t ranks() const { return ranks_; }
  std::uint64_t threads() const { return threads_; }
  const std::vector<std::int64_t>& extents() const { return extents_; }
  std::int64_t rank(std::uint64_t stream) const {
    return static_cast<std::int64_t>(stream / threads_);
  }

  // Coordinates, the rank, the thread: the most readable first.
  const std::vector<Leaf>& plain() const { return plain_; }
  // Remainders and quotients of the rank by divisors of the number of ranks; sums and differences
  // of coordinates.
  const std::vector<Leaf>& derived() const { return derived_; }

  Grid grid() const;

 private:
  void add_coordinates();
  void add_sums();
  void add_divisors();

  std::uint64_t ranks_, threads_;
  std::vector<std::int64_t> extents_;
  std::vector<Leaf> plain_, derived_;
};

}  // namespace reprise::program
