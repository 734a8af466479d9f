// What is done in coNCePTuaL in place of each collective of MPI.
#pragma once

#include <optional>
#include <string_view>

#include "write/conceptual/calls/operations.hpp"
#include "write/conceptual/calls/substitutes.hpp"

namespace reprise::write::conceptual {

struct Collective {
  std::string_view name;  // without MPI_, and without the I of the non-blocking ones
  Verb verb;
  std::string_view text;     // for the comment at the top; empty: it is the same
  bool is_spread = false;    // what is gathered by `verb` is then broadcast to all
  bool is_averaged = false;  // members have the mean size of all
};

// Nothing if the function is no collective that is done in any way. With Substitutes::paper by
// table 1 of Wu, Mueller and Pakin (2011).
std::optional<Collective> collective_of(const trace::Function& function, Substitutes substitutes);

}  // namespace reprise::write::conceptual
