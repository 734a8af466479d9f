// Reads calls back from text: a line as `show --flat` prints it and the recorder's flat log has it
// (analyze::describe_event writes such lines; the two change together).
//
//   line  := function (" " column "=" value)* (" " column "=[" (value ("," value)*)? "]")*
//
// All columns of the function, in its order: the scalars, then the lists.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.hpp"
#include "trace/call_cursor.hpp"

namespace reprise::trace {

// The number of a communicator that text names: a trace has numbers, a flat log "comm:world",
// "comm:self", and names that all members come to ("comm:world/0", "comm:members_0_2/1").
using CommNumbering = std::function<std::int64_t(std::string_view name)>;

// Reads a line into `event`, whose memory is used again; its `call` stays as it is. `number_of` is
// asked for communicators but the world and self. Cost and memory: O(size of the line).
// The error is what is wrong with the line, "MPI_Send lacks tag".
Status parse_call(std::string_view line, const CommNumbering& number_of, Event& event);

}  // namespace reprise::trace
