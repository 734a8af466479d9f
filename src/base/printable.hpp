// Text from a file as it may go to a terminal: a name in a trace can hold whatever its author
// wants, and a terminal obeys control characters.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

// The text with every control character as an escape sequence (\n, \t, \x1b), and with each byte
// that is not UTF-8 as \xNN. Control characters are those below U+0020, U+007F to U+009F, and those
// that change the direction or the line of text (U+2028 to U+202E, U+2066 to U+2069). Backslashes
// stay as they are, so that applying it twice changes nothing.
std::string printable(std::string_view text);

// The same for text of several lines: line feeds stay.
std::string printable_lines(std::string_view text);

// How the lines of a broken text begin.
struct LineStarts {
  std::string_view first, next;
};

// The text as lines that end with a line feed, broken at spaces so that they are no wider than 120
// columns where words allow it.
std::string broken_lines(const LineStarts& starts, std::string_view text);

}  // namespace reprise
