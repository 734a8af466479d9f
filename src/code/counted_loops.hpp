// Loops whose trip counts are constants of the machine code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "code/binary.hpp"
#include "code/flow.hpp"
#include "code/loop_nest.hpp"

namespace reprise::code {

// By loop, how often its points are executed while the loop is executed once, if constants say so:
// one register or place of the stack counts, from a constant, by a constant, up to a constant, and
// the loop is left there alone (and where the program ends). Addresses of variables are constants,
// and so are distances between places of the stack. Assumes that nothing changes the counter by its
// address, and that stack pointers are read where no arguments of a call are on the stack.
// 0: the number is not known, or not the same for all points.
// Cost: for each loop O(blocks of the flow + instructions of the loop and of what may precede it),
// and at most 2^20 iterations counted; after 2^22 instructions for all loops, the rest is unknown.
std::vector<std::uint64_t> constant_trips(const Binary& binary, const Flow& flow,
                                          std::span<const LoopBlocks> loops);

}  // namespace reprise::code
