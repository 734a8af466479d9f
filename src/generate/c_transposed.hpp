// Lists of which each rank has what all others have for it, as the counts of what is received are
// those of what is sent: the same table, read across.
#pragma once

#include <optional>
#include <string>

#include "generate/c_draft.hpp"

namespace reprise::generate {

// The lists of the argument as those of `other`, which `text` reads from a table by rank; nothing
// if they are not. Cost: O(elements).
std::optional<std::string> transposed(Draft& d, const Argument& a, const Argument& other,
                                      const std::string& text);

}  // namespace reprise::generate
