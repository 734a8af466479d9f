// What the head of a Paraver trace defines: tasks with their threads, communicators, the clock.
//
//   header := "#Paraver (" date "):" time ("_ns")? ":" nodes ":" applications ":"
//             tasks "(" (threads ":" node),... ")" ("," communicators)?
//   communicator := "c:" application ":" id ":" size (":" task)*
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "convert/import/communicators.hpp"

namespace reprise::convert::paraver {

struct Header {
  std::vector<std::uint32_t> threads;  // by task
  std::int64_t unit = 1;               // of times [ns]
  std::int64_t date = 0;               // start of the run [s since 1970-01-01 UTC]; 0: not known
  // The world first, then MPI_COMM_SELF, which stands for all communicators of one task.
  std::vector<CommDefinition> comms;
  std::unordered_map<std::int64_t, CommIndex> comm_of;  // by id
};

// The error says why the line makes no sense.
Result<Header> parse_header(std::string_view line);
// Of a line that begins with "c:".
Status parse_communicator(std::string_view line, Header& header);

}  // namespace reprise::convert::paraver
