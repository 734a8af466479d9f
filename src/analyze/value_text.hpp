// Values over all streams as a reader sees them.
#pragma once

#include <functional>
#include <string>

#include "analyze/cases.hpp"
#include "analyze/memberships.hpp"
#include "trace/program.hpp"

namespace reprise::analyze {

// What the numbers of a value are.
struct ValueMeaning {
  trace::Column column = {};
  std::int64_t world = 0;  // the number of ranks if peers are always those of MPI_COMM_WORLD
  std::function<PeerRange(std::uint64_t stream)> peers = {};  // looked at if they are not
};

// How one number reads. What is written relative says so, with the sign that is nearer to zero
// modulo the size of the communicator; 0: that is not known, and there is a sign already if any.
std::string written_text(const ValueMeaning& meaning, trace::Encoding encoding, std::int64_t v,
                         std::int64_t size);

// "8", "rank+1", "{8 x4 9}" over executions, "(8 on 0..3, 9 on 4)", "by rank {0 2 .. 30}".
std::string value_text(const trace::Trace& trace, const trace::Value& value,
                       const ValueMeaning& meaning, const Times& times);

}  // namespace reprise::analyze
