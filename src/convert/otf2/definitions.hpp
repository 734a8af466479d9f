// What an OTF2 archive defines, in the terms of an import: ranks, regions, communicators, clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "convert/import/communicators.hpp"
#include "convert/import/rank.hpp"
#include "convert/otf2/library.hpp"
#include "trace/calls/functions.hpp"

namespace reprise::convert::otf2 {

struct RegionDefinition {
  enum class Kind : std::uint8_t {
    frame,    // of call paths
    call,     // of an MPI function that traces have
    ignored,  // of another one, or one that the measurement made up
  };
  Kind kind = Kind::frame;
  RegionIndex index = 0;         // of a frame
  trace::FunctionId function{};  // of a call
};

struct Definitions {
  std::vector<std::vector<OTF2_LocationRef>> locations;  // by rank, the one in MPI's groups first
  std::uint64_t other_locations = 0;                     // threads that belong to no rank
  std::uint64_t events = 0;                              // in all
  std::vector<SourceRegion> regions;                     // frames
  std::unordered_map<OTF2_RegionRef, RegionDefinition> region_of;
  std::vector<CommDefinition> comms;
  std::vector<bool> has_global_ranks;  // by communicator: records name ranks of the world
  std::unordered_map<OTF2_CommRef, CommIndex> comm_of;
  std::uint64_t ticks_per_second = 1'000'000'000;
  std::uint64_t begin = 0;  // of the trace [ticks]
  std::int64_t date = 0;    // [s since 1970-01-01 UTC]; 0: not known
  std::uint64_t inter_communicators = 0;
  std::unordered_map<OTF2_StringRef, std::string> strings;  // that records name

  // Empty if it is not defined.
  std::string text(OTF2_StringRef ref) const;
  // Since the begin of the trace [ns].
  std::int64_t nanoseconds(OTF2_TimeStamp time) const;
};

// The error says what is missing.
Result<Definitions> read_definitions(OTF2_Reader* reader, const Complaints& complaints);

}  // namespace reprise::convert::otf2
