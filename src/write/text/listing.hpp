// An explained program as pseudo-code: what `reprise show` prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/program.hpp"
#include "write/text/words.hpp"

namespace reprise::write {

struct TextOptions {
  bool full = false;       // every argument by name, and nothing cut short
  bool callpaths = false;  // whole call paths in place of the last place
};

struct Line {
  std::size_t depth = 0;
  Words words;
  std::string place;  // in the source; empty: none
  // The calls of the trace that the line itself makes, not those of lines below it; in a procedure,
  // of all its invocations. In ascending order.
  std::vector<std::uint32_t> calls = {};
};

struct Listing {
  // What a reader has to know of the ranks: "4 x 4 grid: x = rank % 4, y = rank / 4", the groups
  // and values that the lines name.
  std::vector<std::string> ranks;
  std::vector<Line> lines;
};

// Procedures first, then the body of the program. Lines are not broken yet.
Listing list_program(const program::Program& program, const TextOptions& options);

}  // namespace reprise::write
