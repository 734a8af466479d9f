// Where something stands in a coNCePTuaL program, and what is wrong there.
#pragma once

#include <cstdint>
#include <string>

namespace reprise::conceptual {

// Counted from 1; a column is a byte of its line.
struct Position {
  std::uint32_t line = 1, column = 1;
};

// Which ranks find a problem when a program runs: all of them, at the same statement, or only
// those that take part in it.
enum class Finders { all, some };

// Thrown within the stage; `parse_program` and the executor turn it into what others see. The text
// is worded "problem (why) suggestion".
struct Problem {
  Position at;
  std::string text;
  Finders finders = Finders::all;
};

// "pingpong.ncptl:3:14: problem (why) suggestion".
std::string describe(const std::string& file, const Problem& problem);

}  // namespace reprise::conceptual
