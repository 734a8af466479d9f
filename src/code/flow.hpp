// The control flow of one function, from its machine code.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "code/binary.hpp"

namespace reprise::code {

// A straight stretch of instructions; calls end it.
struct Block {
  std::uint64_t begin = 0, end = 0;       // addresses, half-open
  std::vector<std::uint32_t> successors;  // indices of blocks; sorted
  // It may end with a return, or a jump to another function that may return.
  bool leaves = false;
};

// An instruction that leads to another function, of which the address is in the instruction.
struct Transfer {
  std::uint64_t end = 0;     // of the instruction: of a call, the return address
  std::uint64_t target = 0;  // where it leads
};

// A jump that leaves the function for a place that the instruction does not say.
struct Departure {
  std::uint64_t end = 0;  // of the instruction
  // Where the address lies that it jumps to: a slot of the dynamic linker
  // (Binary::imported_by_slot) or a variable. 0: not known.
  std::uint64_t slot = 0;
};

struct Flow {
  std::vector<Block> blocks;         // by address
  std::uint32_t entry = 0;           // the block at which the function begins
  std::vector<Bounds> parts;         // of the function; the first one has the entry
  std::vector<Transfer> calls;       // by address
  std::vector<Transfer> tail_calls;  // jumps to the beginning of other functions; by address
  std::vector<Departure>
      departures;  // tail calls by other addresses than of this binary; by address
};

// Whether short functions of a binary end without a return, by their address and by how many calls
// lead to them from a function whose flow is read.
using KnownEnds = std::map<std::pair<std::uint64_t, int>, bool>;

// The control flow of the function that an address lies in. Parts that the compiler moved elsewhere
// (.cold) belong to it; jumps to other functions leave it, as tail calls do. Nothing follows calls
// of functions that are known not to return (exit), and of short functions of this binary from
// which no path leads to a return. What is executed where an exception leaves a call (the landing
// pad) follows that call. Nothing if the bounds of the function or the target of an indirect jump
// are not known, an instruction cannot be decoded, or the function has over 2^20 instructions.
// Cost: O(n log n) for n instructions, and up to 2^24 steps in search of tables of jumps. The same
// for short functions called that may not return, three calls deep; each once for the same `known`.
std::optional<Flow> read_flow(const Binary& binary, std::uint64_t address, KnownEnds& known);

}  // namespace reprise::code
