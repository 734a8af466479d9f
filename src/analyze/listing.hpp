// A trace as indented pseudo-code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/program.hpp"

namespace reprise::analyze {

struct ListingLine {
  std::size_t depth = 0;
  std::string condition;  // "100 times", "if rank in 0..3", "else"; empty: none
  std::string call;       // "MPI_Send(count=8 dest=rank+1)"; empty: the lines below are deeper
  std::optional<std::uint32_t> callpath;  // of the call
};

// Branches with the same condition stand under one; the complement of a condition is an `else`.
// Cost: O(nodes x streams that differ).
std::vector<ListingLine> list_program(const trace::Trace& trace);

}  // namespace reprise::analyze
