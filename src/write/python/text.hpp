// Text from a trace as it may stand in a Python program.
#pragma once

#include <string>
#include <string_view>

namespace reprise::write::python {

// A literal of ASCII characters on one line, quotes around it, that is these bytes: as str, each
// byte that is not printable is the character of that number.
std::string quoted(std::string_view bytes);

// The text on one line without control characters, for behind a #. A program's first two lines
// must have none of it: Python looks there for the encoding of the file.
std::string comment_text(std::string_view text);

// Letters, digits and underscores alone, no digit in front, and no keyword of Python.
std::string identifier(std::string_view text);

}  // namespace reprise::write::python
