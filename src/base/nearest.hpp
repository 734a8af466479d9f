// Which of some words may have been meant by one that is none of them.
#pragma once

#include <string>
#include <vector>

namespace reprise {

// The one that differs in the fewest letters, or that begins with the word; empty if none is near.
// Cost: O(known x letters^2).
std::string nearest(const std::vector<std::string>& known, const std::string& word);

}  // namespace reprise
