// The numbers of a trace's columns as Python: MPI's constants, and the objects that a program
// makes.
#pragma once

#include <optional>
#include <string_view>

#include "trace/calls/functions.hpp"
#include "write/python/syntax.hpp"

namespace reprise::write::python {

// A constant, a number or an object. Throws Unwritable for what mpi4py has no name for.
Expression constant(const trace::Column& column, std::int64_t value);

// Objects are in dictionaries: their name, and the key of the first object that a program makes as
// the trace numbers them.
struct Objects {
  std::string_view dictionary;
  std::int64_t first = 0;
};
// None: numbers of the kind are no objects.
std::optional<Objects> objects_of(trace::Kind kind);

// The key of an object: a number, or None.
Expression object_key(trace::Kind kind, std::int64_t value);

}  // namespace reprise::write::python
