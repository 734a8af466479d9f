// Sizes that users give a program on its command line, which its laws have.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>

namespace reprise::extrapolate {

// The whole numbers of two to nine digits that all command lines have: 240 and 96 of `p2p 4 240 96`
// and of `-n 240x96`, but no part of 1.50, 2.5e-10 or 0x100, of a name such as a64, or of a path.
std::set<std::int64_t> numbers_in_commands(std::span<const std::string> commands);

}  // namespace reprise::extrapolate
