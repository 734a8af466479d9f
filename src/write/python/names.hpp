// Names of a Python program.
#pragma once

#include "write/names.hpp"

namespace reprise::write::python {

// None of the names that Python and the runtime part have.
Names python_names();

}  // namespace reprise::write::python
