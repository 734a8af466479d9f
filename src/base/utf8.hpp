// The characters of UTF-8 (RFC 3629).
#pragma once

#include <cstddef>
#include <string_view>

namespace reprise {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: the text is not UTF-8 here
};

// The character at the begin of a text that is not empty: the shortest form, no surrogates.
Character first_character(std::string_view text);

}  // namespace reprise
