// List parameters over all streams as a reader sees them.
#pragma once

#include "analyze/value_text.hpp"

namespace reprise::analyze {

// "[3 2 1 0]", "[64: 63 62 .. 0]", "\"output.dat\""; "[n: all elements, one list after the other]"
// where the lists differ. `executions` is of the call.
std::string list_text(const trace::Trace& trace, const trace::Value& length,
                      const trace::Value& elements, const ValueMeaning& meaning,
                      const Times& executions);

}  // namespace reprise::analyze
