// Benchmarks in Python with mpi4py (src/write/python).
#pragma once

#include "generate/language.hpp"

namespace reprise::generate {

const Language& python_language();

}  // namespace reprise::generate
