// Explains one number for each stream by the cheapest of a constant, a small law, cases of these,
// and a table.
//
// Laws are fitted, never searched for: linear in one number (the rank, a coordinate, a remainder,
// the rank in the communicator), linear in all coordinates, an offset modulo the number of ranks, a
// neighbor in the grid, an exclusive or with a number. There are few of them, so that a law shorter
// than the table is not a coincidence.
#pragma once

#include <cstdint>
#include <vector>

#include "program/conditions/condition.hpp"
#include "program/grid/space.hpp"
#include "trace/cursors/call_cursor.hpp"

namespace reprise::program {

struct Sample {
  std::uint64_t stream = 0;
  std::int64_t value = 0;
};

// The places of the streams in the communicator of a call, if those are known; by sample.
using Places = std::vector<trace::Membership>;

struct Explained {
  std::vector<Case> cases;
  Bits bits = 0;
};

struct NumberOptions {
  bool is_peer = false;            // ranks of a communicator: neighbors and offsets make sense
  bool is_world = false;           // of MPI_COMM_WORLD
  bool is_name = false;            // of a datatype and the like: nothing to calculate with
  const Places* places = nullptr;  // of the same length as the samples
};

// `all`: the streams that the conditions have to be told apart from, of which the samples are some.
// Samples in the order of streams, at least one. Cost: samples x leaves x log, a few times.
Explained explain_numbers(Conditions& conditions, const std::vector<Sample>& samples,
                          const Streams& all, const NumberOptions& options);

}  // namespace reprise::program
