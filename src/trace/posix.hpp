// Which of the functions of a trace are POSIX's, and not MPI's: they work on files of the program
// itself, and are recorded on request only (spec/posix.spec).
#pragma once

#include "trace/functions.hpp"

namespace reprise::trace {

bool is_posix(FunctionId id);
inline bool is_posix(const Function& f) {
  return is_posix(static_cast<FunctionId>(&f - functions().data()));
}

}  // namespace reprise::trace
