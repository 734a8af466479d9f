// The words of a coNCePTuaL program: the language is read case-insensitively, and most keywords
// have a singular and a plural form that mean the same.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conceptual/problem.hpp"

namespace reprise::conceptual {

struct Token {
  enum class Kind { word, keyword, number, text, symbol, end };

  Kind kind = Kind::end;
  Position at = {};
  // A variable in small letters; a keyword in capitals and in its first form (SENDS is SEND); the
  // contents of a string; a symbol.
  std::string text = {};
  std::string spelled = {};   // a keyword as it stands, in capitals
  bool after_hyphen = false;  // of a keyword: a hyphen stood before it, and is gone
  std::int64_t value = 0;     // of a number, its multiplier applied
  std::size_t partner = 0;    // of an opening parenthesis: the token that closes it; 0: none does
};

// The last token is the end. Throws Problem. Cost: O(size).
std::vector<Token> tokens_of(std::string_view program);

}  // namespace reprise::conceptual
