// What the words of a command are: programs, how they are linked, and with what.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise::cli {

// A word as a shell reads it back.
std::string quoted(const std::string& word);
// The same, without quotes where a shell needs none.
std::string quoted_if_needed(const std::string& word);

// The file that a shell would run for a word; empty if there is none.
std::string find_program(const std::string& word);
// Why none of a launcher's words is a program on this node: "app is not in PATH, but ./app is
// there", "./app.c is not executable", "./app does not exist". Empty if one is, or none looks as if
// it were: a file right behind an option is its value.
std::string why_no_program_in(const std::vector<std::string>& words);

// A regular file with machine code in it.
bool is_binary(const std::string& path);

// A binary that nothing can be preloaded into: it asks for no dynamic linker.
bool is_static(const std::string& path);

bool contains(const std::string& path, std::string_view text);

// What the dynamic linker would load for a binary, a line each. REQUIRES: it is not static.
std::string needed_libraries(const std::string& program);

}  // namespace reprise::cli
