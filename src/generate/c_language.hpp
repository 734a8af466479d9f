// Benchmarks in C and MPI: one self-contained C99 file.
#pragma once

#include "generate/language.hpp"

namespace reprise::generate {

const Language& c_language();

}  // namespace reprise::generate
