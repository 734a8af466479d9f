// What the parts of an interrupted run are called.
#pragma once

#include <cstdint>
#include <string>

namespace reprise::compress {

// "OUTPUT.part-RANK"
std::string part_path(const std::string& output, std::uint64_t rank);

// Replaces `output` in the names of parts that have no room beside it: a path in $TMPDIR or /tmp.
// It contains a hash of the output's folder, so that parts of equally named outputs in different
// folders do not collide.
std::string moved_output(const std::string& output);

}  // namespace reprise::compress
