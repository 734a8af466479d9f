// The words of a coNCePTuaL program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "conceptual/program.hpp"

namespace reprise::conceptual {

struct Token {
  enum class Kind { word, number, text, symbol, end } kind = Kind::end;
  std::string text;     // of a word: in upper case, without what tells plural from singular
  std::string written;  // as it stands in the program
  std::int64_t value = 0;
  double real = 0;
  Place place;
};

// "file:3:14: problem (why) suggestion".
Error error_at(const std::string& file, Place place, const std::string& problem);

// Comments begin with # and end with the line. The last token is an `end`.
Result<std::vector<Token>> read_tokens(std::string_view program, const std::string& file);

}  // namespace reprise::conceptual
