// From the text of a coNCePTuaL program to its tree.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "conceptual/ast.hpp"

namespace reprise::conceptual {

// Reads a program whose variables all have slots. `file` is its name in messages. The text is not
// trusted: nesting is bounded (kMaxNesting). Cost: O(size).
Result<Program> parse_program(std::string_view text, const std::string& file);

// The same from a file.
Result<Program> read_program(const std::string& file);

// Fails for programs that can be read and not executed, since part of them is source code for the
// original compiler.
Status check_executable(const Program& program);

inline constexpr int kMaxNesting = 200;

}  // namespace reprise::conceptual
