// Benchmarks in C and MPI: C99.
#pragma once

#include "generate/language.hpp"
#include "program/program.hpp"

namespace reprise::generate {

const Language& c_language();

// The same of an explained program, which may be of any number of ranks.
Result<Benchmark> c_benchmark(const program::Program& program, const Options& options);

}  // namespace reprise::generate
