// Maps of the bits of the rank: where the number of ranks is a power of two, butterflies, shuffles,
// transposes and bit reversals are affine over GF(2), peer = A rank xor b.
//
// A and b are solved for in each world by elimination. Of the matrices those are named that move
// bits about: the bits of the rank, cut into a few fields, change places, and a field may be
// reversed. Perfect shuffles, the transposes of CG on square and on 2:1 grids, and bit reversal are
// such.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "expr/expr.hpp"
#include "infer/samples.hpp"

namespace reprise::infer {

// peer = sum over the bits j of the rank of columns[j], xored, xor constant.
struct BitMap {
  std::vector<std::int64_t> columns;
  std::int64_t constant = 0;

  bool operator==(const BitMap&) const = default;
};

// The map of one world; nothing unless the ranks are a power of two and the samples determine one.
std::optional<BitMap> solve_bit_map(const WorldSamples& samples);

// The expression of the maps of all worlds, over rank, ranks and the extents; nothing if there is
// none of the kind above.
std::optional<expr::Expr> infer_bit_map(const Samples& samples, const std::optional<World>& target);

}  // namespace reprise::infer
