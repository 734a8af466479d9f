// Calls that are made alike at several places of a program, as functions of it: what the program
// had as a function that is called from several places, or what a person would make one.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace reprise::generate {

// The statements of one call or of a line of the program at a depth; the comment is of calls only.
struct Line {
  std::size_t depth;
  std::vector<std::string> statements;
  std::string comment;
  std::optional<std::size_t> declares =
      std::nullopt;  // what the variables that it makes are called after
};

struct Outlining {
  std::function<std::string(const std::string&)> type;  // of an expression in C; empty: unknown
  std::function<std::string(const std::string&)> name;  // a name that nothing else bears
  std::function<std::size_t(const Line&)> length;       // in lines of the file
};

// A function: how it begins, and its body.
struct Outlined {
  std::string head;
  std::vector<Line> body;
};

// Replaces runs of lines that differ in nothing but numbers and handles by calls of functions, as
// long as that makes the program shorter. Cost: O(functions x lines x the square of the
// longest run).
std::vector<Outlined> outline(std::vector<Line>& lines, const Outlining& how);

}  // namespace reprise::generate
