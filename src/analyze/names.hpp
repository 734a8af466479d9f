// Names of functions as their authors wrote them.
#pragma once

#include <string>

namespace reprise::analyze {

// The name in the source of a symbol: without what a compiler appends to its variants (.cold,
// .part.0, .constprop.0, .isra.0), C++ demangled and without parameters, Fortran's module
// procedures as `module::procedure`, its main program as "main program".
std::string source_name(const std::string& symbol);

}  // namespace reprise::analyze
