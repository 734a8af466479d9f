// Reads calls back from text: a line as `show --flat` prints it and the recorder's flat log has it
// (analyze::describe_event writes such lines; the two change together).
//
//   line  := function (" " column "=" value)* (" " column "=[" (value ("," value)*)? "]")*
//
// The columns of the function stand in its order: the scalars, then the lists.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.hpp"
#include "trace/cursors/call_cursor.hpp"

namespace reprise::trace {

// The number of a communicator that text names: a trace has numbers, a flat log "comm:world",
// "comm:self", and names that all members come to ("comm:world/0", "comm:members_0_2/1").
using CommNumbering = std::function<std::int64_t(std::string_view name)>;

// Whether a line has all columns of its function, or leaves out those that are as default_of()
// says.
enum class LogColumns : std::uint8_t { all, some };

// A column of which nothing is known: no buffer in place, ranks MPI_PROC_NULL, datatypes MPI_BYTE,
// MPI_BOR as the reduction that MPI defines on it, the world, null handles, numbers 0.
std::int64_t default_of(const Column& column);

// Reads a line into `event`, whose memory is used again; its `call` stays as it is. `number_of` is
// asked for communicators but the world and self. Cost and memory: O(size of the line).
// The error is what is wrong with the line, "MPI_Send lacks tag".
Status parse_call(std::string_view line, const CommNumbering& number_of, Event& event,
                  LogColumns columns = LogColumns::all);

}  // namespace reprise::trace
