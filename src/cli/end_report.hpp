// How a run ended and what its trace does not have, in words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "trace/program.hpp"

namespace reprise::cli {

// A line of a table of two columns, as `reprise info` prints.
void say_line(std::string_view name, const std::string& text);

// "rank 3 died of signal 11 (segmentation fault) in MPI_Recv at main ring.c:42", "rank 0 called
// MPI_Abort at main app.c:7", "rank 1 exited outside MPI, after MPI_Barrier at main app.c:9": what
// the trace tells of the ranks that did not come to MPI_Finalize.
std::vector<std::string> death_lines(const trace::Trace& trace);
// The same for programs.
nlohmann::ordered_json deaths_json(const trace::Trace& trace);

// Whether the run of a trace was still under way when the trace was made of its parts.
enum class Run { ended, under_way };

// Prints losses, ranks that are cut short and why, and calls that had not returned; nothing where
// a trace is whole.
void say_end(const trace::Trace& trace, Run run = Run::ended);

}  // namespace reprise::cli
