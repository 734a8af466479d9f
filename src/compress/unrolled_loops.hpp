// Loops that a compiler unrolled: copies of one call that follow each other in a function.
#pragma once

#include <vector>

#include "compress/site_code.hpp"

namespace reprise::compress {

// Puts a loop around the copies of a call that follow each other without one: each begins an
// iteration of it. `paths`: by site, where its copies lie. A call of a function is copied where
// sites within have copies that differ in that frame alone. Copies that do not follow each other
// are branches that exclude each other, and copies of which some lie in a loop are its iterations.
// Cost: the square of the copies of each site.
void close_unrolled_loops(std::vector<trace::CodeFunction>& functions, const SitePaths& paths);

}  // namespace reprise::compress
