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
// MPI_Abort at main app.c:7", "rank 1 exited outside MPI, after MPI_Barrier at main app.c:9", "rank
// 2 ended abruptly (SIGKILL, or _exit) outside MPI, after MPI_Recv at main ring.c:42": every rank
// that did not come to MPI_Finalize and was not still running, as far as the trace tells.
std::vector<std::string> death_lines(const trace::Trace& trace);
// The same for programs.
nlohmann::ordered_json deaths_json(const trace::Trace& trace);

// Prints losses, ranks that are cut short and why or were still running, and calls that had not
// returned; nothing where a trace is whole.
void say_end(const trace::Trace& trace);

// What tables of a trace that ended early do not count, in lines that begin with "#": calls that
// had not returned, and calls behind the last checkpoints.
void say_not_counted(const trace::Trace& trace);
// The same for programs: how many.
nlohmann::ordered_json not_counted_json(const trace::Trace& trace);

}  // namespace reprise::cli
