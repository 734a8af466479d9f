// A Paraver trace of an MPI program, as Extrae writes it, as a trace.
//
// The file is read once, and its records are sorted by thread in a file beside the output; each
// thread is then a stream of events that is folded as it comes. Memory: what the folded ranks take,
// and the records that are sorted at once.
#pragma once

#include <string>

#include "convert/import/finish.hpp"

namespace reprise::convert::paraver {

// `path`: of FILE.prv; FILE.pcf beside it names what its values stand for. Cost: n log n for n
// records.
Result<trace::Trace> import_trace(const std::string& path, const ImportSettings& settings);

}  // namespace reprise::convert::paraver
