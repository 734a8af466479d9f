// Names of a C program.
#pragma once

#include "write/names.hpp"

namespace reprise::write::c {

// None of the names that C, its library, POSIX and the runtime part have.
Names c_names();

// Letters, digits and underscores alone, no digit in front; no name that C or MPI keep for
// themselves.
std::string identifier(std::string_view text);

}  // namespace reprise::write::c
