// Text from a trace as it may stand in each kind of output. Names, files and command lines in a
// trace hold whatever their author wants; no text ends the comment or the string that it stands in,
// and none adds a line. For a terminal: printable.hpp.
//
// Control characters, and bytes that are not UTF-8, become escape sequences as in printable.hpp
// unless something else is said.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

// In a comment of C between slashes and stars. Nothing in it begins or ends a comment, or is a
// trigraph, wherever its lines are broken: of such characters one becomes \x2a, \x2f or \x3f.
std::string in_c_comment(std::string_view text);

// A string literal of C with its quotes, of the same bytes. No byte of it is beyond ASCII, and it
// has no trigraph.
std::string c_string(std::string_view text);

// In a comment of coNCePTuaL, which ends with its line. The language's compiler makes C of programs
// and puts them in it: there are no trigraphs either.
std::string in_conceptual_comment(std::string_view text);

// A string of coNCePTuaL with its quotes. The language has escape sequences for quotes, backslashes
// and line feeds alone.
std::string conceptual_string(std::string_view text);

// A string of JSON with its quotes, in ASCII (RFC 8259). Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

// A name of Dimemas with its quotes. There are no escape sequences: quotes in it become
// apostrophes.
std::string dimemas_string(std::string_view text);

// In HTML, between tags or in an attribute with quotes.
std::string in_html(std::string_view text);

}  // namespace reprise
