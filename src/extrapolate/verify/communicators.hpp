// The communicators of a whole trace: which processes each of them consists of.
//
// The parts of an MPI_Comm_split have one number (docs/trace_format.md, section 6). Here each part
// is a communicator of its own. Parts are distinguished by color, by the coordinates in the
// dimensions that an MPI_Cart_sub drops, or else by their size, where only one part can have it.
// Recorded sizes and ranks are compared with the actual members.
#pragma once

#include <cstdint>
#include <optional>

#include "extrapolate/communicators/places.hpp"
#include "extrapolate/verify/executed_values.hpp"
#include "extrapolate/verify/findings.hpp"

namespace reprise::extrapolate {

class Communicators {
 public:
  // Contradictions go to `findings`. Cost: O(ranks x communicators), and sorting them by key.
  Communicators(const trace::Trace& trace, Budget& budget, Findings& findings);

  const Places& places() const { return places_; }
  std::optional<Place> find(std::int64_t comm, std::int64_t rank) const {
    return places_.find(comm, rank);
  }

 private:
  friend class CommunicatorReader;

  Places places_;
};

}  // namespace reprise::extrapolate
