// From the text of a coNCePTuaL program to its tree.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "conceptual/program.hpp"

namespace reprise::conceptual {

// The deepest nesting that is read.
inline constexpr int kMaxNesting = 500;

// `file` is what errors call it: "FILE:LINE:COLUMN: problem (why) suggestion". Names are resolved:
// a variable that is not there is an error here.
Result<Program> parse_program(std::string_view text, const std::string& file);

}  // namespace reprise::conceptual
