// The buffers of a call as C: helpers that make room for what its other arguments say.
#pragma once

#include <string>

#include "generate/c_draft.hpp"

namespace reprise::generate {

// The text of a buffer. REQUIRES: counts, displacements and datatypes are written.
std::string buffer_text(Draft& draft, std::size_t argument);
// Memory that MPI keeps.
std::string base_text(Draft& draft, std::size_t argument);

// Whether the blocks of the counts always lie one behind the other.
bool are_packed(const Draft& draft, const Argument& displacements, const Argument& counts);

// The arguments behind each other; a buffer with its count and datatype is one macro.
std::string passed(Draft& draft);

// The function that makes a count larger or smaller; empty: none.
std::string_view scaling(const Draft& draft, const Argument& count);

}  // namespace reprise::generate
