// Sizes of the datatypes of a whole trace.
#pragma once

#include <unordered_map>

#include "extrapolate/visits.hpp"

namespace reprise::extrapolate {

// Datatypes are numbered by each process for itself: known is a size that all ranks have, whenever
// they make a datatype of that number.
class TypeSizes {
 public:
  TypeSizes(const trace::Trace& trace, Budget& budget);

  // [bytes]; -1: not known.
  std::int64_t of(std::int64_t type) const;

 private:
  void note(std::int64_t type, std::int64_t size);

  std::unordered_map<std::int64_t, std::int64_t> made_;
};

}  // namespace reprise::extrapolate
