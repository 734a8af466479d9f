// A scalable trace as indented pseudo-code: its loops and calls with the laws in plain mathematics.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scalable/scalable_trace.hpp"

namespace reprise::scalable {

struct ListingLine {
  std::size_t depth = 0;
  std::string condition;  // "n times", "if x0 > 0"; empty: none
  std::string call;       // "MPI_Send(count=8 dest=rank+1)"; empty: the lines below are deeper
  std::optional<std::uint32_t> callpath;  // of the call
};

// Call paths are those of the frame. What says nothing is left out, as from the listing of a trace.
std::vector<ListingLine> list_laws(const ScalableTrace& scalable);

// What the names in the laws stand for: a line for each, such as "d0, d1: extents of the grid
// (square)". Only what is used.
std::vector<std::string> explain_names(const ScalableTrace& scalable);

// A law as a reader has it: "16", "rank + 1", "x0 > 0 ? n / d0 : 0", "{1 x 4, ranks}".
// `of_world`: ranks are those of MPI_COMM_WORLD.
std::string law_text(const extrapolate::Law& law, const trace::Column& column,
                     bool of_world = false);

}  // namespace reprise::scalable
