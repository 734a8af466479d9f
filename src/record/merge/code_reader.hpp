// Where call paths lie in the machine code, from a library that is loaded when a run ends: the
// disassembler is no part of the recorder, and only one process needs it.
#pragma once

#include "compress/fold/callpath_table.hpp"
#include "trace/calls/code.hpp"

namespace reprise::record {

// Reports on standard error if the library (libreprise-code.so, in the folder REPRISE_LIBDIR,
// beside the recorder or where Reprise is installed) does not exist.
void report_missing_reader();

// By path of the table, in its order (src/code/read_code.hpp). Empty if the library does not exist;
// or if it cannot be loaded or fails, which is reported.
trace::Code read_code(const compress::CallpathTable& callpaths,
                      const compress::FunctionOfPath& functions);

}  // namespace reprise::record
