// The traces of single ranks (`record --merge none`): made of one process each, and made processes
// again, so that they can be merged as if that had happened in MPI_Finalize.
//
// The calls of such a trace are those of its process, in order, and so are not kept twice. What
// merging needs beyond them is in a section of the trace (trace/file/rank_section.hpp): the names
// by which processes know communicators, call paths as offsets in the program, and times as they
// were before they were reduced.
#pragma once

#include "compress/process.hpp"

namespace reprise::compress {

// The trace of one process, in which all other ranks are empty.
trace::Trace trace_of(Process process, const ReadCode& read_code);

// The process that a trace was made of; `trace` may have been symbolized meanwhile. Fails if it is
// not of a single rank, or damaged. Cost: all calls of the rank.
Result<Process> process_of(const trace::Trace& trace, const std::string& name);

}  // namespace reprise::compress
