// The numbers that may hold a share: the x-th of d, where x is a coordinate, one of all ranks but
// the first or the last, or one that moves with a loop.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/expr.hpp"
#include "solve/family.hpp"
#include "solve/samples.hpp"

namespace reprise::solve {

struct Holder {
  expr::Expr x, d;
  Column at, of;                         // [rows of the goal] values of x and d
  Leaves leaves = 0;                     // that x is made of
  std::uint32_t cost = 0;                // [bits] besides that of an axis
  LeafKind kind = LeafKind::coordinate;  // of a leaf that x is; of one that moves, the extent's
  bool is_moving = false;
};

// All holders on which the values of a goal depend: the coordinates of axes first, then remainders
// by what bounds one.
std::vector<Holder> holders(const View& view);

}  // namespace reprise::solve
