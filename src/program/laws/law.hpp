// The laws that a number of each stream may follow (numbers.hpp).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "program/laws/numbers.hpp"

namespace reprise::program {

struct Law {
  Content content;
  Bits bits = 0;
};

// The cheapest law that all samples follow; none if there is none. REQUIRES: two samples or more,
// not all alike.
std::optional<Law> law_of(const Space& space, const std::vector<Sample>& samples,
                          const NumberOptions& options);

}  // namespace reprise::program
