// Sizes of datatypes: those that MPI has from the start, and those that a program makes.
#pragma once

#include <unordered_map>

#include "mpi/names.hpp"
#include "mpi/payloads/bytes.hpp"
#include "trace/cursors/call_cursor.hpp"

namespace reprise::mpi {

class TypeSizes {
 public:
  // Of one element. Unknown for a datatype that was not made as far as is known.
  Bytes of(TypeId type) const;
  // Of `count` elements. A count that is not positive is nothing: a special one does not count.
  Bytes of(std::int64_t count, TypeId type) const { return of(type) * count; }

  // Takes in the datatypes that an event makes. False: one of them had another size before, as
  // names are given again.
  bool learn(const trace::Event& event);
  // The same for one datatype. The sizes of predefined ones do not change.
  bool set(TypeId type, Bytes size);

  void clear() { made_.clear(); }

 private:
  std::unordered_map<std::int64_t, Bytes> made_;
};

// The scalar behind that of a datatype which a function makes is its size. Calls
// `take(type column, size column)` for each.
template <class Take>
void for_each_made_type(const trace::Function& function, const Take& take) {
  for (std::size_t c = 1; c < function.scalars.size(); ++c) {
    if (function.scalars[c].kind == trace::Kind::bytes) take(c - 1, c);
  }
}

}  // namespace reprise::mpi
