// The ranks of the processes of a run in its communicators.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace reprise::extrapolate {

// A process in a communicator.
struct Place {
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

  std::int32_t rank = -1;  // -1: no member
  std::int32_t size = 0;   // of the group that peers are ranks of
  // Which of the communicators with one number (docs/trace_format.md, section 6) it is in.
  std::uint32_t part = kUnknown;
};

class Places {
 public:
  static constexpr std::uint32_t kWorldPart = 0;

  explicit Places(std::int64_t ranks)
      : ranks_(ranks), parts_(1 + static_cast<std::size_t>(ranks)) {}

  // Nothing if it is not known, or the rank is no member.
  std::optional<Place> find(std::int64_t comm, std::int64_t rank) const;
  // The places in a communicator that is made, to be filled in. [ranks]
  std::vector<Place>& of(std::int64_t comm);
  // The communicators that were made, by number.
  const std::map<std::int64_t, std::vector<Place>>& made() const { return made_; }
  // A part that is no other's.
  std::uint32_t new_part() { return static_cast<std::uint32_t>(parts_++); }

 private:
  std::int64_t ranks_;
  std::size_t parts_;  // MPI_COMM_WORLD, each MPI_COMM_SELF, made
  std::map<std::int64_t, std::vector<Place>> made_;
};

}  // namespace reprise::extrapolate
