// Values that stand for themselves: no rank, size or tag is ever one of them, and no encoding of
// ranks (relative, exclusive or) touches them. They are the same for every MPI implementation.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace reprise::trace {

inline constexpr std::int64_t kSpecialBase = std::numeric_limits<std::int64_t>::min();

inline constexpr std::int64_t kNone = kSpecialBase;               // nothing was recorded here
inline constexpr std::int64_t kProcNull = kSpecialBase + 1;       // MPI_PROC_NULL
inline constexpr std::int64_t kAnySource = kSpecialBase + 2;      // MPI_ANY_SOURCE
inline constexpr std::int64_t kAnyTag = kSpecialBase + 3;         // MPI_ANY_TAG
inline constexpr std::int64_t kRoot = kSpecialBase + 4;           // MPI_ROOT
inline constexpr std::int64_t kUndefined = kSpecialBase + 5;      // MPI_UNDEFINED
inline constexpr std::int64_t kNull = kSpecialBase + 6;           // a null handle
inline constexpr std::int64_t kInPlace = kSpecialBase + 7;        // MPI_IN_PLACE
inline constexpr std::int64_t kBottom = kSpecialBase + 8;         // MPI_BOTTOM
inline constexpr std::int64_t kUnweighted = kSpecialBase + 9;     // MPI_UNWEIGHTED
inline constexpr std::int64_t kEmptyWeights = kSpecialBase + 10;  // MPI_WEIGHTS_EMPTY
inline constexpr std::int64_t kForeign =
    kSpecialBase + 11;  // an object that the recorder has never seen made
inline constexpr std::int64_t kCancelled = kSpecialBase + 12;  // in place of whom a receive met

inline constexpr std::int64_t kSpecialCount = 63;

inline bool is_special(std::int64_t v) { return v < kSpecialBase + kSpecialCount; }

// "MPI_PROC_NULL" and the like; empty for an ordinary value.
std::string_view special_name(std::int64_t value);

}  // namespace reprise::trace
