// The grid that ranks form: extents that make the peers of call sites neighbors, and the rule that
// yields them from the number of ranks.
//
// A rule counts for a call site when one step in its grid explains the site's peers in every world
// (`digits.hpp`). Sites that a plain offset of the rank explains say nothing and do not count.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "infer/samples.hpp"

namespace reprise::infer {

struct GridRule {
  enum class Kind : std::uint8_t {
    line,      // d0 = ranks
    power,     // all extents are the root of ranks: square, cube
    balanced,  // prime factors of ranks, the largest first, each to the least extent so far, as
               // MPI_Dims_create does; with powers of two it doubles one extent after the other
    closest,   // the factorization with the least difference of the largest and the least extent
    fixed,     // one extent is a number; the others are balanced
    listed,    // no rule is known but what the samples have
    greedy,    // one extent after the other, each the greatest divisor of what is left up to its
               // root; in two dimensions as `closest`
  };
  Kind kind = Kind::line;
  std::size_t dimensions = 1;
  bool smallest_first =
      true;  // d0 has the least extent (row-major, extents descending) or the greatest
  std::size_t fixed_dimension = 0;
  std::int64_t fixed_extent = 0;
  std::vector<World> listed = {};

  // Nothing where the rule has no grid for so many ranks, as `power` for 12.
  std::optional<std::vector<std::int64_t>> extents(std::int64_t ranks) const;
  // "square", "balanced 3-D, d0 least" and so on.
  std::string describe() const;
};

struct GridFit {
  GridRule rule;
  std::vector<std::size_t> explained;  // which of the sites
};

// The rules that explain the most sites; first those with the fewest peers more than two steps
// away, then the simplest: fewer dimensions, then the order of Kind. Empty if no site shows a grid.
// One site's worlds may carry any extents; they are ignored. Cost: (rules + factorizations of the
// numbers of ranks) x samples.
std::vector<GridFit> infer_grid(std::span<const Samples> sites);

// The samples with the extents of the rule in every world; nothing if the rule has none for one of
// them.
std::optional<Samples> on_grid(const Samples& samples, const GridRule& rule);

// "4x2x2", the slowest dimension first.
std::string extents_text(std::span<const std::int64_t> extents);

// All ordered factorizations into so many extents of at least 2. Cost: their number.
std::vector<std::vector<std::int64_t>> factorizations(std::int64_t ranks, std::size_t dimensions);

}  // namespace reprise::infer
