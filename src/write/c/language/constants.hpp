// The numbers of a trace's columns as C: MPI's constants, and the numbers of objects.
#pragma once

#include <optional>
#include <string_view>

#include "trace/calls/functions.hpp"
#include "write/c/language/syntax.hpp"

namespace reprise::write::c {

// How a kind of MPI's objects is written.
struct ObjectWords {
  std::string_view type;   // "MPI_Comm"
  std::string_view array;  // the name of an array of them
  std::string_view one;    // and of a single one
  std::string_view null;
  std::int64_t first = 0;  // number of the first that a program makes
};
// Null: numbers of the kind are no objects.
const ObjectWords* object_words(trace::Kind kind);

// The name of an object that there is from the start, or of none; null: a program makes it.
Expression predefined(trace::Kind kind, std::int64_t value);

// A number of a column that names no object. Throws Unwritable.
Expression constant(const trace::Column& column, std::int64_t value);

}  // namespace reprise::write::c
