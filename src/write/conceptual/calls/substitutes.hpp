// What stands in place of calls that coNCePTuaL lacks.
#pragma once

#include <cstdint>

namespace reprise::write::conceptual {

enum class Substitutes : std::uint8_t {
  own,    // what keeps sizes and volumes
  paper,  // table 1 of Wu, Mueller and Pakin (2011), for comparison
  none,   // the calls themselves, for the language's own compiler
};

}  // namespace reprise::write::conceptual
