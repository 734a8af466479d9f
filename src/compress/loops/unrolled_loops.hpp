// Loops that a compiler unrolled: copies of one call that follow each other in a function.
#pragma once

#include <vector>

#include "compress/loops/site_code.hpp"

namespace reprise::compress {

// Copies of a call beyond which they are left as they are.
inline constexpr std::size_t kMaxUnrolled = 64;

// Puts a loop around the copies of a call that follow each other in a function, with no other call
// between them, and lie in the same loops: each copy begins an iteration. `paths`: by site, where
// its copies lie. A call of a function is copied where sites within have copies that differ in that
// frame alone. Copies in branches that exclude each other get no loop, and an iteration that was
// peeled off belongs to the loop that is there. Cost: the frames of copied calls squared for each
// call path, and for each point up to kMaxUnrolled x 1,024 steps.
void restore_unrolled_loops(std::vector<trace::CodeFunction>& functions, const SitePaths& paths);

}  // namespace reprise::compress
