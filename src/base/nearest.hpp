// The known word that is nearest to a misspelled one.
#pragma once

#include <string>
#include <vector>

namespace reprise {

// The one that differs in the fewest letters, or that begins with the word; empty if none is near.
// Cost: O(known x letters^2).
std::string nearest(const std::vector<std::string>& known, const std::string& word);

}  // namespace reprise
