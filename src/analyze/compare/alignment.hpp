// Where two sequences of calls agree again, and what was changed, added or removed before.
#pragma once

#include <cstdint>
#include <span>

namespace reprise::analyze {

// A call as far as comparing it goes.
struct Sight {
  std::uint64_t identity;  // of the function; calls of the same may be a pair
  std::uint64_t contents;  // all of it
};

inline constexpr std::size_t kAgreement = 3;  // calls in a row that make a place to go on from

// The calls of both sides that lie before such a place, and the fewest differences among them.
struct Passed {
  std::size_t a = 0, b = 0;  // calls
  std::size_t changed = 0;   // pairs of the same identity with other contents
  std::size_t only_a = 0, only_b = 0;
  bool agrees = false;  // false: there was no such place, only the last calls paired
};

// Looks at `window` calls of each side and kAgreement more; a side that has fewer ends there. Pairs
// them in order (edit distance: a changed, added or removed call is 1). Where nothing agrees, what
// lies behind the last pair is left for later. Passes at least a call. Cost: O(window^2).
// REQUIRES: one side has a call.
Passed align(std::span<const Sight> a, std::span<const Sight> b, std::size_t window);

}  // namespace reprise::analyze
