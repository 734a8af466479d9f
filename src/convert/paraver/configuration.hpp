// The files beside a Paraver trace: FILE.pcf has the names of states, events and values, FILE.row
// those of ranks.
#pragma once

#include <string>

#include "base/result.hpp"
#include "convert/paraver/callers.hpp"
#include "convert/paraver/mpi_values.hpp"
#include "trace/program.hpp"

namespace reprise::convert::paraver {

// "FILE.pcf" and "FILE.row" of "FILE.prv".
std::string beside(const std::string& path, const char* extension);

Status write_names(const std::string& path, const trace::Trace& trace, const Callers& callers);
Status write_rows(const std::string& path, std::uint64_t ranks);

}  // namespace reprise::convert::paraver
