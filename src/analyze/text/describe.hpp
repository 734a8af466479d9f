// A trace in words: calls and values as a reader sees them.
#pragma once

#include <string>

#include "trace/cursors/cursor.hpp"

namespace reprise::analyze {

// "MPI_INT", "MPI_PROC_NULL", "3".
std::string describe_number(trace::Kind kind, std::int64_t value);

// The same, and "MPI_SEEK_SET" or "MPI_MODE_RDWR|MPI_MODE_CREATE" if the column has constants.
std::string describe_number(const trace::Column& column, std::int64_t value);

// One call in full: "MPI_Send polls=0 buf=0 count=8 datatype=MPI_INT dest=1 tag=0 comm=0".
// The flat log that the recorder writes has this form too.
// `texts`: names of files and the like are lists of the numbers of their characters in a log, and
// text in quotation marks for people.
enum class Texts { as_numbers, quoted };
std::string describe_event(const trace::Event& event, Texts texts = Texts::as_numbers);

}  // namespace reprise::analyze
