// What a trace asks of those who work on it, found out without walking it: a file of a hundred
// bytes can name millions of ranks and calls without end.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "trace/program.hpp"

namespace reprise::analyze {

// What a caller does with a trace. Each takes what the ones before it take, and more.
enum class Use : std::uint8_t {
  structure,  // looks at the program, and at all ranks that a part of it concerns
  calls,      // walks every call of every rank
  states,     // keeps something for each rank and call at the same time
};

// Why that takes more time or memory than a trace can be worth, in words; empty: it does not.
// `memory` is what there is of it [bytes]. The bounds are far beyond what programs reach: 2^28
// values that differ between ranks; on more than 2^16 ranks, 2^20 ways that they go through the
// program, and 2^26 items by each way; 2^36 calls and elements of lists in all; 16 KiB for
// each rank, and 256 bytes for each of its calls.
// Cost: O(nodes x kinds of ranks + ranks x values that differ between them).
std::string excess_of(const trace::Trace& trace, Use use, std::uint64_t memory);

// The same of traces that are laid out on one program, of which all is kept at the same time.
std::string excess_of(std::span<const trace::Trace> traces, std::uint64_t memory);

// Calls and elements of lists in all streams, about; beyond 2^62 only that there are so many.
double steps_of(const trace::Trace& trace);

}  // namespace reprise::analyze
