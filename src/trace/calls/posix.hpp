// Which of the functions of a trace are POSIX's, and not MPI's: they work on files of the program
// itself, and are recorded on request only (spec/posix.spec).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "trace/calls/functions.hpp"

namespace reprise::trace {

bool is_posix(FunctionId id);
inline bool is_posix(const Function& f) {
  return is_posix(static_cast<FunctionId>(&f - functions().data()));
}

// A function in a file: "Send" is MPI_Send, and what begins with a small letter is POSIX's.
std::string_view name_in_file(FunctionId id);
std::optional<FunctionId> find_in_file(std::string name);

}  // namespace reprise::trace
