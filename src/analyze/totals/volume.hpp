// How many bytes a call moves, as the calling process sees it. docs/statistics.md is this in words.
#pragma once

#include <array>
#include <cstdint>

#include "mpi/communicators/communicators.hpp"
#include "mpi/payloads/type_sizes.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::analyze {

// Bytes by direction, and how many calls moved an amount that the trace does not tell. An amount by
// which a sum would exceed 2^64 - 1 is left out of it and counts as one of those.
struct Volume {
  std::array<std::uint64_t, 4> bytes{};  // by trace::Direction [bytes]
  std::uint64_t unknown = 0;             // calls

  std::uint64_t& operator[](trace::Direction d) { return bytes[static_cast<std::size_t>(d)]; }
  std::uint64_t operator[](trace::Direction d) const { return bytes[static_cast<std::size_t>(d)]; }
  Volume& operator+=(const Volume& other);
  Volume operator*(std::uint64_t times) const;
  bool operator==(const Volume&) const = default;
};

// The datatypes and communicators that one stream has made.
struct Objects {
  // `world`: what the stream is in MPI_COMM_WORLD.
  explicit Objects(trace::Membership world) : comms(world) {}

  // Takes in what an event makes. False: it gives a name that already meant something else.
  bool learn(const trace::Event& event);

  mpi::TypeSizes types;
  mpi::Communicators comms;
};

// What is counted of a call.
enum class Counting : std::uint8_t {
  moved,  // as docs/statistics.md says
  given,  // the buffers that it is given, each once and whole, wherever what is in them goes: to
          // MPI_PROC_NULL and by persistent requests too, but none in place
};

// What one call moves; for a persistent request, what each start of it will.
Volume volume_of(const trace::Event& event, const Objects& objects,
                 Counting counting = Counting::moved);

}  // namespace reprise::analyze
