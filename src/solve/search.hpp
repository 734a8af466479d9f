// The search for the shortest law: best first, over the ways in which families take values apart.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "expr/expr.hpp"
#include "solve/table.hpp"

namespace reprise::solve {

struct Candidate {
  expr::Expr law;
  std::uint32_t cost = 0;  // [bits]
};

struct Bounds {
  std::uint32_t longest = 160;   // a law [bits]
  std::uint32_t rivals = 6;      // how much longer than the shortest others may be [bits]
  std::size_t expansions = 300;  // goals that are taken apart
};

// Laws that have the values of all rows of the table, the shortest first, and those that are hardly
// longer. `numbers` are those in laws that the program is known to follow.
std::vector<Candidate> search(const Table& table, const std::set<std::int64_t>& numbers,
                              const Bounds& bounds);

}  // namespace reprise::solve
