// The communicators of a whole trace: which processes each of them consists of.
//
// The parts of an MPI_Comm_split bear one number (docs/trace_format.md, section 6). Here each part
// is one of its own: colours tell them apart, coordinates in the dimensions that an MPI_Cart_sub
// drops, and otherwise their size, where only one part can have it. What is recorded of size and
// rank is held against the members that are there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "extrapolate/findings.hpp"
#include "extrapolate/visits.hpp"

namespace reprise::extrapolate {

// A process in a communicator.
struct Place {
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

  std::int32_t rank = -1;  // -1: no member
  std::int32_t size = 0;   // of the group that peers are ranks of
  std::uint32_t part = kUnknown;
};

class Communicators {
 public:
  // Contradictions go to `findings`. Cost: O(ranks x communicators), and sorting them by key.
  Communicators(const trace::Trace& trace, Budget& budget, Findings& findings);

  // Nothing if it is not known, or the rank is no member.
  std::optional<Place> find(std::int64_t comm, std::int64_t rank) const;
  // The communicators that were made and their members' places. [ranks] each
  const std::map<std::int64_t, std::vector<Place>>& made() const { return places_; }
  std::size_t parts() const { return parts_; }

 private:
  static constexpr std::uint32_t kWorldPart = 0;

  friend class CommunicatorReader;

  std::int64_t ranks_;
  std::map<std::int64_t, std::vector<Place>> places_;  // by number
  std::size_t parts_ = 0;                              // MPI_COMM_WORLD, each MPI_COMM_SELF, made
};

}  // namespace reprise::extrapolate
