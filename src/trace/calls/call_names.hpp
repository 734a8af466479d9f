// Names by which a person tells the calls of a trace apart, in all views that show single calls.
#pragma once

#include <string>
#include <vector>

#include "trace/program.hpp"

namespace reprise::trace {

// A call is named by its function and place. Calls of a function in one place are told apart by
// those frames of their call paths in which they part, and by numbers where these are equal, as for
// two calls on one line.
class CallNames {
 public:
  // Cost: O(n log n) for n calls.
  explicit CallNames(const Trace& trace);

  // "MPI_Recv in exchange stencil2d.c:40", "MPI_Recv in exchange stencil2d.c:40 (call 2 of 3)",
  // "MPI_Recv in main a.c:12 > exchange a.c:40", "MPI_Recv in step a.c:12 > ... > exchange a.c:40"
  // where further frames lie between these.
  const std::string& text(std::uint32_t call) const { return texts_[call]; }
  // The same without the function; empty if only that is known.
  const std::string& place(std::uint32_t call) const { return places_[call]; }

 private:
  std::vector<std::string> texts_, places_;  // by call
};

}  // namespace reprise::trace
