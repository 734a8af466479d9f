// Reads from the binaries of a program where its call paths lie in the code.
#pragma once

#include "compress/fold/callpath_table.hpp"
#include "trace/calls/code.hpp"

namespace reprise::code {

// By call path of the table, in its order (CallpathTable::for_each_path). A frame whose function
// cannot be followed - no binary with the right build id, an indirect jump of unknown target, as in
// interpreters - is a function of its own of which nothing is known. Frames that tail calls left
// out are inserted; `functions` says which MPI function the last of them has to lead to. Cost: O(n
// log n) for n instructions of functions on call paths.
trace::Code read_code(const compress::CallpathTable& callpaths,
                      const compress::FunctionOfPath& functions);

}  // namespace reprise::code
