// Calls of the explained program as a person reads them.
#pragma once

#include "write/text/value_words.hpp"
#include "write/text/words.hpp"

namespace reprise::write {

// "Send(360 double to east, tag 2)"; with ValueWords::is_full() every argument by name:
// "MPI_Send(count=360 datatype=MPI_DOUBLE dest=east tag=2)". What says nothing is left out
// (docs/notation.md).
Words call_words(const program::Program& program, const program::Node& call,
                 const ValueWords& values);

}  // namespace reprise::write
