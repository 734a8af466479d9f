// Names of functions as their authors wrote them.
#pragma once

#include <string>

namespace reprise::analyze {

// The name in the source of a symbol: without what a compiler appends to its variants (.cold,
// .part.0, .constprop.0, .isra.0), C++ demangled and without parameters and return type, Fortran's
// module procedures as `module::procedure`, its main program as "main program". A parallel region
// of OpenMP, which is a function of its own, is called by the one it stands in: "solve (omp)".
std::string source_name(const std::string& symbol);

// The same of a symbol that may be Fortran's, whose compilers append an underscore to the names of
// external procedures. `program`: the name of the main program, if it is known.
std::string fortran_name(const std::string& symbol, const std::string& program = {});

// Whether a name of these is that of a region of OpenMP.
bool is_region(const std::string& name);

}  // namespace reprise::analyze
