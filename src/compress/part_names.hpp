// What the parts of an interrupted run are called.
#pragma once

#include <cstdint>
#include <string>

namespace reprise::compress {

// "OUTPUT.part-RANK"
std::string part_path(const std::string& output, std::uint64_t rank);

// In place of `output` for parts that have no room beside it: in $TMPDIR or /tmp. A hash of the
// output's folder in the name keeps runs apart whose outputs have the same name in different
// folders.
std::string moved_output(const std::string& output);

}  // namespace reprise::compress
