// The libraries around a program that are none of its own code, by the names of their files.
#pragma once

#include <cstdint>
#include <string_view>

namespace reprise::record {

enum class Library : std::uint8_t {
  none,       // the program, or a library of it
  mpi,        // an MPI implementation, or a plug-in of one
  binding,    // what binds a language to MPI: calls come through it
  simulator,  // SimGrid: an MPI implementation that also starts the program
  support,    // what MPI implementations use: networks, topology, process management
  system,     // the C library and what starts a program and its threads
  recorder,
};

// `name`: of a file, without its folders.
Library library_named(std::string_view name);

}  // namespace reprise::record
