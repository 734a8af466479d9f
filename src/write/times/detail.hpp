// How much a generated program says of the times of its computation.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace reprise::write::times {

enum class Detail : std::uint8_t {
  full,   // paths, ranks and the distribution of executions, as far as a rank notices
  ranks,  // one mean for each computation and class of ranks
  mean,   // one mean for each computation
};

// As the option --times of `reprise generate` has them, in the order of the values.
inline constexpr std::array<std::string_view, 3> kDetailNames = {"full", "ranks", "mean"};

}  // namespace reprise::write::times
